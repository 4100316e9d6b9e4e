import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { approves, decisionInWords, isResponseCode, UNDECIDED } from '../shared/responseCode';
import {
	ASK,
	byRule,
	codeUnanswered,
	decide,
	decisionOf,
	DECLINED,
	type Code,
	type Verdict,
} from '../shared/rules/decide';
import type { Deciding } from '../shared/rules/read';
import { answer, deliveryKey, itemOf, sentAt, type Received, type Reply } from './delivery';

/** Milliseconds after arrival by which the workflow must have answered. The service waits 1,200 (§6.4). */
const DEADLINE_MS = 1_000;

/** The same, after the service has sent the request: n8n's own queue counts too. */
const AFTER_SENDING_MS = 1_100;

/** Milliseconds for which a repetition of an authorization runs nothing. The service sends one only once (§6.4). */
const REPEATED_MS = 60_000;

/** Response codes given to the authorizations of the last minute, by node and content. */
const answers = new Map<string, string | Promise<string>>();

/** Facts about n8n. */
interface Host {
	/** Identifies the trigger in all workflows. */
	node: string;
	/** False if n8n would run the workflow wrongly. */
	canRun: boolean;
	/** False if n8n does not wait for the workflow. */
	canAsk: boolean;
}

export interface Answer {
	reply: Reply | Promise<Reply>;
	/** Item that starts an execution. */
	item?: ReturnType<typeof itemOf>;
	/** Present while the workflow may answer. Only the first answer counts. Undefined: the workflow gives none. */
	settle?(responseCode: string | undefined): void;
}

/** Answers an authorization (§6.3): by the rules at once, or by the workflow until the deadline. */
export function answerAuthorization(event: Received, settings: Deciding, host: Host): Answer {
	const { rules, byDefault, problems } = settings;
	const verdict: Verdict =
		problems.length > 0
			? { ruling: DECLINED, source: 'unreadable', observed: [] }
			: decide(event.envelope.data, rules, byDefault);
	return verdict.ruling === ASK
		? ask(event, verdict, settings, host)
		: answerAtOnce(event, verdict, verdict.ruling, settings, host);
}

/** Answers by the rules. The workflow runs too, but not for a repetition. */
function answerAtOnce(
	event: Received,
	verdict: Verdict,
	{ code }: Code,
	{ runWorkflowFor }: Deciding,
	{ node, canRun }: Host,
): Answer {
	const reply = answer(code);
	const isWanted = runWorkflowFor === 'all' || (runWorkflowFor === 'declined' && !approves(code));
	if (!canRun || !isWanted || earlierAnswer(node, event, code) !== undefined) return { reply };
	const decision = { ...decisionOf(verdict), answered_in_ms: Date.now() - event.arrivedAt };
	return { reply, item: itemOf(event, decision, decisionInWords(code) + byRule(verdict)) };
}

/** Lets the workflow answer until the deadline. Then the rules below the one that asked decide. */
function ask(
	event: Received,
	verdict: Verdict,
	{ rules, fallback }: Deciding,
	{ node, canRun, canAsk }: Host,
): Answer {
	const unanswered = codeUnanswered(event.envelope.data, rules, fallback);
	if (!canRun || !canAsk) return { reply: answer(unanswered) };
	const question = openQuestion(unanswered);
	const earlier = earlierAnswer(node, event, question.code);
	if (earlier !== undefined) return { reply: Promise.resolve(earlier).then(answer) };
	const deadline = deadlineOf(event);
	void sleep(Math.max(0, deadline - Date.now())).then(() => question.settle(undefined));
	const decision = { ...decisionOf(verdict), answer_by: new Date(deadline).toISOString() };
	return {
		reply: question.code.then(answer),
		item: itemOf(event, decision, UNDECIDED),
		settle: question.settle,
	};
}

/** Response code that is not known yet. The first call of `settle` decides. */
function openQuestion(unanswered: string) {
	let settle: NonNullable<Answer['settle']> = () => undefined;
	const code = new Promise<string>((resolve) => {
		settle = (given) => resolve(given ?? unanswered);
	});
	return { code, settle };
}

/**
 * Returns the answer to the first of two equal deliveries. Otherwise remembers this one for a minute. Another amount
 * under the same ID is another purchase.
 */
function earlierAnswer(node: string, { envelope }: Received, code: string | Promise<string>) {
	const key = JSON.stringify([node, deliveryKey(envelope), envelope.data]);
	const earlier = answers.get(key);
	if (earlier !== undefined) return earlier;
	answers.set(key, code);
	void sleep(REPEATED_MS).then(() => answers.delete(key));
	return undefined;
}

/**
 * Latest time for an answer of the workflow, in epoch milliseconds. A stamp that leaves no time at all is not believed,
 * because the clocks of the service and of this n8n differ then.
 */
export function deadlineOf({
	headers,
	arrivedAt,
}: Pick<Received, 'headers' | 'arrivedAt'>): number {
	const usual = arrivedAt + DEADLINE_MS;
	const latest = (sentAt(headers) ?? arrivedAt) + AFTER_SENDING_MS;
	return latest <= arrivedAt ? usual : Math.min(usual, latest);
}

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Writes a reply, unless the sender has left. */
export function write(response: Response, { status, body }: Reply): void {
	if (response.headersSent || response.destroyed) return;
	response.statusCode = status;
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.end(JSON.stringify(body));
}

/** Methods with which n8n 2.20 to 2.41 writes an answer. */
const WRITING = [
	'status',
	'set',
	'header',
	'setHeader',
	'setHeaders',
	'writeHead',
	'write',
	'json',
	'send',
	'end',
] as const;

/**
 * Takes the answer of the workflow from n8n, which also writes one for a failed or silent workflow, and even after ours.
 * @param settle called with the response code, or undefined for any other body
 * @returns writes our reply with the original methods
 */
export function intercept(
	response: Response,
	settle: (code: string | undefined) => void,
): (reply: Reply) => void {
	const own = Object.fromEntries(WRITING.map((method) => [method, response[method]]));
	const take = (body?: unknown) => {
		settle(codeIn(body));
		return response;
	};
	const silent = {
		...Object.fromEntries(WRITING.map((method) => [method, () => response])),
		json: take,
		send: take,
		// An `end` without a body is no answer, because n8n also ends a response that was already answered.
		end: (body?: unknown) => (body === undefined ? response : take(body)),
	};
	Object.assign(response, silent);
	return (reply) => {
		Object.assign(response, own);
		write(response, reply);
		// n8n's own answer, which comes later, is swallowed.
		Object.assign(response, silent);
	};
}

function codeIn(body: unknown): string | undefined {
	try {
		const { response_code: code } = (
			typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : body
		) as IDataObject;
		return isResponseCode(code) ? code : undefined;
	} catch {
		return undefined;
	}
}
