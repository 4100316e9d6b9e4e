import type { Execution } from '../../../../nodes/CardTreasury/run/execution.ts';
import { report } from '../../../../nodes/CardTreasury/run/report.ts';
import { failed, type Result } from '../../../../nodes/CardTreasury/run/result.ts';
import {
	Problem,
	type Facts,
	type FailedOutcome,
	type GoodOutcome,
} from '../../../../nodes/shared/problem.ts';
import { listOf } from '../../../../nodes/shared/text.ts';
import { upTo } from '../../../harness/fixtures.mts';
import { hostOf } from '../../reading.mts';
import { executionOf, prepared, transfer, valuesOf } from './items.mts';

const problem = (outcome: FailedOutcome = 'not_sent', facts: Facts = {}) =>
	failed(new Problem(`It is ${outcome}`, 'Mend it.', outcome, facts));
const done: Result = { outcome: 'done', items: [{ trace_id: 't-1' }] };

/** Results with these outcomes, such as `done unknown -`: the last one was not reached. */
const ended = (outcomes: string): Array<Result | undefined> =>
	outcomes.split(' ').map((outcome) => {
		if (outcome === '-') return undefined;
		if (!/done|pending|already_sent/.test(outcome)) return problem(outcome as FailedOutcome);
		return { ...done, outcome: outcome as GoodOutcome };
	});

/** Report of payments with these results. Undefined for those that were not reached. */
async function reported(results: Array<Result | undefined>, more: Partial<Execution> = {}) {
	const items = prepared(results.map((_, at) => valuesOf(`${at + 1}`, `INV-${at + 1}`)));
	items.forEach((item, at) => (item.result = results[at]));
	const hints: string[] = [];
	const addExecutionHints = ({ message }: { message: string }) => hints.push(message);
	const { n8n, customData: custom } = hostOf({}, {}, { addExecutionHints });
	const output = await report(executionOf({ n8n, ...more }), transfer, items).catch(
		(thrown: unknown) => thrown as Error & { description: string; httpCode?: string },
	);
	const thrown = output instanceof Error ? output : undefined;
	const { message, description = '' } = thrown ?? {};
	return {
		error: { message, description: description.split('<br>') },
		thrown,
		items: Array.isArray(output) ? output.map(({ json }) => json) : [],
		hints,
		custom,
	};
}

it.each<[outcomes: string, hints: string[]]>([
	['done done', []],
	['done pending', ['1 done, 1 pending.']],
	[
		'- unknown done failed rejected not_sent already_sent',
		['1 done, 1 already sent, 1 failed, 1 rejected, 1 unknown, 1 not sent, 1 not reached.'],
	],
])('the hint counts a run with the outcomes %s', async (outcomes, hints) => {
	// After Stop too, because n8n would discard the items of a run that throws.
	for (const more of [{ continueOnFail: true }, { isStopped: () => true }]) {
		const shown = await reported(ended(outcomes), more);
		expect(shown.hints).toEqual(hints);
		const reached = shown.items.map(({ outcome }) => outcome);
		expect(reached.join(' ')).toBe(outcomes.replace('- ', ''));
	}
});

const MANY = ['not_sent not_sent', ...Array<string>(102).fill('unknown')].join(' ');
const MEND = 'Mend it.';
const MAY_BE_SENT = 'May have been sent';
const named = (numbers: number[]) => numbers.map((at) => `INV-${at + 2}`).join(', ');

const paymentOf = (number: number) =>
	`${number} of the native coin from w-1 to 0x5aAe…eAed, reference INV-${number}.`;

const SAID = { code: 'VAL', traceId: 't-9', hash: '0xab', said: 'a <b> "c"' };
const TRACED = [
	...[problem('not_sent', { traceId: 't-1' }), done],
	problem('unknown', { status: 409, code: 'X', traceId: 't-3' }),
];

