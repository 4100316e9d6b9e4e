import { parse } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import { eventName, EVENTS, sampleOf } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { isObject } from '../../../../nodes/shared/isObject.ts';
import { sampleEvent } from '../../../simulator/index.mts';

/** `fees.atm_fees` and so on: the fields that hold no others. */
const pathsOf = (data: object): string[] =>
	Object.entries(data).flatMap(([name, value]) =>
		isObject(value) ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
	);

describe('sample of each event', () => {
	it.each(EVENTS.map((event) => [eventName(event), event] as const))(
		'%s has the documented form and all of its fields (§6.5)',
		(name, event) => {
			const sample = sampleOf(event, 'sample-1', new Date(Date.UTC(2026, 10, 21, 10)));
			expect(parse(structuredClone(sample))).toMatchObject({ ok: true, issues: [] });
			expect(eventName(sample)).toBe(name);
			const isCard = name === 'cards.card_blocked_by_velocity';
			expect(sample.operation_id).toBe(isCard ? Reflect.get(sample.data, 'card_id') : 'sample-1');
			const optional = ['reason'];
			expect(pathsOf(sample.data)).toEqual(
				expect.arrayContaining(
					pathsOf(sampleEvent(name).data).filter((field) => !optional.includes(field)),
				),
			);
		},
	);
});
