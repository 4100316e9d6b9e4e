import type { IExecuteFunctions } from 'n8n-workflow';

import { runNoteOf } from '../../../../nodes/CardTreasury/run/names.ts';
import { sendAll } from '../../../../nodes/CardTreasury/run/send.ts';
import type { Send } from '../../../../nodes/CardTreasury/service/client.ts';
import { operationOf } from '../../reading.mts';
import { memoryOf, prepared, runOf, serviceOf, valuesOf } from './items.mts';

/** Sends amounts of ramp transfers, such as `A 1`. Returns the requests in the order of their ends. */
async function sent(rows: string[], send: Send) {
	const operation = operationOf('rampTransfer: updateAmount');
	const values = rows.map((row) => {
		const [rampTransferId, amount] = row.split(' ');
		return { rampTransferId, amount };
	});
	const ended: string[] = [];
	const service = serviceOf(async (request, sending) => {
		const reply = await send(request, sending);
		ended.push(`${request.path.split('/').at(-1)} ${JSON.stringify(request.body)}`);
		return reply;
	});
	const run = runOf({ operation, service });
	const items = prepared(values, run);
	await sendAll(items, run);
	return { ended, outcomes: items.map(({ result }) => result?.outcome) };
}

const REPLY = {
	traceId: null,
	json: {},
	text: '',
	type: '',
	bytes: Buffer.alloc(0),
	isPending: false,
};

it('settings of one thing follow each other, and those of another one do not wait', async () => {
	const slow: Send = async ({ path, body }) => {
		// Repeated many times.
		const turns = path.endsWith('A') && JSON.stringify(body) === '{"amount":1}' ? 50 : 1;
		for (let left = turns; left > 0; left--) await Promise.resolve();
		return REPLY;
	};
	const { ended } = await sent(['A 1', 'A 2', 'B 1', 'A 3'], slow);
	expect(ended).toEqual(['B {"amount":1}', 'A {"amount":1}', 'A {"amount":2}', 'A {"amount":3}']);
});

it('a setting that fails ends the run, also for the next one of the same thing', async () => {
	const failing: Send = async () => await Promise.reject(new Error('It is broken'));
	const { outcomes } = await sent(['A 1', 'A 2'], failing);
	expect(outcomes).toEqual(['unknown', undefined]);
});

/** n8n's notes of a node, of which it keeps the latest. */
function n8nWithNotes() {
	const notes = new Set<string>();
	const helpers = {
		checkProcessedAndRecord: async (keys: string[], _scope: string, { maxEntries = 0 }) => {
			const processed = keys.filter((key) => notes.has(key));
			for (const key of keys) notes.add(key);
			const oldest = notes.values();
			while (notes.size > maxEntries) notes.delete(oldest.next().value!);
			return await Promise.resolve({ new: [], processed });
		},
		removeProcessed: async (keys: string[]) => {
			for (const key of keys) notes.delete(key);
			return await Promise.resolve();
		},
	};
	const getWorkflow = () => ({ id: 'workflow-1' });
	const getNode = () => ({ id: 'node-1' });
	return { helpers, getWorkflow, getNode } as unknown as IExecuteFunctions;
}

it('the latest 10,000 payments are remembered, whatever the size of runs, and a poll of 300 runs uses none up', async () => {
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
	const n8n = n8nWithNotes();
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
	const first = await pay(1, 3_000);
	expect(new Set(first)).toEqual(new Set(['done', 'pending', 'failed', 'unknown']));
	for (let number = 3_001; number <= 13_000; number++) await pay(number, number);
	expect(requests).toBe(13_000);
	for (let polled = 0; polled < 300; polled++) await pay(12_997, 13_000);
	for (let from = 3_001; from <= 13_000; from += 5_000) await pay(from, from + 4_999);
	expect(requests).toBe(13_000);
	await pay(13_001, 18_000);
	await pay(13_001, 18_000);
	expect(requests).toBe(18_000);
});
