import { pay, type PaymentRun } from '../../../../nodes/CardTreasury/run/batch.ts';
import { namesOf, runNoteOf } from '../../../../nodes/CardTreasury/run/names.ts';
import type { Result } from '../../../../nodes/CardTreasury/run/result.ts';

/** The golden names of the payment memory. Histories of payments are the work of test/model. */
const RUN = '44pIT6mSfzOXIV8Ju0qz51JWKQJieyoAUOl6KSlsNL0';
const REF = '4BzFArYvh27TUyKYNXRyvbCjduq6edPKHh5ICQ2XCnY';
const OPEN = 'G4otd9wjKBoaCR8V5v55J2cY5et9-NbEGqNuz1O3Wfc';
const FAILED = 'egJTcfRawmO75Tjzx4CZ3UK0njgudkWJ2w2u51N2qlo';
const PAID = 'Wa55h16Sos4-VX4Ed2cTwFshxxdL4_nNvn7HdO3K4vA';

const LOOKED_UP = `record ${RUN} ${REF} ${OPEN}`;
const ASKED = `record ${PAID} ${FAILED}`;

it.each([
	['is new', [], [LOOKED_UP, 'send', `record ${REF} ${PAID}`, `remove ${OPEN}`]],
	['is rejected', [], [LOOKED_UP, 'send', `remove ${REF} ${OPEN}`, `remove ${RUN}`]],
	['is failed', [], [LOOKED_UP, 'send', `record ${REF} ${FAILED}`, `remove ${OPEN}`]],
	['is unknown', [], [LOOKED_UP, 'send']],
	['is open', [REF, OPEN], [LOOKED_UP, `remove ${RUN}`]],
	['was sent before', [REF, PAID], [LOOKED_UP, ASKED, `remove ${RUN} ${OPEN} ${FAILED}`]],
	['came back FAILED before', [REF, FAILED], [LOOKED_UP, ASKED, `remove ${RUN} ${OPEN} ${PAID}`]],
])('a payment that %s has these calls, in order', async (name, stored, calls) => {
	const seen: string[] = [];
	const outcome = /is (rejected|failed|unknown)/.exec(name)?.[1] ?? 'done';
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
	await pay([{ ...names, reference: 'INV-1', what: () => '', send, alreadySent: () => ({}) }], run);
	expect(seen).toEqual(calls);
});
