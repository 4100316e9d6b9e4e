import { cardOf, documentOf, image, requestOf, transferOf } from '../harness/fixtures.mts';
import { IDS } from '../simulator/index.mts';
import type { CoreOptions } from './core.mts';
import { body } from './payments.mts';

export interface Write {
	name: string;
	parameters: CoreOptions['parameters'];
	items?: CoreOptions['items'];
	options?: object;
	/** Ledger row of the effect. */
	effect: string;
}

/** Writes whose key allows a repetition. */
export const KEYED: Write[] = [
	{
		name: 'transfer',
		effect: 'wallet.transfer',
		parameters: transferOf('0.1'),
	},
	{
		name: 'ramp',
		effect: 'rampTransfer.updateAmount',
		parameters: {
			resource: 'rampTransfer',
			operation: 'updateAmount',
			rampTransferId: IDS.pendingRamp,
			amount: '7',
		},
	},
	{
		name: 'freeze',
		effect: 'card.freeze',
		parameters: cardOf('freeze'),
	},
	{
		name: 'unfreeze',
		effect: 'card.unfreeze',
		parameters: cardOf('unfreeze', IDS.frozenCard),
	},
	{
		name: '3DS',
		effect: 'card.configure3ds',
		parameters: { ...cardOf('configure3ds'), type: 'sms' },
	},
	{
		name: 'unblock',
		effect: 'card.unblock',
		parameters: cardOf('unblock', IDS.blockedCard),
	},
	{
		name: "any endpoint with the user's own key",
		effect: 'wallet.transfer',
		options: { idempotencyKey: 'own-key-1' },
		parameters: requestOf(body('0.1')),
	},
];

/** Writes that the service would execute again. */
export const UNKEYED: Write[] = [
	{
		name: 'any endpoint without',
		effect: 'wallet.transfer',
		parameters: requestOf(body('0.1')),
	},
	{
		name: 'document',
		effect: 'productRequest.submitDocument',
		items: [{ json: {}, binary: { data: image() } }],
		parameters: documentOf('passport'),
	},
];
