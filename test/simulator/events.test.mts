import { EVENT_NAMES, eventName, EVENTS, IDS, sampleEvent } from './index.mts';
import { DOCUMENTED_EVENTS } from './interfaceDocument.mts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const STATUSES = ['pending', 'success', 'failed', 'canceled', 'time_canceled', 'manual_check'];

describe('events (§6.5)', () => {
	it('match the interface document', () => {
		expect([...EVENT_NAMES].sort()).toEqual(Object.keys(DOCUMENTED_EVENTS).sort());
	});

	it.each(Object.entries(DOCUMENTED_EVENTS))(
		'%s has the documented payload, retries and deadline',
		(name, documented) => {
			const event = sampleEvent(name);
			expect(eventName(event)).toBe(name);
			expect(fieldsOf(event.data, documented.fields).sort()).toEqual([...documented.fields].sort());
			expect(STATUSES).toContain(event.status);
			if (documented.status) expect(event.status).toBe(documented.status);
			const { attempts, timeoutMs } = EVENTS.find((known) => eventName(known) === name)!;
			expect({ attempts, timeoutMs }).toEqual({
				attempts: documented.attempts ?? 10,
				timeoutMs: documented.timeoutMs ?? 30_000,
			});
		},
	);

	it.each(EVENT_NAMES)('%s has decimal texts, lowercase chains and UTC times', (name) => {
		for (const [field, value] of leaves(sampleEvent(name).data)) {
			if (/amount|fees|exchange_rate/.test(field))
				expect([field, value]).toEqual([field, expect.stringMatching(/^\d+\.\d+$/)]);
			if (field === 'blockchain') expect(value).toMatch(/^[a-z]+$/);
			if (/_at$|timestamp/.test(field))
				expect([field, value]).toEqual([field, expect.stringMatching(ISO_UTC)]);
		}
	});

	it.each(EVENT_NAMES.filter((name) => name !== 'cards.card_blocked_by_velocity'))(
		'%s has a new operation_id each time',
		(name) => {
			const ids = [sampleEvent(name), sampleEvent(name)].map(({ operation_id }) => operation_id);
			expect(ids[0]).toMatch(UUID);
			expect(ids[0]).not.toBe(ids[1]);
			expect(sampleEvent(name)).not.toHaveProperty('company_id');
		},
	);

	it('card_blocked_by_velocity is identified by its card and names the company twice', () => {
		const event = sampleEvent('cards.card_blocked_by_velocity', {
			data: { card_id: IDS.secondActiveCard },
		});
		expect(event.operation_id).toBe(IDS.secondActiveCard);
		expect([event.company_id, event.data.company_id]).toEqual([IDS.company, IDS.company]);
		expect(event.data.card_id).toMatch(UUID);
		expect(
			sampleEvent('cards.card_blocked_by_velocity', { operation_id: 'own' }).operation_id,
		).toBe('own');
	});

	it('merges overrides deeply and leaves later samples unchanged', () => {
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

	it('includes a reason only in a failed withdrawal', () => {
		expect(sampleEvent('virtual_wallets.withdraw', { status: 'failed' }).data).toHaveProperty(
			'reason',
		);
		expect(sampleEvent('virtual_wallets.withdraw').data).not.toHaveProperty('reason');
	});

	it('rejects an unknown event name', () => {
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
