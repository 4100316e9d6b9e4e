import { pay, type PaymentRun } from '../../../../nodes/CardTreasury/run/batch.ts';
import { namesOf, runNoteOf } from '../../../../nodes/CardTreasury/run/names.ts';
import type { Result } from '../../../../nodes/CardTreasury/run/result.ts';

/** The golden names of the payment memory. Histories of payments are the work of test/model. */
const RUN = '44pIT6mSfzOXIV8Ju0qz51JWKQJieyoAUOl6KSlsNL0';
const REF = '4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY';
const OPEN = 'G4otd9wjKBoaCR8V5v55J2cY5et9-NbEGqNuz1O3Wfc';
const FAILED = 'egJTcfRawmO75Tjzx4CZ3UK0njgudkWJ2w2u51N2qlo';
const PAID = 'Wa55h16Sos4-VX4Ed2cTwFshxxdL4_nNvn7HdO3K4vA';

it.each([
	[
		'is new',
		[],
		[
			`record ${RUN} ${REF} ${FAILED} ${OPEN}`,
			'send',
			`record ${REF} ${PAID}`,
			`remove ${FAILED} ${OPEN}`,
		],
	],
	[
		'is rejected',
		[],
		[
			`record ${RUN} ${REF} ${FAILED} ${OPEN}`,
			'send',
			`remove ${REF} ${FAILED} ${OPEN}`,
			`remove ${RUN}`,
		],
	],
	[
		'was sent before',
		[REF, PAID],
		[
			`record ${RUN} ${REF} ${FAILED} ${OPEN}`,
			`record ${PAID}`,
			`remove ${FAILED} ${OPEN}`,
			`remove ${RUN}`,
		],
	],
	['is failed', [], [`record ${RUN} ${REF} ${FAILED} ${OPEN}`, 'send', `remove ${OPEN}`]],
	[
		'came back FAILED before',
		[REF, FAILED],
		[
			`record ${RUN} ${REF} ${FAILED} ${OPEN}`,
			`record ${PAID}`,
			`remove ${OPEN} ${PAID}`,
			`remove ${RUN}`,
		],
	],
	['is open', [REF, FAILED, OPEN], [`record ${RUN} ${REF} ${FAILED} ${OPEN}`, `remove ${RUN}`]],
])('a payment that %s has these calls, in order', async (name, stored, calls) => {
	const seen: string[] = [];
	const outcome = { 'is rejected': 'rejected', 'is failed': 'failed' }[name] ?? 'done';
	const record = async (of: string[]) => {
		seen.push(`record ${of.join(' ')}`);
		return await Promise.resolve(new Set(of.filter((note) => stored.includes(note))));
	};
	const remove = async (of: string[]) =>
		void (await Promise.resolve(seen.push(`remove ${of.join(' ')}`)));
	const run: PaymentRun = {
		...{ runNote: runNoteOf(1_700_000_000_000, 0), journal: { sent: {} } },
		...{ isRetry: false, continueOnFail: false, isStopped: () => false },
		turn: async () => await Promise.resolve(),
		notes: { inTurn: async (work) => await work({ record, remove }) },
	};
	const send = async () => {
		seen.push('send');
		return await Promise.resolve({ outcome, items: [] } as unknown as Result);
	};
	const names = namesOf('api.example.com', 'INV-1', 'F');
	await pay([{ ...names, reference: 'INV-1', send, alreadySent: () => ({}) }], run);
	expect(seen).toEqual(calls);
});

it('6,000 payments are remembered, each in a run of its own, and lookups evict none', async () => {
	const stored = new Set<string>();
	let sent = 0;
	const record = async (of: string[]) => {
		const there = new Set(of.filter((note) => stored.has(note)));
		for (const note of of) stored.add(note);
		for (const note of stored) if (stored.size > 20_000) stored.delete(note);
		return await Promise.resolve(there);
	};
	const remove = async (of: string[]) => {
		for (const note of of) stored.delete(note);
		await Promise.resolve();
	};
	let startedAt = 0;
	const payRun = async (...numbers: number[]) => {
		const payments = numbers.map((number) => ({
			...namesOf('api.example.com', `INV-${number}`, 'F'),
			reference: 'INV',
			send: async () =>
				await Promise.resolve({ outcome: 'done', items: [{}], at: sent++ } as unknown as Result),
			alreadySent: () => ({}),
		}));
		await pay(payments, {
			...{ runNote: runNoteOf(startedAt++, 0), journal: { sent: {} } },
			...{ isRetry: false, continueOnFail: false, isStopped: () => false },
			turn: async () => await Promise.resolve(),
			notes: { inTurn: async (work) => await work({ record, remove }) },
		});
	};
	for (let number = 1; number <= 6_000; number++) await payRun(number);
	for (let polled = 0; polled < 6_000; polled++) await payRun(5_999, 6_000);
	for (let number = 1; number <= 6_000; number++) await payRun(number);
	expect(sent).toBe(6_000);
});
