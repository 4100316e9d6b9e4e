import { EVENT_NAMES, eventName, EVENTS, IDS, sampleEvent } from './index.mts';
import { DOCUMENTED_EVENTS } from './interfaceDocument.mts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const BLOCKED = 'cards.card_blocked_by_velocity';

describe('events (§6.5)', () => {
	it('the events match the interface document', () => {
		expect([...EVENT_NAMES].sort()).toEqual(Object.keys(DOCUMENTED_EVENTS).sort());
	});

	it.each(Object.entries(DOCUMENTED_EVENTS))(
		'%s has the documented payload, retries and deadline',
		(name, { fields, status, attempts = 10, timeoutMs = 30_000 }) => {
			const event = sampleEvent(name);
			expect(eventName(event)).toBe(name);
			expect(fieldsOf(event.data, fields).sort()).toEqual([...fields].sort());
			expect(status ? [status] : ['success', 'failed']).toContain(event.status);
			expect(EVENTS.find((known) => eventName(known) === name)).toMatchObject({
				attempts,
				timeoutMs,
			});
			for (const [field, value] of leaves(event.data)) {
				if (/amount|fees|exchange_rate/.test(field)) expect(value).toMatch(/^\d+\.\d+$/);
				if (field === 'blockchain') expect(value).toMatch(/^[a-z]+$/);
				if (/_at$|timestamp/.test(field)) expect(value).toMatch(ISO_UTC);
			}
			const next = sampleEvent(name);
			const isOfCard = name === BLOCKED;
			expect(event.operation_id).toMatch(UUID);
			expect(event.operation_id === next.operation_id).toBe(isOfCard);
			expect('company_id' in event).toBe(isOfCard);
		},
	);

	it('card_blocked_by_velocity is identified by its card and names the company twice', () => {
		const event = sampleEvent(BLOCKED, { data: { card_id: IDS.secondActiveCard } });
		expect(event.operation_id).toBe(IDS.secondActiveCard);
		expect([event.company_id, event.data.company_id]).toEqual([IDS.company, IDS.company]);
		expect(sampleEvent(BLOCKED, { operation_id: 'own' }).operation_id).toBe('own');
	});

	it('overrides are merged deeply and leave later samples unchanged', () => {
		const changed = sampleEvent('cards.authorized', {
			status: 'pending',
			data: { fees: { fx_fees: '9.99' }, extra: [1] },
		});
		expect(changed).toMatchObject({
			status: 'pending',
			data: { fees: { atm_fees: '0.00', fx_fees: '9.99' }, extra: [1], channel: 'POS' },
		});
		expect(sampleEvent('cards.authorized').data).toMatchObject({ fees: { fx_fees: '0.35' } });
	});

	it('a failed withdrawal has a reason, and an unknown name is rejected', () => {
		const { data } = sampleEvent('virtual_wallets.withdraw', { status: 'failed' });
		expect(data).toHaveProperty('reason');
		expect(() => sampleEvent('cards.nothing')).toThrow(RangeError);
	});
});

/** Paths of the leaves; null counts as one. */
function leaves(value: object, prefix = ''): Array<[string, unknown]> {
	return Object.entries(value).flatMap(
		([name, child]): Array<[string, unknown]> =>
			typeof child === 'object' && child !== null
				? leaves(child as object, `${prefix}${name}.`)
				: [[prefix + name, child]],
	);
}

/** Paths of the fields, cut off at a field that is documented without its own fields. */
const fieldsOf = (data: object, documented: string[]) => [
	...new Set(
		leaves(data).map(([field]) => documented.find((each) => field.startsWith(`${each}.`)) ?? field),
	),
];
