import fc from 'fast-check';
import lodash from 'lodash';

import { parse } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import { eventDepartures } from '../../../simulator/description.mts';
import { EVENT_NAMES, sampleEvent, type EventEnvelope } from '../../../simulator/index.mts';

/** Values of all kinds that the description has, and values near to them. Undefined: the field is missing. */
const VALUES = [
	...[undefined, null, true, 0, 7, -1, 1.5, [], ['x'], {}, { address: '0x1' }],
	...['', 'x', 'X', 'polygon', 'Polygon', 'tron', '840', '12.50', '-0.5', '1,5', '1e3', '.5'],
	...['pending', 'success', 'failed', 'canceled', 'rejected', 'SUCCESS', 'cards', 'treasury'],
	...['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.123+00:00', '2026-11-21T10:00:00+02:00'],
	...['2026-11-21T10:00:00', '21/11/2026', '2026-13-01T10:00:00Z', '1764150000000'],
	...[
		'2026-02-29T10:00:00Z',
		'2028-02-29T10:00:00Z',
		'2026-04-31T00:00:00Z',
		'2026-01-31T24:00:00Z',
	],
	...['ca4d0000-0000-4000-8000-000000000001', 'CA4D0000-0000-4000-8000-000000000001'],
];

/** Any JSON. The trigger names a key `__proto__` for a reason of its own. */
const jsonValue = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'));

/** Fields that only some events of a kind have, and a field that the document does not name. */
const SOMETIMES = [['company_id'], ['data', 'signature'], ['data', 'reason'], ['data', 'more']];

const pathsIn = (value: object): string[][] =>
	Object.entries(value).flatMap(([name, child]) => [
		[name],
		...(lodash.isPlainObject(child) ? pathsIn(child as object).map((path) => [name, ...path]) : []),
	]);

/** Paths of the fields, except those by which the event is found in the description. */
const pathsOf = (name: string) =>
	lodash
		.uniqWith([...pathsIn(sampleEvent(name)), ...SOMETIMES], lodash.isEqual)
		.filter(([field]) => field !== 'product' && field !== 'event_type');

function changed(event: EventEnvelope, path: string[], value: unknown): EventEnvelope {
	const copy = structuredClone(event);
	if (value === undefined) lodash.unset(copy, path);
	else lodash.set(copy, path, structuredClone(value));
	return copy;
}

/** Departures that the document shows, and those that the trigger names. */
function judged(event: EventEnvelope) {
	const parsed = parse(structuredClone(event));
	return {
		shown: eventDepartures(event, 'shown'),
		named: parsed.ok ? parsed.issues : [parsed.message],
	};
}

describe('the description and the trigger', () => {
	it.each(EVENT_NAMES)('agree on %s with any field missing or of any kind', (name) => {
		const wrong = pathsOf(name).flatMap((path) =>
			VALUES.flatMap((value) => {
				const { shown, named } = judged(changed(sampleEvent(name), path, value));
				const agrees = shown.length > 0 === named.length > 0;
				return agrees ? [] : [{ path: path.join('.'), value, shown, named }];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it.each(EVENT_NAMES)('agree on %s with several changes', (name) => {
		const change = fc.tuple(
			fc.constantFrom(...pathsOf(name)),
			fc.oneof(fc.constantFrom(...VALUES), jsonValue),
		);
		let valid = 0;
		fc.assert(
			fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
				const event = changes.reduce(
					(before, [path, value]) => changed(before, path, value),
					sampleEvent(name),
				);
				const { shown, named } = judged(event);
				if (shown.length === 0) valid++;
				expect({ shown, isNamed: named.length > 0 }).toEqual({ shown, isNamed: shown.length > 0 });
			}),
			// Of some events, few changes are valid: with 100 runs, the count below once was 2 by chance.
			{ numRuns: 500 },
		);
		expect(valid).toBeGreaterThan(5);
	});

	it.each(EVENT_NAMES)('the trigger names the field of %s that departs', (name) => {
		for (const path of pathsOf(name)) {
			const event = changed(sampleEvent(name), path, ['of another type']);
			const { shown, named } = judged(event);
			if (shown.length > 0) expect(named.join()).toContain(path.at(-1));
		}
	});
});
