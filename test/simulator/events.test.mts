import { eventName, EVENTS, IDS, sampleEvent } from './index.mts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BLOCKED = 'cards.card_blocked_by_velocity';

describe('events (§6.5)', () => {
	it.each(EVENTS)('$name has realistic values and an ID of its own', (definition) => {
		const event = sampleEvent(definition.name);
		expect(eventName(event)).toBe(definition.name);
		for (const [field, value] of leaves(event.data))
			if (/amount|fees|exchange_rate/.test(field)) expect(value).toMatch(/^\d+\.\d+$/);
		const next = sampleEvent(definition.name);
		const isOfCard = definition.name === BLOCKED;
		expect(event.operation_id).toMatch(UUID);
		expect(event.operation_id === next.operation_id).toBe(isOfCard);
		expect('company_id' in event).toBe(isOfCard);
	});

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
