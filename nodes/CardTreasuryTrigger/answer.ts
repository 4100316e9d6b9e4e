import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { approves, decisionInWords, isResponseCode, UNDECIDED } from '../shared/responseCode';
import { byRule, decide, decisionOf, type Verdict } from '../shared/rules/decide';
import type { Deciding } from '../shared/rules/read';
import { deliveryKey, itemOf, replyWith, sentAt, type Received, type Reply } from './delivery';

/** Milliseconds after arrival by which the workflow must have answered. The service waits 1,200 (§6.4). */
const DEADLINE_MS = 1_000;

/** The same, after the service has sent the request: n8n's own queue counts too. */
const AFTER_SENDING_MS = 1_100;

/** Milliseconds for which a repetition of an authorization runs nothing. The service sends one only once (§6.4). */
const REPEATED_MS = 60_000;

/** Authorizations of the last minute that ran the workflow, by trigger and content. What was asked has its reply. */
const latest = new Map<string, Promise<Reply> | undefined>();

/** Ways in which n8n can treat an authorization. */
interface Facts {
	/** Identifies the trigger in all workflows, and test runs. */
	place: string;
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
export function answerAuthorization(event: Received, settings: Deciding, facts: Facts): Answer {
	const { envelope, arrivedAt } = event;
	const { runWorkflowFor } = settings;
	const verdict = decide(envelope.data, settings);
	const { asks, code } = verdict;
	const reply = replyWith(code);
	const isWanted = runWorkflowFor === 'all' || (runWorkflowFor === 'declined' && !approves(code));
	if (!facts.canRun || !(asks ? facts.canAsk : isWanted)) return { reply };
	// Another amount under the same ID is another purchase.
	const key = JSON.stringify([facts.place, deliveryKey(envelope), envelope.data]);
	const earlier = latest.get(key);
	if (asks) return earlier ? { reply: earlier } : ask(event, verdict, key);
	// The rules decide a repetition again, but the workflow does not run again.
	if (latest.has(key)) return { reply };
	remember(key);
	const decision = { ...decisionOf(verdict), answered_in_ms: Date.now() - arrivedAt };
	return { reply, item: itemOf(event, decision, decisionInWords(code) + byRule(verdict)) };
}

/** Lets the workflow answer until the deadline. Then the code of the verdict counts. */
function ask(event: Received, verdict: Verdict, key: string): Answer {
	let settle: NonNullable<Answer['settle']> = () => undefined;
	const reply = new Promise<string>((resolve) => {
		settle = (answered) => resolve(answered ?? verdict.code);
	}).then(replyWith);
	remember(key, reply);
	const deadline = deadlineOf(event);
	void sleep(Math.max(0, deadline - Date.now())).then(() => settle(undefined));
	const decision = { ...decisionOf(verdict), answer_by: new Date(deadline).toISOString() };
	return { reply, item: itemOf(event, decision, UNDECIDED), settle };
}

function remember(key: string, reply?: Promise<Reply>): void {
	latest.set(key, reply);
	// A question about the same purchase has its own minute.
	void sleep(REPEATED_MS).then(() => latest.get(key) === reply && latest.delete(key));
}

/**
 * Latest time for an answer of the workflow, in epoch milliseconds. A stamp that leaves no time at all is not believed,
 * because the clocks of the service and of this n8n differ then.
 */
export function deadlineOf({ headers, arrivedAt }: Omit<Received, 'envelope'>): number {
	const usual = arrivedAt + DEADLINE_MS;
	const last = (sentAt(headers) ?? arrivedAt) + AFTER_SENDING_MS;
	return last <= arrivedAt ? usual : Math.min(usual, last);
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
	const original = Object.fromEntries(WRITING.map((method) => [method, response[method]]));
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
		Object.assign(response, original);
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
