import { admit, type Delivery } from '../../../../nodes/CardTreasuryTrigger/delivery/admit.ts';
import { readDeliverySettings } from '../../../../nodes/CardTreasuryTrigger/settings.ts';
import { sampleEvent } from '../../../simulator/index.mts';

const NOW = Date.UTC(2026, 10, 21, 10);
const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
	headers: { 'x-webhook-key': 'key-1', 'x-request-timestamp': String(NOW - 100) },
	body: sampleEvent('cards.cleared', { operation_id: 'op-1' }),
	sender: '10.1.2.3',
	arrival: { at: NOW, elapsed: () => 0, senderLeft: () => false },
	...changes,
});
const settings = (parameters: Record<string, unknown> = {}) => {
	const given: Record<string, unknown> = { events: ['cards.cleared'], ...parameters };
	return readDeliverySettings((name, fallback) => given[name] ?? fallback);
};
const readKeys = jest.fn(async () => ['key-1']);

beforeEach(() => readKeys.mockClear());

describe('admit', () => {
	it('a chosen event is admitted with its facts', async () => {
		const given = delivery({ headers: { ...delivery().headers, 'x-trace-id': 'trace-1' } });
		expect(await admit(given, settings(), readKeys)).toEqual({
			kind: 'event',
			event: {
				name: 'cards.cleared',
				envelope: given.body,
				issues: [],
				key: 'cards:cleared:op-1:success',
				arrival: given.arrival,
				traceId: 'trace-1',
				sentAt: NOW - 100,
			},
		});
	});

	it('an event is refused if Events has become empty, because it would be lost', async () => {
		expect(await admit(delivery(), settings({ events: [] }), readKeys)).toEqual({
			kind: 'refused',
			reply: {
				status: 503,
				body: { code: 'NOT_TAKEN', message: 'No events are chosen in the trigger' },
			},
		});
		const body = sampleEvent('cards.authorization');
		expect(await admit(delivery({ body }), settings({ events: [] }), readKeys)).toMatchObject({
			reply: { status: 501 },
		});
	});

	const wrongKey = { ...delivery().headers, 'x-webhook-key': 'wrong' };
	const everythingWrong = { headers: wrongKey, body: null, sender: '192.0.2.1' };
	const strict = { ipAllowlist: '10.0.0.0/8', maximumAgeSeconds: 0.05 };
	it.each([
		['sender', everythingWrong, 403, 'FORBIDDEN', /allowlist/],
		['key', { ...everythingWrong, sender: '10.0.0.1' }, 401, 'AUTH', /X-Webhook-Key/],
		['age', { body: null }, 401, 'AUTH', /X-Request-Timestamp/],
	])('the %s is checked in its turn', async (_, changes, status, code, about) => {
		expect(await admit(delivery(changes), settings({ options: strict }), readKeys)).toMatchObject({
			kind: 'refused',
			reply: { status, body: { code, message: expect.stringMatching(about) } },
		});
	});

	it.each([
		['wrong', 'The value of X-Webhook-Key is not accepted'],
		['', 'The value of X-Webhook-Key is not accepted'],
		[undefined, 'X-Webhook-Key is missing'],
	])(
		'a delivery with the key %j is refused, even if everything else is right',
		async (key, message) => {
			const headers = { ...delivery().headers, 'x-webhook-key': key };
			expect(await admit(delivery({ headers }), settings(), readKeys)).toEqual({
				kind: 'refused',
				reply: { status: 401, body: { code: 'AUTH', message } },
			});
		},
	);

	it('the body is checked before the choice of events', async () => {
		const reply = async (body: unknown) => await admit(delivery({ body }), settings(), readKeys);
		expect(await reply(null)).toMatchObject({ reply: { status: 400, body: { code: 'VAL' } } });
		expect(await reply(sampleEvent('cards.refund'))).toEqual({ kind: 'discarded' });
		expect(await reply(sampleEvent('cards.authorization'))).toMatchObject({
			reply: { status: 501, body: { code: 'NOT_DECIDED' } },
		});
	});

	it('the keys are not read if the sender is not allowed or sends none', async () => {
		await admit(delivery(everythingWrong), settings({ options: strict }), readKeys);
		await admit(delivery({ headers: {} }), settings(), readKeys);
		expect(readKeys).not.toHaveBeenCalled();
	});
});
