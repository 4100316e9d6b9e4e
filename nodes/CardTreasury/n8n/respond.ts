import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import { addHints } from '../../shared/host';
import { summaryLine } from '../../shared/plainLine';
import { decisionInWords, DECLINE, UNDECIDED } from '../../shared/responseCode';
import { waitingAuthorization } from '../../shared/waitingAuthorization';
import { tellFailure } from '../batch/outcome';
import type { ResponseOperation } from '../operations/operation';
import type { Host } from './host';
import { callerOf, readItem } from './readItems';
import { errorOf, failedItem } from './render';

/** Milliseconds that an answer takes to the process with the connection. With less time left, no answer is sent. */
const WAY_BACK_MS = 50;

/** Answers the authorization that waits for this execution, with one answer for all items. */
export async function sendDecision(
	n8n: IExecuteFunctions,
	host: Host,
	operation: ResponseOperation,
): Promise<INodeExecutionData[]> {
	// The environment does not matter here, and reading the credential would use up the deadline (§6.4).
	const caller = callerOf(host, 'sandbox');
	const input = n8n.getInputData();
	const codes: Array<string | InvalidFieldError> = [];
	for (const index of input.keys()) {
		const item = await readItem(n8n, operation, index);
		const code = orInvalid(() => {
			if (host.mode === 'integrated') throw inSubWorkflow();
			return operation.responseCode(item, caller);
		});
		if (code instanceof InvalidFieldError && !host.continueOnFail)
			throw errorOf(host, code, index, 'not_sent');
		codes.push(code);
	}
	const valid = codes.filter((code) => typeof code === 'string');
	const [first] = valid;
	const agree = valid.length === codes.length && new Set(codes).size === 1;
	const answer = first === undefined ? undefined : await answerOnce(n8n, agree ? first : DECLINE);
	const hints = [agree || !answer ? undefined : HINTS.disagree, answer?.hint];
	addHints(
		n8n,
		hints.flatMap((message) => (message === undefined ? [] : [{ message, type: 'warning' }])),
	);
	return codes.map((code, index) => {
		const decision = { ...answer?.decision };
		if (typeof code !== 'string') {
			const what = answer?.hint ?? HINTS.disagree;
			const told = tellFailure(code, 'not_sent');
			const said = answer && { ...told, advice: `${code.fix} ${what}`, fields: { decision } };
			return failedItem(host, code, index, 'not_sent', said ?? told);
		}
		const { json = {}, binary } = input[index] ?? {};
		return {
			json: { ...json, ...(answer && decidedSummary(json.summary, answer)), decision },
			...(binary && { binary }),
			pairedItem: { item: index },
		};
	});
}

const HINTS = {
	disagree:
		'The items disagree on the answer, so the authorization is declined. Pass only one item to this node.',
	nothingWaiting: 'No authorization was waiting, so nothing was answered.',
	// The text does not say that the fallback was sent: the deadline may be up to 50 ms away, and None sends nothing.
	tooLate: 'This answer came too late, so it was not sent: the fallback applies.',
	answeredBefore: (code: string) =>
		`Nothing was sent: this execution has answered the authorization with ${code} before.`,
};

/** Result of an answer. */
interface Answered {
	/** Goes into the items. */
	decision: IDataObject;
	/** Beginning of the summary of the items. */
	news: string;
	/** Explains why nothing was sent. */
	hint?: string;
}

/** Replaces the beginning of the trigger's summary. Any other summary is the user's, and stays. */
function decidedSummary(summary: unknown, { news }: Answered): { summary?: string } {
	return typeof summary === 'string' && summary.startsWith(UNDECIDED)
		? { summary: summaryLine(news + summary.slice(UNDECIDED.length)) }
		: {};
}

async function answerOnce(n8n: IExecuteFunctions, code: string): Promise<Answered> {
	const waiting = waitingAuthorization(n8n);
	if (waiting.sent !== undefined) {
		return {
			decision: { response_code: waiting.sent, answered_before: true },
			news: decisionInWords(waiting.sent),
			hint: HINTS.answeredBefore(waiting.sent),
		};
	}
	if (waiting.answerBy === undefined) {
		return {
			decision: { response_code: code, nothing_waiting: true },
			news: 'Not answered, because nothing was waiting',
			hint: HINTS.nothingWaiting,
		};
	}
	if (Date.now() > Date.parse(waiting.answerBy) - WAY_BACK_MS) {
		return {
			decision: { response_code: code, too_late: true },
			news: 'Answered too late, so the fallback applies',
			hint: HINTS.tooLate,
		};
	}
	await n8n.sendResponse(answerWith(code));
	// Set only after sending, because n8n may reject the answer.
	waiting.sent = code;
	return { decision: { response_code: code }, news: decisionInWords(code) };
}

function inSubWorkflow(): InvalidFieldError {
	return new InvalidFieldError(
		'Respond',
		'cannot answer from a sub-workflow: n8n sends nothing from there',
		'Put this node into the workflow of Card Treasury Trigger.',
	);
}

const answerWith = (responseCode: string) => ({
	body: { response_code: responseCode },
	headers: { 'content-type': 'application/json' },
	statusCode: 200,
});
