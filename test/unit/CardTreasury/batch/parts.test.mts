import fc from 'fast-check';

import type { PartSettings } from '../../../../nodes/CardTreasury/batch/batch.ts';
import {
	answered,
	complaint,
	Database,
	Execution,
	failed,
	kinds,
	outputs,
	transferOf,
	type More,
} from './batches.mts';

const RETRY: More = { isRetry: true };
const upTo = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);
const turns = async (count = 20) => {
	for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const pay = (service?: Execution['service']) => new Execution('wallet: transfer', service);

/** Runs a batch until its process is killed: the service executes the first requests and answers only these. */
async function killed(items: number, answers: number, parts: PartSettings) {
	const execution = pay();
	const executed: string[] = [];
	const client = {
		send: async ({ onStart, payment }: { onStart?(): void; payment?: { reference: string } }) => {
			onStart?.();
			executed.push(payment!.reference);
			return executed.length <= answers ? answered() : await new Promise<never>(() => {});
		},
	};
	let isDead = false;
	const notes = execution.database.forRun();
	const untilDeath = async <Result,>(call: Promise<Result>) =>
		isDead ? await new Promise<never>(() => {}) : await call;
	void execution.run(
		upTo(items).map((amount) => transferOf(amount)),
		{
			client: client as never,
			parts,
			notes: {
				...notes,
				lookUpAndRecord: async (names) => await untilDeath(notes.lookUpAndRecord(names)),
				record: async (names) => await untilDeath(notes.record(names)),
				remove: async (names) => await untilDeath(notes.remove(names)),
			},
		},
	);
	await turns(100);
	isDead = true;
	await turns(2);
	execution.database.restart();
	return { execution, executed };
}

describe('batch in parts', () => {
	it('a kill leaves at most the parts in flight open, and the rest is sent by a retry and by a new execution', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 25 }),
				fc.integer({ min: 0, max: 25 }),
				fc.integer({ min: 1, max: 5 }),
				fc.integer({ min: 1, max: 3 }),
				fc.boolean(),
				async (items, answers, size, unsettled, isRetry) => {
					const parts = { size, unsettled };
					const { execution, executed } = await killed(items, answers, parts);
					const next = isRetry ? execution.retried({ crashed: true }) : execution.another();
					const ended = await next.run(
						upTo(items).map((amount) => transferOf(amount)),
						{ isRetry, continueOnFail: true, parts },
					);
					const references = upTo(items).map((amount) => `INV-${amount}`);
					const sentNow = next.sent.map(({ idempotencyKey }) => idempotencyKey);
					expect(new Set(sentNow).size).toBe(sentNow.length);
					references.forEach((reference, index) => {
						const isSentNow = !executed.includes(reference);
						const status = outputs(ended)[index]?.[0]?.status;
						// Nothing is sent twice, and nothing is left out.
						expect(status === 'SUCCESS').toBe(isSentNow);
						if (isSentNow) return;
						expect(status === 'ALREADY_SENT' || ended.outcomes[index] === 'unknown').toBe(true);
					});
					const open = ended.outcomes.filter((outcome) => outcome === 'unknown').length;
					expect(open).toBeLessThanOrEqual(size * unsettled);
				},
			),
			{ numRuns: 40 },
		);
	}, 60_000);

	it('a refusal by the memory stops the parts after it, and the earlier ones are sent', async () => {
		const first = pay(() => failed('unknown'));
		await first.run([transferOf('15')]);
		const second = first.another();
		second.service = () => answered();
		const items = upTo(30).map((amount) => transferOf(amount));
		const ended = await second.run(items);
		expect(ended.failedAt).toBe(14);
		expect(kinds(ended).slice(0, 10)).toEqual(Array(10).fill('done'));
		expect(new Set([...kinds(ended).slice(10, 14), ...kinds(ended).slice(15)])).toEqual(
			new Set(['unsent']),
		);
		expect(second.sent).toHaveLength(10);
		const next = await second.another().run(items, { continueOnFail: true });
		expect(next.outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(1);
		expect(outputs(next).filter(([item]) => item?.status === 'SUCCESS')).toHaveLength(19);
	});

	it('a retry looks up the parts after a failed item, so that it can report what was sent', async () => {
		const first = pay();
		await first.run(upTo(12).map((amount) => transferOf(amount)));
		const retry = first.retried({ crashed: true });
		const items = [
			transferOf('x'),
			...upTo(12)
				.slice(1)
				.map((amount) => transferOf(amount)),
		];
		const ended = await retry.run(items, RETRY);
		expect(ended.failedAt).toBe(0);
		expect(
			outputs(ended)
				.slice(1)
				.map(([item]) => item?.status),
		).toEqual(Array(11).fill('ALREADY_SENT'));
		expect(retry.sent).toEqual([]);
	});

	it('references made anew are refused, those of the parts after them too', async () => {
		const first = pay();
		const anew = (letter: string) =>
			upTo(25).map((amount) => transferOf(amount, { reference: `${letter}-${amount}` }));
		await first.run(anew('a').slice(0, 10));
		const retry = first.retried({ crashed: true });
		const ended = await retry.run(anew('b'), { ...RETRY, continueOnFail: true });
		expect(ended.outcomes).toEqual([...Array(10).fill('unknown'), ...Array(15).fill('not_sent')]);
		expect(complaint(ended, 10)).toEqual({
			message:
				'Payment Reference may have changed too: earlier items of this run no longer match what was sent',
			fix: 'Find out what was paid, then start a new execution.',
			outcome: 'not_sent',
		});
		expect(retry.sent).toEqual([]);
	});

	it('what was accepted is recorded again when its part ends, if another process has removed its notes', async () => {
		const execution = pay();
		execution.service = () => {
			execution.database.notes.splice(0);
			return answered();
		};
		await execution.run([transferOf('1')]);
		const other = execution.another();
		expect(outputs(await other.run([transferOf('1')]))[0]).toMatchObject([
			{ status: 'ALREADY_SENT' },
		]);
		expect(other.sent).toEqual([]);
	});
});

