import { listOf } from '../../shared/plainLine';
import { SERVICE_RATE } from '../../shared/serviceRate';
import type { Hint } from '../operations/operation';
import type { ItemOutcome } from '../operations/work';
import type { Outcome } from '../request/errors';
import type { Batch, EndedRow } from './batch';
import { nameOf, outcomeOf, OUTCOMES, whatBecameOf } from './outcome';

/** Explanation, because the number of the item in n8n's headline is one less. */
const COUNTED_FROM_1 = "(Items are counted from 1, in n8n's headline from 0.)";

/**
 * Report on all items after a failed item has ended the run, one line per outcome.
 * @returns undefined if there is nothing to add
 */
export function accountOf(
	rows: EndedRow[],
	batch: Pick<Batch, 'notes' | 'operation'>,
): string | undefined {
	if (rows.length < 2) return undefined;
	if (batch.operation.effect === 'read') {
		const others = rows.filter(({ result }) => result.kind !== 'failed').length;
		if (others === 0) return undefined;
		return others === 1
			? '\nThe other item was not returned. Settings → On Error → Continue returns it.'
			: `\nThe other ${others} items were not returned. Settings → On Error → Continue returns them.`;
	}
	if (rows.every(({ result }) => result.outcome === 'not_sent')) {
		const unsent = rows.some(({ result }) => result.kind === 'unsent');
		const advice = unsent ? ['Settings → On Error → Continue sends the others.'] : [];
		const said = `Nothing was sent for any of the ${rows.length} items.`;
		return `\n${[said, COUNTED_FROM_1, ...advice].join('\n')}`;
	}
	const lines = OUTCOMES.flatMap((outcome) => {
		const items = rows.flatMap(({ result, index }) =>
			result.outcome === outcome ? [index + 1] : [],
		);
		return items.length === 0 ? [] : [whatBecameOf(asRanges(items), items.length, outcome)];
	});
	return `\n${[...lines, COUNTED_FROM_1, ...nextStep(rows, batch)].join('\n')}`;
}

/** Advice on the next step. Empty if nothing can have been executed. */
function nextStep(
	rows: EndedRow[],
	{ notes, operation: { effect, movesMoney } }: Pick<Batch, 'notes' | 'operation'>,
): string[] {
	const some = (outcome: Outcome) => rows.some(({ result }) => result.outcome === outcome);
	if (!some('accepted') && !some('unknown') && !some('failed')) return [];
	// Running it again would send nothing.
	if (!some('accepted') && !some('rejected') && !some('not_sent')) return [];
	const isPaid = movesMoney || rows.every(({ work }) => work?.payment !== undefined);
	if (isPaid && notes) {
		const renew = some('failed') ? ', give what FAILED a new reference,' : '';
		return [`Correct the cause${renew} and run it again: what was accepted is not sent twice.`];
	}
	const isSetting = effect === 'keyed write' && !isPaid;
	if (isSetting) return ['Correct the cause and run it again: each item sets its value once more.'];
	const retry = some('accepted')
		? 'Retrying this execution does not repeat the accepted items. '
		: '';
	return [
		`${retry}In a new execution, leave out the items that were accepted or may have been executed.`,
	];
}

/** Item numbers as ranges, e.g. "Items 1 to 12 and 14". */
function asRanges(items: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const item of items) {
		const last = ranges.at(-1);
		if (last && last[1] === item - 1) last[1] = item;
		else ranges.push([item, item]);
	}
	const shown = ranges
		.slice(0, 20)
		.flatMap(([from, to]) =>
			to - from > 1 ? [`${from} to ${to}`] : [...new Set([`${from}`, `${to}`])],
		);
	if (ranges.length > 20) shown.push('more');
	return `${items.length === 1 ? 'Item' : 'Items'} ${listOf(shown)}`;
}

/**
 * Hints for the user after the run.
 * @param total of a dry run
 */
