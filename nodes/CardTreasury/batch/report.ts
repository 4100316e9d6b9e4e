import { InvalidFieldError, type Failure, type Outcome } from '../errors';
import type { Hint } from '../operation';
import { SERVICE_RATE } from '../request';
import { outcomeOf, recordOf, type Batch, type Row } from './batch';

/** What became of an item that is refused, in words. What a request failed of says it itself. */
const SAID: Record<Outcome, string> = {
	accepted: 'An earlier try of this execution was accepted, and it is not sent again.',
	rejected: 'An earlier try of this execution was rejected.',
	unknown: 'An earlier try of this execution may have been executed.',
	not_sent: 'Nothing was sent.',
};

/** What to do about a failed item, and what became of it where the failure does not say so. */
export function adviceOf(failure: Failure, outcome: Outcome): string {
	if (!(failure instanceof InvalidFieldError)) return failure.fix;
	return `${failure.fix} ${SAID[outcome]}`;
}

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
 * counted from 0, as n8n counts them. Empty for reads and for a single item.
 */
export function describeBatch(rows: Row[], batch: Batch): string {
	if (batch.operation.effect === 'read' || rows.length < 2) return '';
	const outcomes = rows.map((row) => outcomeOf(row, batch));
	if (outcomes.every((outcome) => outcome === 'not_sent')) {
		return `\nNothing was sent for any of the ${rows.length} items.\n${COUNTED_FROM_0}`;
	}
	const lines = LINES.flatMap(([outcome, line]) => {
		const places = outcomes.flatMap((found, index) => (found === outcome ? [index] : []));
		return places.length === 0
			? []
			: [line(asRanges(places), places.length === 1 ? 'was' : 'were')];
	});
	return `\n${[...lines, COUNTED_FROM_0, ...nextStep(rows, outcomes, batch)].join('\n')}`;
}

/** None while nothing can have been executed. */
function nextStep(rows: Row[], outcomes: Outcome[], batch: Batch): string[] {
	const accepted = outcomes.includes('accepted');
	const unknown = outcomes.includes('unknown');
	if (!accepted && !unknown) return [];
	const hasKeptKey = (row: Row) =>
		row.work?.recovery === 'own key' &&
		row.work.profile.effect === 'keyed write' &&
		(recordOf(row, batch) ?? row.work).key === row.work.key;
	const elsewhere = rows.some(({ sentElsewhere }) => sentElsewhere);
	if (!elsewhere && rows.every(hasKeptKey)) {
		return [
			'Items may be sent again with the same Idempotency Key: the service executes each only once, as long as it remembers the key.',
		];
	}
	const begun = [
		...(accepted ? ['the accepted items'] : []),
		...(unknown ? ['the items that may have been executed'] : []),
	].join(' and ');
	if (batch.recovery !== 'retry' || elsewhere) {
		return [`A new execution would send all of them again: leave out ${begun}.`];
	}
	const retry = accepted ? 'Retrying this execution does not repeat the accepted items. ' : '';
	return [`${retry}In a new execution, leave out ${begun}.`];
}

/** Item numbers in short, e.g. "Items 0 to 11 and 13". */
function asRanges(places: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const place of places) {
		const last = ranges.at(-1);
		if (last && last[1] === place - 1) last[1] = place;
		else ranges.push([place, place]);
	}
	const shown = ranges
		.slice(0, 20)
		.flatMap(([from, to]) =>
			to - from > 1 ? [`${from} to ${to}`] : from === to ? [`${from}`] : [`${from}`, `${to}`],
		);
	const more = ranges.length > 20 ? ' and more' : '';
	const last = shown.pop() ?? '';
	const list = shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
	return `${places.length === 1 ? 'Item' : 'Items'} ${list}${more}`;
}

/** What is worth knowing after the run. */
export function batchHints(rows: Row[], { operation }: Pick<Batch, 'operation'>): Hint[] {
	const hints: Hint[] = [];
	const json = rows.flatMap(({ result }) =>
		result?.kind === 'done' ? [result.items.map((item) => item.json)] : [],
	);
	if (json.flat().some(({ dry_run: dryRun }) => dryRun === true)) {
		hints.push({ message: 'Dry run: the requests are shown and nothing was sent.' });
	}
	const unsent = rows.filter(({ result }) => result === undefined).length;
	if (unsent > 0) {
		const message = `${unsent} of ${rows.length} items ${unsent === 1 ? 'was' : 'were'} not sent.`;
		hints.push({ message, warning: true });
	}
	hints.push(...operation.hints(json));
	const effort = describeEffort(rows);
	if (effort !== '') hints.push({ message: effort });
	return hints;
}

/** What the run took, in one hint: each takes room in the output panel. */
function describeEffort(rows: Row[]): string {
	const attempts = rows.map(({ result }) => result?.attempts ?? 0);
	const retried = attempts.filter((count) => count > 1).length;
	const sent = attempts.reduce((total, count) => total + count, 0);
	const facts: string[] = [];
	if (retried > 0) facts.push(`${retried} of ${rows.length} items needed more than one attempt.`);
	if (sent > SERVICE_RATE)
		facts.push(
			`${sent} requests were sent, at most ${SERVICE_RATE} per second: that is the service's limit.`,
		);
	return facts.join(' ');
}

/** What the execution can be found by: the IDs of its first item, and the latest trace ID. */
export function businessKeys(rows: Row[]): Record<string, unknown> {
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
