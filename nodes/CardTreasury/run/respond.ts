import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { addHint } from '../../shared/execution';
import { Problem, reasonOf } from '../../shared/problem';
import { DECLINE } from '../../shared/responseCode';
import { waitingAuthorization } from '../../shared/waitingAuthorization';
import type { AnswerOperation } from '../operations/operation';
import type { Execution } from './execution';
import type { Item } from './item';
import { failed } from './result';

/** Milliseconds that an answer takes to the process with the connection. With less time left, none is sent. */
const WAY_BACK_MS = 50;

const DISAGREE =
	'The items disagree, so the authorization is declined. Pass one item to this node.';

const IN_SUB_WORKFLOW = new Problem(
	'Respond cannot answer from a sub-workflow: n8n sends nothing from there',
	'Put this node into the workflow of Card Treasury Trigger.',
);

/** Answers the authorization that waits for this execution, with one answer for all items (§6.3). */
export async function respond(
	{ n8n, continueOnFail }: Execution,
	{ responseCode }: AnswerOperation,
	items: Item[],
): Promise<void> {
	if (n8n.getMode() === 'integrated')
		for (const item of items) item.result ??= failed(IN_SUB_WORKFLOW);
	const valid = items.filter(({ result }) => result === undefined);
	const areAllValid = valid.length === items.length;
	if (valid.length === 0 || (!areAllValid && !continueOnFail)) return;
	const codes = new Set(valid.map(({ values }) => responseCode(values)));
	const [code = DECLINE] = areAllValid && codes.size === 1 ? codes : [];
	if (!areAllValid || codes.size > 1) addHint(n8n, DISAGREE, 'warning');
	const { sent, hint } = await answer(n8n, code);
	if (hint !== undefined) addHint(n8n, hint, 'warning');
	for (const item of valid) {
		const { json = {}, binary } = n8n.getInputData()[item.index] ?? {};
		const answered: IDataObject = { ...json, decision: { response_code: sent ?? null } };
		item.result = { outcome: 'done', items: [answered], ...(binary && { binary }) };
	}
}

interface Answered {
	/** Code that the authorization was answered with. Undefined if nothing was sent. */
	sent?: string;
	/** Reason why this answer was not sent. Names no other answer: the deadline may be 50 ms away. */
	hint?: string;
}

/** Never throws, because n8n would repeat the node, and the deadline would pass. */
async function answer(n8n: IExecuteFunctions, code: string): Promise<Answered> {
	try {
		const waiting = waitingAuthorization(n8n);
		const { sent, answerBy } = waiting;
		if (sent !== undefined) return { sent, hint: `Nothing was sent: ${sent} was sent before.` };
		if (answerBy === undefined)
			return { hint: 'No authorization was waiting, so nothing was sent.' };
		if (Date.now() > Date.parse(answerBy) - WAY_BACK_MS)
			return { hint: 'This answer came too late, so it was not sent.' };
		const headers = { 'content-type': 'application/json' };
		await n8n.sendResponse({ body: { response_code: code }, headers, statusCode: 200 });
		// Only after sending, because n8n may reject the answer.
		waiting.sent = code;
		return { sent: code };
	} catch (thrown) {
		return { hint: `Not answered: ${reasonOf(thrown)}` };
	}
}