type Row = [string, ReturnType<typeof ended>, message: string, description: string[]];
it.each<Row>([
	['one of one', ended('not_sent'), 'It is not_sent', ['not sent: INV-1', MEND, '1 not sent.']],
	[
		'the only one, which may have been sent',
		ended('unknown'),
		`${MAY_BE_SENT}: INV-1. It is unknown`,
		['unknown: INV-1', MEND, '1 unknown.'],
	],
	[
		'each that may have been sent, for one reason',
		ended('unknown unknown'),
		`${MAY_BE_SENT}: INV-1 and INV-2. Items 1 and 2 failed. Item 1: It is unknown`,
		[
			'unknown: INV-1 and INV-2',
			...[1, 2].map((at) => `Item ${at}: ${MAY_BE_SENT}: ${paymentOf(at)} It is unknown. ${MEND}`),
			'2 unknown.',
		],
	],
	[
		'one item of several',
		ended('done rejected -'),
		'Item 2: It is rejected',
		[
			...['done: INV-1', 'rejected: INV-2'],
			`Item 2: Rejected: ${paymentOf(2)} It is rejected. ${MEND}`,
			'1 done, 1 rejected, 1 not reached.',
		],
	],
	[
		'first what may have been sent, each with its trace',
		TRACED,
		`${MAY_BE_SENT}: INV-3. Items 1 and 3 failed. Item 3: It is unknown`,
		[
			...['done: INV-2', 'unknown: INV-3', 'not sent: INV-1'],
			`Item 3: ${MAY_BE_SENT}: ${paymentOf(3)} It is unknown. ${MEND} Code: X · Trace ID: t-3.`,
			`Item 1: Not sent: ${paymentOf(1)} It is not_sent. ${MEND} Trace ID: t-1.`,
			'1 done, 1 unknown, 1 not sent.',
		],
	],
	[
		'what all items share',
		ended('not_sent not_sent not_sent'),
		'It is not_sent',
		['not sent: INV-1, INV-2 and INV-3', MEND, '3 not sent.'],
	],
	[
		'at most 100 of each',
		ended(MANY),
		`${MAY_BE_SENT}: ${named(upTo(100))} and 2 more. ` +
			`Items ${listOf([...upTo(100).map(String), '4 more'])} failed. Item 3: It is unknown`,
		[
			...[`unknown: ${named(upTo(100))} and 2 more`, 'not sent: INV-1 and INV-2'],
			...upTo(102)
				.slice(2)
				.map((at) => `Item ${at}: ${MAY_BE_SENT}: ${paymentOf(at)} It is unknown. ${MEND}`),
			'102 unknown, 2 not sent.',
		],
	],
	[
		'the facts of a reply',
		[problem('rejected', { status: 400, ...SAID })],
		'It is rejected',
		[
			...['rejected: INV-1', MEND, 'The service replied: "a ‹b> "c""'],
			...['Code: VAL · Trace ID: t-9 · Transaction hash: 0xab', '1 rejected.'],
		],
	],
])('the error names %s', async (_name, results, message, description) => {
	expect((await reported(results)).error).toEqual({ message, description });
});

it('an agent reads all in the message, without a code of the network, which n8n would replace by its own text', async () => {
	const reset = problem('unknown', { code: 'ECONNRESET' });
	const { error } = await reported([reset], { isTool: true });
	expect(error.message).toBe(
		`${MAY_BE_SENT}: INV-1. It is unknown. unknown: INV-1. Mend it. 1 unknown.`,
	);
});

it('the error has the status, and no request, which may hold images', async () => {
	const { thrown } = await reported([problem('rejected', { status: 412, code: 'VAL' })]);
	expect(thrown).toMatchObject({ httpCode: '412' });
	expect(JSON.stringify(thrown)).not.toContain('acc-1');
	// n8n would replace a message with such a word.
	const reset = new Problem('ECONNRESET', MEND, 'unknown', { code: 'ECONNRESET' });
	const { error } = await reported([failed(reset)]);
	expect(error.message).toBe(`${MAY_BE_SENT}: INV-1. ECONNRESET`);
});

it('a failed transfer shows the status and hash of the reply, and its description is plain text', async () => {
	// A gateway gives no code.
	const facts = { hash: '0xab', status: 502 };
	const { items } = await reported([problem('unknown', facts)], { continueOnFail: true });
	const description = 'Mend it.\nTransaction hash: 0xab';
	const shown = { transaction_hash: '0xab', payment_reference: 'INV-1', description };
	expect(items).toMatchObject([{ ...shown, http_status: 502, code: null }]);
});

it('custom data has what the first item is about', async () => {
	expect((await reported([done])).custom).toEqual({ payment_reference: 'INV-1', trace_id: 't-1' });
	const unknown = await reported([problem('unknown', { traceId: 't-2' })]);
	expect(unknown.custom).toMatchObject({ trace_id: 't-2' });
});
