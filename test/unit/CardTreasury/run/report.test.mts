import type { IExecuteFunctions } from 'n8n-workflow';

import type { Execution } from '../../../../nodes/CardTreasury/run/execution.ts';
import { report } from '../../../../nodes/CardTreasury/run/report.ts';
import { failed, type Result } from '../../../../nodes/CardTreasury/run/result.ts';
import { WORDS } from '../../../../nodes/CardTreasury/run/words.ts';
import { Problem, type Facts, type FailedOutcome } from '../../../../nodes/shared/problem.ts';
import { listOf } from '../../../../nodes/shared/text.ts';
import { executionOf, prepared, transfer, valuesOf } from './items.mts';

const problem = (outcome: FailedOutcome = 'not_sent', facts: Facts = {}) =>
	failed(new Problem(`It is ${outcome}`, 'Mend it.', outcome, facts));
const done: Result = { outcome: 'done', items: [{ trace_id: 't-1' }] };

/** Report of payments with these results. Undefined for those that were not reached. */
async function reported(results: Array<Result | undefined>, more: Partial<Execution> = {}) {
	const items = prepared(results.map((_, at) => valuesOf(`${at + 1}`, `INV-${at + 1}`)));
	items.forEach((item, at) => (item.result = results[at]));
	const hints: string[] = [];
	const custom: Record<string, string> = {};
	// These two of n8n take texts only.
	const n8n = {
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		customData: { set: (name: string, value: string) => (custom[name] = value) },
	} as unknown as IExecuteFunctions;
	const output = await report(executionOf({ n8n, ...more }), transfer, items).catch(
		(thrown: unknown) => thrown as Error & { description: string; httpCode?: string },
	);
	const error = output instanceof Error ? output : undefined;
	return {
		error: error && { message: error.message, description: error.description.split('<br>') },
		thrown: error,
		items: Array.isArray(output) ? output.map(({ json }) => json) : [],
		outcomes: Array.isArray(output) ? output.map(({ json }) => json.outcome) : [],
		hints,
		custom,
	};
}

it.each<[name: string, results: Array<Result | undefined>, hints: string[]]>([
	['all done', [done, done], []],
	['one pending', [done, { outcome: 'pending', items: [{}] }], ['1 done, 1 pending.']],
	[
		'every end',
		[
			undefined,
			problem('unknown'),
			done,
			problem('failed'),
			problem('rejected'),
			problem('not_sent'),
			{ outcome: 'already_sent', items: [{}] },
		],
		['1 done, 1 already sent, 1 failed, 1 rejected, 1 unknown, 1 not sent, 1 not reached.'],
	],
])('the hint counts a run with %s', async (_name, results, hints) => {
	const ended = await reported(results, { continueOnFail: true });
	expect(ended.hints).toEqual(hints);
	expect(ended.outcomes).toEqual(results.flatMap((result) => (result ? [result.outcome] : [])));
});

const many = (count: number, outcome: FailedOutcome = 'not_sent') =>
	Array<Result>(count).fill(problem(outcome));
const named = (numbers: number[]) => numbers.map((at) => `INV-${at + 2}`).join(', ');
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

const paymentOf = (number: number) =>
	`${number} of the native coin from w-1 to 0x5aAe…eAed, reference INV-${number}.`;

