import { parse } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import {
	ENTRIES,
	eventName,
	route,
	sampleOf,
	summaryOf,
} from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { isObject } from '../../../../nodes/shared/isObject.ts';
import { sampleEvent } from '../../../simulator/index.mts';

/** `fees.atm_fees` and so on: the fields that hold no others. */
const pathsOf = (data: object): string[] =>
	Object.entries(data).flatMap(([name, value]) =>
		isObject(value) ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
	);

const NOW = new Date(Date.UTC(2026, 10, 21, 10));

describe('sample of each entry', () => {
	it.each(ENTRIES.map((entry) => [entry.name, entry] as const))(
		'%s has the documented form and all of its fields (§6.5)',
		(name, entry) => {
			const sample = sampleOf(entry, 'sample-1', NOW);
			expect(parse(structuredClone(sample))).toMatchObject({ ok: true, issues: [] });
			expect(eventName(sample)).toBe(eventName(entry.event));
			expect(route(['other', name], sample)).toBe(1);
			// An entry for failures only is named after its event and more.
			if (name === eventName(sample)) expect(sample.status).toBe(sampleEvent(name).status);
			const isCard = name === 'cards.card_blocked_by_velocity';
			expect(sample.operation_id).toBe(isCard ? Reflect.get(sample.data, 'card_id') : 'sample-1');
			const optional = ['reason'];
			expect(pathsOf(sample.data)).toEqual(
				expect.arrayContaining(
					pathsOf(sampleEvent(eventName(sample)).data).filter((field) => !optional.includes(field)),
				),
			);
		},
	);

	it.each(['failed', 'canceled', 'time_canceled'])(
		'a withdrawal sampled with the status %s has a reason (§6.5)',
		(status) => {
			const entry = ENTRIES.find(({ name }) => name === 'virtual_wallets.withdraw')!;
			const sample = sampleOf(entry, 'sample-1', NOW, status);
			expect(sample).toMatchObject({ status, data: { reason: expect.anything() } });
			expect(sampleOf(entry, 'sample-1', NOW).data).not.toHaveProperty('reason');
		},
	);
});

describe('output of an event', () => {
	const transfer = (status: string) => sampleEvent('treasury.transfer', { status });
	const both = ['treasury.transfer', 'treasury.transfer.failed', 'other'];
	it.each([
		['success', both, 0],
		['pending', both, 0],
		['manual_check', both, 0],
		['failed', both, 1],
		['canceled', both, 1],
		['time_canceled', both, 1],
		['failed', ['treasury.transfer'], 0],
		['failed', ['other'], 0],
		['success', ['treasury.transfer.failed', 'other'], 1],
		['success', ['treasury.transfer.failed'], undefined],
		['failed', ['cards.warranty_withdraw.failed'], undefined],
	])('a transfer with the status %s and the entries %j has output %s', (status, events, output) => {
		expect(route(events, transfer(status))).toBe(output);
	});

	it('a client that is rejected goes to its own entry, whatever the status of the event', () => {
		const events = ['company_activity.client_status', 'company_activity.client_status.rejected'];
		const client = (status: string) => ({
			...sampleEvent('company_activity.client_status', { data: { status } }),
			status: 'success',
		});
		expect(route(events, client('rejected'))).toBe(1);
		expect(route(events, client('in_kyc'))).toBe(0);
		expect(route(events, { ...client('rejected'), data: undefined })).toBe(0);
	});

	it('an event type with the name of an entry is another event', () => {
		const envelope = { product: 'treasury', event_type: 'transfer.failed', status: 'failed' };
		expect(route(both, envelope)).toBe(2);
		expect(route(['treasury.transfer.failed'], envelope)).toBeUndefined();
	});
});

