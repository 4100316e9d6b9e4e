import { deliveryKey } from '../../../../nodes/CardTreasuryTrigger/delivery/envelope.ts';
import { EVENT_NAMES } from '../../../simulator/index.mts';

/**
 * n8n's database keeps these keys over an update of this package. Where one of them differs, events that are sent again
 * around the update run a second time: the change is a major version (CONTRIBUTING.md, "Versions").
 */
const BLOCK = {
	company_id: 'company-1',
	card_id: 'card-1',
	blocked_at: '2026-11-21T10:00:00.000Z',
};
const ALL: Array<[name: string, golden: string, fields?: Record<string, unknown>]> = [
	['cards.authorization', 'cards:authorization:op-1:success'],
	['cards.authorized', 'cards:authorized:op-1:success'],
	['cards.cardnet_direct_deposit', 'cards:cardnet_direct_deposit:op-1:success'],
	['cards.cleared', 'cards:cleared:op-1:success'],
	['cards.declined', 'cards:declined:op-1:success'],
	['cards.deposit', 'cards:deposit:op-1:success'],
	['cards.notification_3ds_authorization', 'cards:notification_3ds_authorization:op-1:success'],
	['cards.refund', 'cards:refund:op-1:success'],
	['cards.reversal', 'cards:reversal:op-1:success'],
	['cards.warranty_withdraw', 'cards:warranty_withdraw:op-1:success'],
	['company_activity.client_status', 'company_activity:client_status:op-1:success'],
	['treasury.ramp_on', 'treasury:ramp_on:op-1:success'],
	['treasury.transfer', 'treasury:transfer:op-1:success'],
	['virtual_wallets.deposit', 'virtual_wallets:deposit:op-1:success'],
	['virtual_wallets.ramp_on', 'virtual_wallets:ramp_on:op-1:success'],
	['virtual_wallets.withdraw', 'virtual_wallets:withdraw:op-1:success'],
	// A status of its own is no repetition, nor is one that is missing (§6.2).
	['treasury.transfer', 'treasury:transfer:op-1:pending', { status: 'pending' }],
	['treasury.transfer', 'treasury:transfer:op-1:', { status: undefined }],
	// One that the document does not know, whose ID holds the sign between the parts.
	['new.event', 'new:event:a%3Ab%25:success', { operation_id: 'a:b%' }],
	// Too long to be kept as it is.
	[
		'cards.cleared',
		'sha256-96a784e64e8852bf3f22dfd8e62f5c89f631ced6d17dbae6af00397cef64cb2f',
		{ operation_id: 'o'.repeat(300) },
	],
	// Its operation_id is only the card (§6.5).
	[
		'cards.card_blocked_by_velocity',
		'cards:card_blocked_by_velocity:company-1:card-1:2026-11-21T10%3A00%3A00.000Z',
		{ data: BLOCK },
	],
	[
		'cards.card_blocked_by_velocity',
		'cards:card_blocked_by_velocity:company-2:card-1:2026-11-21T10%3A00%3A00.000Z',
		{ company_id: 'company-2', data: { ...BLOCK, company_id: undefined } },
	],
	// Without one of the three, its whole data tells blocks apart.
	[
		'cards.card_blocked_by_velocity',
		'cards:card_blocked_by_velocity:op-1:sha256-ae22d14dd77e42db26491a9a170d6b9fa2bcbe635d3304e10cae417056cda995',
		{ data: { card_id: 'card-1' } },
	],
];

it.each(ALL)('%s keeps the key %s', (name, golden, fields = {}) => {
	const [product = '', event_type = ''] = name.split('.');
	const envelope = { product, event_type, operation_id: 'op-1', status: 'success', data: {} };
	expect(deliveryKey({ ...envelope, ...fields })).toBe(golden);
});

it('every documented event has a key above', () => {
	expect(EVENT_NAMES.filter((event) => !ALL.some(([name]) => name === event))).toEqual([]);
});
