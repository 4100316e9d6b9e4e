import type { IDataObject } from 'n8n-workflow';

import { runInCore, type CoreOptions } from './core.mts';
import { goesOn, jsonIn } from './payments.mts';

const DISAGREE =
	'The items disagree, so the authorization is declined. Pass one item to this node.';
const NO_SUB_WORKFLOW = 'Respond cannot answer from a sub-workflow: n8n sends nothing from there';
const SENT_BEFORE = (code: string) => `Nothing was sent: ${code} was sent before.`;
const MAYBE = 'Decision is "maybe"';

const NOW = Date.now();
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

/** Data of an execution for which an authorization waits, for some milliseconds from now on. */
const waiting = (ms = 60_000, sent?: string) => ({
	flow: { cardAuthorization: { answerBy: new Date(NOW + ms).toISOString(), sent } },
});
const broken = {
	onResponse: () => {
		throw new Error('it is closed');
	},
};
const subWorkflow = { ...goesOn, mode: 'integrated' } as const;

type Text = string | null;
/** `shown` has the code or the error of each item. Null if nothing was sent. */
type Row = [decisions: string, sent: Text, shown: Text[], hints: string[], Partial<CoreOptions>?];

it.each<Row>([
	['approve', '00', ['00'], []],
	['Approve', '00', ['00'], []],
	['decline', '05', ['05'], []],
	['other', '51', ['51'], []],
	['decline decline', '05', ['05', '05'], []],
	['approve decline', '05', ['05', '05'], [DISAGREE]],
	['approve maybe', '05', ['05', MAYBE], [DISAGREE, '1 done, 1 not sent.'], goesOn],
	['approve maybe', null, [], []],
	['maybe', null, [MAYBE], ['1 not sent.'], goesOn],
	['approve', null, [null], ['No authorization was waiting, so nothing was sent.'], { flow: {} }],
	['approve', null, [null], ['This answer came too late, so it was not sent.'], waiting(49)],
	['approve', '00', ['00'], [], waiting(50)],
	['approve', null, ['05'], [SENT_BEFORE('05')], waiting(60_000, '05')],
	['approve', '00', ['00'], [SENT_BEFORE('00')], { rounds: 2 }],
	['approve', null, [null], ['Not answered: it is closed'], broken],
	['approve', null, [NO_SUB_WORKFLOW], ['1 not sent.'], subWorkflow],
])('the answer for the decisions "%s" is %s, and its items show %j', async (...row) => {
	const [decisions, sent, shown, hints, more] = row;
	const binary = { data: { data: '', mimeType: 'text/plain' } };
	const responses: unknown[] = [];
	const ended = await runInCore({
		baseUrl: 'http://127.0.0.1:9',
		parameters: {
			...{ resource: 'authorization', operation: 'respond' },
			...{ decision: '={{ $json.decision }}', responseCode: '51' },
		},
		items: decisions.split(' ').map((decision, id) => ({ json: { decision, id }, binary })),
		onResponse: (response) => responses.push(response),
		...waiting(),
		...more,
	});
	const headers = { 'content-type': 'application/json' };
	const response = { statusCode: 200, headers, body: { response_code: sent } };
	expect(responses).toEqual(sent === null ? [] : [response]);
	const items = jsonIn(ended.outputs[0]);
	expect(items).toHaveLength(shown.length);
	for (const [at, { error, decision, ...rest }] of items.entries()) {
		expect(error ?? (decision as IDataObject).response_code).toBe(shown[at]);
		if (error === undefined) expect(rest).toEqual({ id: at });
		expect(ended.outputs[0]![at]).toMatchObject(error === undefined ? { binary } : {});
	}
	expect(ended.hints).toEqual(hints);
	expect(ended.error === undefined).toBe(shown.length > 0);
});