describe('hints about the memory', () => {
	it('a node without notes is told to be new or a copy once', async () => {
		const execution = pay();
		await execution.run([transferOf('1'), transferOf('2')]);
		expect(execution.hints).toEqual([
			'This node remembers no payments yet: it is new, or a copy of a node whose payments it does not know.',
		]);
		const next = execution.another();
		await next.run([transferOf('3')]);
		expect(next.hints).toEqual([]);
	});

	it('a payment without a memory is told in each run', async () => {
		for (let run = 0; run < 2; run++) {
			const execution = pay();
			await execution.run([transferOf('1')], { notes: undefined });
			expect(execution.hints).toEqual([
				'n8n keeps no memory of payments here, so only the service recognizes a payment that is sent again.',
			]);
		}
		const dry = pay();
		await dry.run([transferOf('1', { dryRun: true })], { notes: undefined });
		expect(dry.hints).toEqual([]);
	});

	it('no hint is shown if n8n does not count the notes', async () => {
		const database = new Database();
		const notes = { ...database.forRun(), count: async () => undefined };
		const execution = pay();
		await execution.run([transferOf('1')], { notes });
		expect(execution.hints).toEqual([]);
	});
});

it('a reference of another payment names what was accepted under it, if this execution sent it', async () => {
	const execution = pay();
	await execution.run([transferOf('1', { reference: 'INV-7' })]);
	const again = await execution.run([transferOf('2', { reference: 'INV-7' })], { round: 1 });
	expect(complaint(again)).toEqual({
		message: 'Payment Reference names another payment, which was accepted',
		fix: expect.stringMatching(
			/^Do not pay it again: find out what was paid\. .* Accepted under it: 1 to 0x\w{40}\.$/,
		),
		outcome: 'not_sent',
	});
});
