import { IDS } from '../simulator/index.mts';
import type { CoreOptions } from './core.mts';
import { TO } from './payments.mts';

const TRANSFER_PATH = `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]).toString(
	'base64',
);
const image = [{ json: {}, binary: { data: { data: PNG, mimeType: 'image/png' } } }];

export interface Write {
	name: string;
	parameters: CoreOptions['parameters'];
	items?: CoreOptions['items'];
	options?: object;
	/** The row that its effect writes into the ledger. */
	effect: string;
}

/** Those whose key lets them be repeated. */
export const KEYED: Write[] = [
	{
		name: 'transfer',
		effect: 'wallet.transfer',
		parameters: {
			resource: 'wallet',
			operation: 'transfer',
			accountId: IDS.account,
			tokenAddress: { __rl: true, mode: 'list', value: 'native' },
			walletId: IDS.wallet,
			to: TO,
			amount: '0.1',
			options: {},
		},
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
		parameters: { resource: 'card', operation: 'freeze', cardId: IDS.activeCard },
	},
	{
		name: 'unfreeze',
		effect: 'card.unfreeze',
		parameters: { resource: 'card', operation: 'unfreeze', cardId: IDS.frozenCard },
	},
	{
		name: '3DS',
		effect: 'card.configure3ds',
		parameters: {
			resource: 'card',
			operation: 'configure3ds',
			cardId: IDS.activeCard,
			type: 'sms',
		},
	},
	{
		name: 'unblock',
		effect: 'card.unblock',
		parameters: { resource: 'card', operation: 'unblock', cardId: IDS.blockedCard },
	},
	{
		name: "any endpoint with the user's own key",
		effect: 'wallet.transfer',
		options: { idempotencyKey: 'own-key-1' },
		parameters: {
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: TRANSFER_PATH,
			jsonBody: `{"to":"${TO}","amount":0.1}`,
		},
	},
];

/** Those that the service would execute again. */
export const UNKEYED: Write[] = [
	{
		name: 'any endpoint without',
		effect: 'wallet.transfer',
		parameters: {
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: TRANSFER_PATH,
			jsonBody: `{"to":"${TO}","amount":0.1}`,
		},
	},
	{
		name: 'document',
		effect: 'productRequest.submitDocument',
		items: image,
		parameters: {
			resource: 'productRequest',
			operation: 'submitDocument',
			clientId: IDS.client,
			productRequestId: { __rl: true, mode: 'id', value: IDS.pendingProductRequest },
			documentType: { __rl: true, mode: 'id', value: 'passport' },
			frontImageField: 'data',
			metadata: {
				mappingMode: 'defineBelow',
				value: { number: 'X1234567', issuing_country: 'DO' },
			},
		},
	},
];
