import { SERVICE_RATE } from '../../shared/statuses';
import type { Hint } from '../operations/operation';
import type { Outcome } from '../request/errors';
import type { RecoveryPath } from '../request/request';
import type { Batch, EndedRow } from './batch';

/** n8n puts an item number into the headline, which a newcomer counts from 1. */
const COUNTED_FROM_0 = '(n8n counts items from 0.)';

const LINES: Array<[Outcome, (items: string, was: string) => string]> = [
	['accepted', (items, was) => `${items} ${was} accepted.`],
	['rejected', (items, was) => `${items} ${was} rejected.`],
	['unknown', (items) => `${items} may have been executed.`],
	['not_sent', (items, was) => `${items} ${was} not sent.`],
];

/**
 * What became of each item when one has ended the run, for whoever has to go on from there: a line per outcome. Items are
 * counted from 0, as n8n counts them. Of reads and of a single item there is nothing to tell.
 */
export function accountOf(
	rows: EndedRow[],
	{ operation, recovery }: Pick<Batch, 'operation' | 'recovery'>,
): string | undefined {
	if (operation.effect === 'read' || rows.length < 2) return undefined;
	if (rows.every(({ outcome }) => outcome === 'not_sent')) {
		return `\nNothing was sent for any of the ${rows.length} items.\n${COUNTED_FROM_0}`;
	}
	const lines = LINES.flatMap(([outcome, line]) => {
		const items = rows.flatMap((row) => (row.outcome === outcome ? [row.index] : []));
		return items.length === 0 ? [] : [line(asRanges(items), items.length === 1 ? 'was' : 'were')];
	});
	return `\n${[...lines, COUNTED_FROM_0, ...nextStep(rows, recovery)].join('\n')}`;
}

/** None while nothing can have been executed. */
function nextStep(rows: EndedRow[], recovery: RecoveryPath): string[] {
	const accepted = rows.some(({ outcome }) => outcome === 'accepted');
	const unknown = rows.some(({ outcome }) => outcome === 'unknown');
	if (!accepted && !unknown) return [];
	const hasKeptKey = ({ work, record }: EndedRow) =>
		work?.profile.recovery === 'own key' &&
		work.profile.effect === 'keyed write' &&
		(record ?? work).key === work.key;
	const byOther = rows.some(({ sentByOther }) => sentByOther);
	if (!byOther && rows.every(hasKeptKey)) {
		return [
			'Items may be sent again with the same Idempotency Key: the service executes each only once, as long as it remembers the key.',
		];
	}
	const begun = [
		accepted && 'the accepted items',
		unknown && 'the items that may have been executed',
	]
		.filter(Boolean)
		.join(' and ');
	if (recovery !== 'retry' || byOther) {
		return [`A new execution would send all of them again: leave out ${begun}.`];
	}
	const retry = accepted ? 'Retrying this execution does not repeat the accepted items. ' : '';
	return [`${retry}In a new execution, leave out ${begun}.`];
}

/** Item numbers in short, e.g. "Items 0 to 11 and 13". */
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
	return `${items.length === 1 ? 'Item' : 'Items'} ${LIST.format(shown)}`;
}

const LIST = new Intl.ListFormat('en-GB');

/** What is worth knowing after the run. */
export function hintsOf(rows: EndedRow[], { operation }: Pick<Batch, 'operation'>): Hint[] {
	const hints: Hint[] = [];
	const items = rows.flatMap(({ result }) => (result?.kind === 'done' ? [result.items] : []));
	const dry = items.filter(([item]) => item?.dry_run === true).length;
	if (dry > 0) {
		const [of, them] =
			dry < rows.length ? [` of ${dry} of ${rows.length} items`, ' for them'] : ['', ''];
		hints.push({ message: `Dry run${of}: the requests are shown and nothing was sent${them}.` });
	}
	const unsent = rows.filter(({ result, outcome }) => !result && outcome === 'not_sent').length;
	if (unsent > 0) {
		hints.push({ message: `Items not sent: ${unsent} of ${rows.length}.`, type: 'warning' });
	}
	hints.push(...operation.hints(items));
	// What the run took, in one hint: each takes room in the output panel.
	const attempts = rows.map(({ result }) => result?.attempts ?? 0);
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

/** What the execution can be found by: the IDs of its first item, and the latest trace ID. */
export function businessKeysOf(rows: EndedRow[]): Record<string, unknown> {
	const traceIds = rows.map(({ result }) =>
		result?.kind === 'done'
			? result.traceId
			: result?.failure.kind === 'request failure'
				? result.failure.traceId
				: undefined,
	);
	return {
		...rows.find(({ work }) => work)?.work?.ids,
		trace_id: traceIds.reverse().find((traceId) => typeof traceId === 'string'),
	};
}
