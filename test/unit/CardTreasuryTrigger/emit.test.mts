import type { IDataObject } from 'n8n-workflow';

import { emit } from '../../../nodes/CardTreasuryTrigger/emit.ts';
import { sampleEvent } from '../../simulator/index.mts';
import { standIn, type Facts } from './standIn.mts';

const stored = (name: string, n: number, more: object = {}): IDataObject => ({
	...sampleEvent(name, { operation_id: `op-${n}` }),
	n,
	delivery: { key: `key-${n}`, trace_id: `trace-${n}` },
	...more,
});
const CLEARED = { parameters: { events: ['cards.cleared'] }, items: [stored('cards.cleared', 1)] };
const ASKING = { events: ['cards.cleared', 'cards.authorization'], defaultDecision: 'ask' };

beforeEach(() => void jest.useFakeTimers());

/** Numbers of the items on each output. */
async function outputs(facts: Facts) {
	const found = standIn(facts);
	const items = await emit(found.n8n);
	return { ...found, outputs: items.map((output) => output.map(({ json }) => json.n)) };
}

it('each item is on the output of its event, and custom data has all its business keys', async () => {
	const names = ['cards.refund', 'cards.cleared', 'treasury.transfer', 'cards.cleared'];
	const parameters = { events: ['cards.cleared', 'other', 'other', 'cards.refund'] };
	const { outputs: found } = await outputs({
		parameters,
		items: names.map((each, n) => stored(each, n)),
	});
	expect(found).toEqual([[1, 3], [2], [0]]);
	const data = { card_id: 'card-1', client_id: 'c-2', payment_reference: 'p' };
	const items = [stored('cards.refund', 6, { data })];
	const unchosen = await outputs({ ...CLEARED, items });
	expect(unchosen.outputs).toEqual([[]]);
	expect(unchosen.customData).toEqual({
		...{ event: 'cards.refund', operation_id: 'op-6', trace_id: 'trace-6', ...data },
	});
});

it.each([
	['webhook', 1, []],
	['retry', 1, [1]],
	['manual', 0, [1]],
	['integrated', 0, [1]],
])('in the mode %s, a repetition is recorded %d times', async (mode, times, output) => {
	const record = jest.fn(async () => ({ processed: ['key-1'] }));
	expect((await outputs({ ...CLEARED, mode, record })).outputs).toEqual([output]);
	expect(record.mock.calls).toEqual(
		Array(times).fill([['key-1'], 'node', { mode: 'entries', maxEntries: 10_000 }]),
	);
});

it('a database that fails twice fails the execution, and its retry and the next event are passed on', async () => {
	const record = async () => await Promise.reject(new Error('database is locked'));
	await expect(outputs({ ...CLEARED, record })).rejects.toMatchObject({
		message: expect.stringContaining('Duplicate check failed'),
		description: expect.stringContaining('Retry this execution'),
	});
	expect((await outputs({ ...CLEARED, record, mode: 'retry' })).outputs).toEqual([[1]]);
	expect((await outputs(CLEARED)).outputs).toEqual([[1]]);
});

it.each([
	['webhook', ASKING, 1],
	['manual', ASKING, 1],
	['retry', ASKING, 0],
	['webhook', { ...ASKING, defaultDecision: 'approve' }, 0],
])('in the mode %s, with %j, the trigger acknowledges %d times', async (mode, asks, times) => {
	const { answers } = await outputs({ ...CLEARED, parameters: asks, mode });
	const answer = { body: { response_code: 'OK' }, headers: {}, statusCode: 200 };
	expect(answers).toEqual(Array(times).fill(answer));
});

it('an authorization stores its deadline, is not answered here and leaves no key', async () => {
	const record = jest.fn();
	const decision = { outcome: 'asked', answer_by: '2026-11-21T10:00:01.000Z' };
	const items = [stored('cards.authorization', 1, { decision })];
	const found = await outputs({ parameters: ASKING, items, record });
	expect([found.outputs, found.answers]).toEqual([[[], [1]], []]);
	expect(found.flow).toEqual({ cardAuthorization: { answerBy: decision.answer_by } });
	expect(record).not.toHaveBeenCalled();
	const decided = [stored('cards.authorization', 2, { decision: { outcome: 'approved' } })];
	expect((await outputs({ parameters: ASKING, items: decided })).flow).toEqual({});
});
