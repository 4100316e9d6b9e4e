import lodash from 'lodash';

import { runNoteOf } from '../../../../nodes/CardTreasury/run/names.ts';
import { sendAll } from '../../../../nodes/CardTreasury/run/send.ts';
import type { Send } from '../../../../nodes/CardTreasury/service/client.ts';
import { hostOf, operationOf, replyOf } from '../../reading.mts';
import { memoryOf, prepared, runOf, serviceOf, valuesOf } from './items.mts';

/** Sends amounts of ramp transfers, such as `A 1`. Returns the requests in the order of their ends. */
async function sent(rows: string[], send: Send) {
	const operation = operationOf('rampTransfer: updateAmount');
	const values = rows.map((row) => lodash.zipObject(['rampTransferId', 'amount'], row.split(' ')));
	const ended: string[] = [];
	const service = serviceOf(async (request, sending) => {
		const reply = await send(request, sending);
		ended.push(`${request.path.split('/').at(-1)} ${JSON.stringify(request.body)}`);
		return reply;
	});
	const turn = jest.spyOn(service, 'turn');
	const run = runOf({ operation, service });
	const items = prepared(values, run);
	await sendAll(items, run);
	return { ended, outcomes: items.map(({ result }) => result?.outcome), turn };
}

const REPLY = replyOf({ json: {} });

it('settings of one thing follow each other, and those of another one do not wait', async () => {
	const slow: Send = async ({ path, body }) => {
		// Repeated many times.
		const turns = path.endsWith('A') && JSON.stringify(body) === '{"amount":1}' ? 50 : 1;
		for (let left = turns; left > 0; left--) await Promise.resolve();
		return REPLY;
	};
	const { ended, turn } = await sent(['A 1', 'A 2', 'B 1', 'A 3'], slow);
	expect(turn).toHaveBeenCalledTimes(4);
	expect(ended).toEqual(['B {"amount":1}', 'A {"amount":1}', 'A {"amount":2}', 'A {"amount":3}']);
});

it('a setting that fails ends the run, also for the next one of the same thing', async () => {
	const failing: Send = async () => await Promise.reject(new Error('It is broken'));
	const { outcomes } = await sent(['A 1', 'A 2'], failing);
	expect(outcomes).toEqual(['unknown', undefined]);
});

it('n8n keeps 10,000 payments: a run leaves at most three notes for one, two for each of many, and none if it sends nothing', async () => {
	const notes = new Set<string>();
	const record = jest.fn(async (keys: string[], _scope: string, _: { maxEntries: number }) => {
		const processed = keys.filter((key) => notes.has(key));
		for (const key of keys) notes.add(key);
		return await Promise.resolve({ processed });
	});
	const removeProcessed = async (keys: string[]) => keys.forEach((key) => notes.delete(key));
	const helpers = { checkProcessedAndRecord: record, removeProcessed };
	const { n8n } = hostOf({}, {}, { helpers });
	let [requests, startedAt] = [0, 0];
	const ends = ['SUCCESS', 'PENDING', 'FAILED'].map((status) => ({ ...REPLY, json: { status } }));
	const service = serviceOf(async () => {
		const reply = ends[requests++ % 4];
		if (!reply) throw new Error('The connection broke');
		return await Promise.resolve(reply);
	});
	/** Pays with the references from one number to another. Returns the outcomes. */
	const pay = async (from: number, to: number) => {
		const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
		const values = numbers.map((number) => valuesOf('5', `INV-${number}`));
		const memory = { ...memoryOf(), runNote: runNoteOf(startedAt++, 0) };
		const run = runOf({ n8n, service, memory, continueOnFail: true });
		const items = prepared(values, run);
		await sendAll(items, run);
		return items.map(({ result }) => result?.outcome);
	};
	const outcomes = [];
	for (const number of [1, 2, 3, 4]) outcomes.push(...(await pay(number, number)));
	expect(outcomes).toEqual(['done', 'pending', 'failed', 'unknown']);
	const { size } = notes;
	expect(size).toBeLessThanOrEqual(3 * 4);
	for (let polled = 0; polled < 300; polled++) await pay(1 + (polled % 4), 1 + (polled % 4));
	expect([requests, notes.size]).toEqual([4, size]);
	for (const _ of ['pay', 'look up']) await pay(5, 3_004);
	expect(requests).toBe(3_004);
	expect(notes.size - size).toBeLessThanOrEqual(2 * 3_000 + 1);
	const limits = record.mock.calls.map(([, , { maxEntries }]) => maxEntries);
	expect(Math.min(...limits)).toBeGreaterThanOrEqual(3 * 10_000);
}, 60_000);