export function hintsOf(
	rows: EndedRow[],
	{ operation }: Pick<Batch, 'operation'>,
	total?: string,
): Hint[] {
	const hints: Hint[] = [];
	const done = rows.flatMap(({ result, work }) =>
		result.kind === 'done' ? [{ items: result.items, asked: work?.subject ?? {} }] : [],
	);
	const count = (...outcomes: ItemOutcome[]) =>
		rows.filter((row) => outcomes.includes(outcomeOf(row)!)).length;
	const dry = count('dry_run');
	if (dry > 0) {
		const [of, them] =
			dry < rows.length ? [` of ${dry} of ${rows.length} items`, ' for them'] : ['', ''];
		const sum = dry > 1 && total !== undefined ? ` Together: ${total}.` : '';
		hints.push({
			message: `Dry run${of}: the requests are shown and nothing was sent${them}.${sum}`,
		});
	}
	hints.push(...unsentHint(rows, operation));
	const before = rows.filter(
		(row) => row.result.attempts === 0 && outcomeOf(row) === 'already_sent',
	).length;
	if (before > 0) {
		const [which, them] =
			before === 1 ? ['1 item was', 'it'] : [`${before} of ${rows.length} items were`, 'them'];
		hints.push({
			message: `${which} accepted in an earlier execution, so nothing was sent. Already sent means accepted, not paid: take the result from the event or from that execution, and do not send ${them} again.`,
			type: 'warning',
		});
	}
	hints.push(
		...operation.hints(
			done.map(({ items }) => items),
			done.map(({ asked }) => asked),
		),
	);
	const unmatched = rows.flatMap(({ result }) =>
		result.kind === 'done' && result.unmatched !== undefined ? [result.unmatched] : [],
	);
	const different = [...new Set(unmatched)];
	hints.push(...different.slice(0, MOST_UNMATCHED).map((message) => ({ message })));
	if (different.length > MOST_UNMATCHED)
		hints.push({ message: `The same holds for ${different.length - MOST_UNMATCHED} other items.` });
	// Retries and rate share one hint, because each hint takes up room in the output panel.
	const attempts = rows.map(({ result }) => result.attempts);
	const retried = attempts.filter((count) => count > 1).length;
	const sent = attempts.reduce((total, count) => total + count, 0);
	const effort = [
		retried > 0 && `${retried} of ${rows.length} items needed more than one attempt.`,
		sent > SERVICE_RATE &&
			`${sent} requests were sent, at most ${SERVICE_RATE} per second: that is the service's limit.`,
	].filter(Boolean);
	if (effort.length > 0) hints.push({ message: effort.join(' ') });
	return hints;
}

/** Longest list of items that a hint names. */
const NAMED = 10;

/** Most hints on items whose filters match nothing, or of which the reply does not say all. */
const MOST_UNMATCHED = 3;

/** Counts and names what was not sent, or not executed, among items that were. */
function unsentHint(rows: EndedRow[], { effect }: Batch['operation']): Hint[] {
	if (effect === 'read') return [];
	const unsent = rows.filter(
		({ result }) =>
			result.kind !== 'done' && (result.outcome === 'not_sent' || result.outcome === 'rejected'),
	);
	if (unsent.length === 0) return [];
	const names = unsent.slice(0, NAMED).map(nameOf);
	if (unsent.length > NAMED) names.push(`${unsent.length - NAMED} more`);
	const were = unsent.length === 1 ? 'was' : 'were';
	// An item that the run did not reach has no output.
	const why = unsent.every(({ result }) => result.kind === 'failed')
		? ' Read why in the summary.'
		: '';
	return [
		{
			message: `${unsent.length} of ${rows.length} ${were} not sent: ${listOf(names)}.${why}`,
			type: 'warning',
		},
	];
}

/** Custom data by which users find the execution: IDs and reference of the first item, and the latest trace ID. */
export function businessKeysOf(rows: EndedRow[]): Record<string, unknown> {
	const first = rows.find(({ work }) => work)?.work;
	const traceIds = rows.map(({ result }) => {
		if (result.kind === 'done') return result.traceId;
		return result.kind === 'failed' && result.failure.kind === 'request failure'
			? result.failure.traceId
			: undefined;
	});
	return {
		...first?.ids,
		payment_reference: first?.payment?.shown,
		trace_id: traceIds.reverse().find((traceId) => typeof traceId === 'string'),
	};
}
