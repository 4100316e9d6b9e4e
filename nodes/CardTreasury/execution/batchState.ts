import type { Effect } from '../operation';
import type { Repetition } from '../request/refusal';

/** How an item of a batch stands that was broken off. */
export type ItemState = 'carried out' | 'may have been carried out' | 'refused' | 'not sent';

/**
 * What became of the other items when one has ended the run, for whoever has to go on from there.
 * Empty for reads and for a single item.
 */
export function stateOfBatch(items: ItemState[], effect: Effect, repetition: Repetition): string {
	if (effect === 'read' || items.length < 2) return '';
	const named = (['carried out', 'may have been carried out', 'not sent'] as const).flatMap(
		(state) => {
			const places = items.flatMap((item, index) => (item === state ? [index] : []));
			return places.length === 0
				? []
				: [`${state.charAt(0).toUpperCase()}${state.slice(1)}: ${asRanges(places)}.`];
		},
	);
	const begun = items.some(
		(item) => item === 'carried out' || item === 'may have been carried out',
	);
	return `\n${[`Of ${items.length} items:`, ...named, ...(begun ? [goingOn(effect, repetition)] : [])].join(' ')}`;
}

function goingOn(effect: Effect, repetition: Repetition): string {
	if (effect === 'unkeyed write')
		return 'A retry sends all of them again: send only the rest, in a new execution.';
	switch (repetition) {
		case 'own key':
			return 'Whatever is sent again with the same Idempotency Key does not happen twice.';
		case 'copied key':
			return 'Another execution would do all of them again: send only the rest.';
		default:
			return 'A retry of this execution does none of them twice. A new execution would: leave out those that were carried out.';
	}
}

/** Item numbers in short, e.g. "items 0–11, 13". */
function asRanges(places: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const place of places) {
		const last = ranges.at(-1);
		if (last && last[1] === place - 1) last[1] = place;
		else ranges.push([place, place]);
	}
	const shown = ranges
		.slice(0, 20)
		.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
	const more = ranges.length > 20 ? ' and more' : '';
	return `${places.length === 1 ? 'item' : 'items'} ${shown.join(', ')}${more}`;
}