describe('summary of an event', () => {
	const card = 'with card 00000000-0000-4000-8000-00000000ca4d';
	const purchase = `52.35 USD at Coffee & Books ${card}`;
	const outside = `to 0x${'c3'.repeat(20)}`;
	const token = 'token 0x70ce…0002';
	const hash = ', transaction 0x5a5a5a5a…';
	const client = 'Client is rejected: Ana Souza (sample-client): The document cannot be read';
	it.each([
		['cards.authorization', `Waiting for a decision: ${purchase}`],
		['cards.authorized', `Authorized: ${purchase}`],
		['cards.cleared', `Cleared: ${purchase}`],
		['cards.declined', `Declined: ${purchase}: Insufficient funds`],
		['cards.reversal', `Reversed: ${purchase}`],
		['cards.refund', `Refunded: ${purchase}`],
		[
			'cards.deposit',
			'Deposited: 249.750001 of token 0x70ce000000000000000000000000000000000002 in the wallet of a card, sample-wallet',
		],
		['cards.cardnet_direct_deposit', `Credited: ${purchase}`],
		[
			'cards.warranty_withdraw',
			`Successful: withdrawal of 100.00 from warranty wallet sample-wallet ${outside}`,
		],
		[
			'cards.warranty_withdraw.failed',
			`Failed: withdrawal of 100.00 from warranty wallet sample-wallet ${outside}`,
		],
		[
			'cards.card_blocked_by_velocity',
			'Blocked: card 00000000-0000-4000-8000-00000000ca4d, after more than 3 authorizations in 60 seconds',
		],
		[
			'cards.notification_3ds_authorization',
			`Received: a 3DS code for 120.00 USD at Cloud Hosting Inc ${card}`,
		],
		[
			'virtual_wallets.deposit',
			'Deposited: 250.000001 of token 0x70ce000000000000000000000000000000000002 in wallet sample-wallet',
		],
		[
			'virtual_wallets.withdraw',
			`Successful: withdrawal of 1250.50 of ${token} from wallet sample-wallet ${outside}${hash}`,
		],
		[
			'virtual_wallets.withdraw.failed',
			`Failed: withdrawal of 1250.50 of ${token} from wallet sample-wallet ${outside}${hash}`,
		],
		['virtual_wallets.ramp_on', 'Converted: 1500.00 BRL to 275.43 USDC in wallet sample-wallet'],
		[
			'treasury.transfer',
			`Successful: transfer of 1250.50 of ${token} from wallet sample-wallet ${outside}${hash}`,
		],
		[
			'treasury.transfer.failed',
			`Failed: transfer of 1250.50 of ${token} from wallet sample-wallet ${outside}${hash}`,
		],
		['treasury.ramp_on', 'Converted: 1500.00 BRL to 275.43 USDC in wallet sample-wallet'],
		['company_activity.client_status', client],
		['company_activity.client_status.rejected', client],
	])('the sample of %s is summarized', (entry, expected) => {
		const summary = summaryOf(sampleOf(ENTRIES.find(({ name }) => name === entry)!, 's', NOW));
		expect(summary).toBe(expected);
	});

	it.each([
		['pending', 'Pending'],
		['success', 'Successful'],
		['failed', 'Failed'],
		['canceled', 'Canceled'],
		['time_canceled', 'Time Canceled'],
		['manual_check', 'Manual Check'],
		['settled', 'Changed'],
	])('a transfer with the status %s is summarized as %s', (status, words) => {
		const transfer = sampleEvent('treasury.transfer', { status });
		expect(summaryOf(transfer)).toMatch(new RegExp(`^${words}: transfer of `));
	});

	it.each([
		['cards.refund', 'failed', 'Refunded, status failed: 52.35 USD at '],
		['cards.deposit', 'manual_check', 'Deposited, status manual check: '],
		['virtual_wallets.deposit', 'pending', 'Deposited, status pending: 250.000001 of '],
		['treasury.ramp_on', 'time_canceled', 'Converted, status time canceled: 1500.00 BRL to '],
		['treasury.ramp_on', '<!here> reverted', 'Converted, status ‹!here› reverted: '],
		['cards.cleared', undefined, 'Cleared, status missing: '],
		['cards.cleared', null, 'Cleared, status missing: '],
		['cards.cleared', 'success', 'Cleared: '],
	])('a %s with the status %j has its status in the summary', (name, status, expected) => {
		expect(summaryOf({ ...sampleEvent(name), status })).toMatch(
			new RegExp(`^${expected.replace('.', '\\.')}`),
		);
	});

	it.each([
		[{ symbol: 'USDC', address: '0x1' }, 'transfer of 5 of token USDC from wallet w'],
		[{ address: '0x1' }, 'transfer of 5 of token 0x1 from wallet w'],
		[null, 'transfer of 5 (no token named) from wallet w'],
		['USDC', 'transfer of 5 (no token named) from wallet w'],
	])('a transfer with the token %j is summarized as %s', (token, expected) => {
		const data = { amount: '5', wallet_id: 'w', token };
		expect(summaryOf(sampleEvent('treasury.transfer', { data }))).toContain(`: ${expected} to `);
	});

	it('the 3DS code is left out', () => {
		const event = sampleEvent('cards.notification_3ds_authorization');
		expect(summaryOf(event)).not.toContain(String(event.data.code));
	});

	it.each([
		[{ bill_amount: undefined, merchant_data: null }, 'Cleared: ? USD at ? with card '],
		[{ merchant_data: { name: '<!channel>\npaid' } }, ' at ‹!channel› paid with card '],
		[{ merchant_data: { name: 'x'.repeat(500) } }, ` at ${'x'.repeat(59)}… with card `],
	])('%j stays one harmless line', (data, expected) => {
		expect(summaryOf(sampleEvent('cards.cleared', { data }))).toContain(expected);
	});

	it('an unknown event is named', () => {
		const event = { product: 'cash', event_type: 'sent', status: 'success', data: {} };
		expect(summaryOf(event)).toBe('Event: cash.sent, success');
	});
});
