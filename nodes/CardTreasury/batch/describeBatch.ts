import type { Effect, RecoveryPath } from '../request';
import type { ItemResult } from './batch';

/** n8n puts an item number into the headline, which a newcomer counts from 1. */
const COUNTED_FROM_0 = '(n8n counts items from 0.)';

type State = 'accepted' | 'may have been executed' | 'rejected' | 'not sent';

/**
 * What became of each item when one has ended the run, for whoever has to go on from there: a line per state. Items are
 * counted from 0, as n8n counts them. Empty for reads and for a single item.
 */
export function describeBatch(
	results: Array<ItemResult<unknown>>,
	effect: Effect,
	recovery: RecoveryPath,
): string {
	if (effect === 'read' || results.length < 2) return '';
	const states = results.map(stateOf);
	if (states.every((state) => state === 'not sent')) {
		return `\nNothing was sent for any of the ${results.length} items.\n${COUNTED_FROM_0}`;
	}
	const lines = (['accepted', 'rejected', 'may have been executed', 'not sent'] as const).flatMap(
		(state) => {
			const places = states.flatMap((found, index) => (found === state ? [index] : []));
			if (places.length === 0) return [];
			const was = places.length === 1 ? 'was' : 'were';
			return [
				`${asRanges(places)} ${state === 'may have been executed' ? state : `${was} ${state}`}.`,
			];
		},
	);
	const next = nextStep(states, effect, recovery);
	return `\n${[...lines, COUNTED_FROM_0, ...next].join('\n')}`;
}

function stateOf(result: ItemResult<unknown>): State {
	if (result.kind === 'done') return 'accepted';
	if (result.kind === 'not sent') {
		return result.outcomeUnknown ? 'may have been executed' : 'not sent';
	}
	const { outcome } = result.failure;
	if (outcome === 'not_sent') return 'not sent';
	return outcome === 'rejected' ? 'rejected' : 'may have been executed';
}

/** None while nothing can have been executed. */
function nextStep(states: State[], effect: Effect, recovery: RecoveryPath): string[] {
	const accepted = states.includes('accepted');
	const unknown = states.includes('may have been executed');
	if (!accepted && !unknown) return [];
	if (recovery === 'own key' && effect === 'keyed write') {
		return [
			'Items may be sent again with the same Idempotency Key: the service executes each only once, as long as it remembers the key.',
		];
	}
	const begun = [
		...(accepted ? ['the accepted items'] : []),
		...(unknown ? ['the items that may have been executed'] : []),
	].join(' and ');
	if (recovery !== 'retry') {
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