it.each<[name: string, results: Array<Result | undefined>, message: string, description: string[]]>(
	[
		[
			'one item of one',
			[problem()],
			'It is not_sent',
			['not sent: INV-1', 'Mend it.', '1 not sent.'],
		],
		[
			'the only one, which may have been sent',
			[problem('unknown')],
			`${WORDS.unknown[0]}: INV-1. It is unknown`,
			['unknown: INV-1', 'Mend it.', '1 unknown.'],
		],
		[
			'one item of several',
			[done, problem('rejected'), undefined],
			'Item 2: It is rejected',
			[
				'done: INV-1',
				'rejected: INV-2',
				`Item 2: Rejected: ${paymentOf(2)} It is rejected. Mend it.`,
				'1 done, 1 rejected, 1 not reached.',
			],
		],
		[
			'first what may have been sent, each with its trace',
			[
				problem('not_sent', { traceId: 't-1' }),
				done,
				problem('unknown', { status: 409, code: 'X', traceId: 't-3' }),
			],
			`${WORDS.unknown[0]}: INV-3. Items 1 and 3 failed. Item 3: It is unknown`,
			[
				'done: INV-2',
				'unknown: INV-3',
				'not sent: INV-1',
				`Item 3: ${WORDS.unknown[0]}: ${paymentOf(3)} It is unknown. Mend it. Code: X · Trace ID: t-3.`,
				`Item 1: Not sent: ${paymentOf(1)} It is not_sent. Mend it. Trace ID: t-1.`,
				'1 done, 1 unknown, 1 not sent.',
			],
		],
		[
			'what all items share',
			many(3),
			'It is not_sent',
			['not sent: INV-1, INV-2 and INV-3', 'Mend it.', '3 not sent.'],
		],
		[
			'at most 100 of each',
			[...many(2), ...many(102, 'unknown')],
			`${WORDS.unknown[0]}: ${named(upTo(100))} and 2 more. ` +
				`Items ${listOf([...upTo(100).map(String), '4 more'])} failed. Item 3: It is unknown`,
			[
				`unknown: ${named(upTo(100))} and 2 more`,
				'not sent: INV-1 and INV-2',
				...upTo(100).map(
					(at) =>
						`Item ${at + 2}: ${WORDS.unknown[0]}: ${paymentOf(at + 2)} It is unknown. Mend it.`,
				),
				'102 unknown, 2 not sent.',
			],
		],
		[
			'the facts of a reply',
			[
				problem('rejected', {
					status: 400,
					code: 'VAL',
					traceId: 't-9',
					hash: '0xab',
					said: 'a <b> "c"',
				}),
			],
			'It is rejected',
			[
				'rejected: INV-1',
				'Mend it.',
				'The service replied: "a ‹b> "c""',
				'Code: VAL · Trace ID: t-9 · Transaction hash: 0xab',
				'1 rejected.',
			],
		],
	],
)('the error names %s', async (_name, results, message, description) => {
	expect((await reported(results)).error).toEqual({ message, description });
});

it('an agent reads all in the message, without a code of the network, which n8n would replace by its own text', async () => {
	const { error } = await reported([problem('unknown', { code: 'ECONNRESET' })], {
		isTool: true,
	});
	expect(error?.message).toBe(
		`${WORDS.unknown[0]}: INV-1. It is unknown. unknown: INV-1. Mend it. 1 unknown.`,
	);
});

it('the error has the status, and no request, which may hold images', async () => {
	const { thrown } = await reported([problem('rejected', { status: 412, code: 'VAL' })]);
	expect(thrown).toMatchObject({ httpCode: '412' });
	expect(JSON.stringify(thrown)).not.toContain('acc-1');
	// n8n would replace a message with such a word.
	const { error } = await reported([
		failed(new Problem('ECONNRESET', 'Mend it.', 'unknown', { code: 'ECONNRESET' })),
	]);
	expect(error?.message).toBe(`${WORDS.unknown[0]}: INV-1. ECONNRESET`);
});

it('a failed transfer shows the status and hash of the reply, and its description is plain text', async () => {
	// A gateway gives no code.
	const facts = { hash: '0xab', status: 502 };
	const ended = await reported([problem('unknown', facts)], { continueOnFail: true });
	const description = 'Mend it.\nTransaction hash: 0xab';
	const shown = { transaction_hash: '0xab', payment_reference: 'INV-1', description };
	expect(ended.items).toMatchObject([{ ...shown, http_status: 502, code: null }]);
});

it('custom data has what the first item is about', async () => {
	expect((await reported([done])).custom).toEqual({ payment_reference: 'INV-1', trace_id: 't-1' });
	expect((await reported([problem('unknown', { traceId: 't-2' })])).custom).toMatchObject({
		trace_id: 't-2',
	});
});
