import type { IDataObject } from 'n8n-workflow';

import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { itemOf } from '../../../nodes/CardTreasury/run/prepare.ts';
import type { Reply } from '../../../nodes/CardTreasury/service/request.ts';

/** Values of an operation as a run reads them, and the service's reply to them as the interface document shows it. */
interface Sample {
	values: IDataObject;
	reply?: unknown;
}

const CARD = { cardId: '{cardId}' };
const CLIENT = { clientId: '{clientId}' };
const DAY = '2026-01-31';

/** Product request (§2.2) that waits for a document and a data field (§2.3). */
const REQUEST = {
	id: '',
	client_id: '',
	product: '',
	status: 'pending_documentation',
	missing_requirements: {
		documents: [
			{
				...{ id: '', name: '', description: '', required: true },
				valid_documents: [
					{
						...{ id: '', name: '', description: '', required: true },
						...{ require_image: true, require_back_image: false },
						metadata: [{ id: '', name: '', data_type: '', required: true }],
					},
				],
			},
		],
		data: [],
	},
	created_at: '2026-01-01T00:00:00Z',
	updated_at: '2026-01-01T00:00:00Z',
};

/** Rejected product request (§2.2), so that the fields of a rejection are shown. */
const REJECTED = {
	...{ id: '', client_id: '', product: 'ramps_pix', status: 'rejected' },
	...{ rejection_code: '', rejection_description: '' },
	...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
};

/** By resource and operation. */
const SAMPLES: Record<string, Sample> = {
	'rampTransfer: updateAmount': {
		values: { rampTransferId: '{id}', amount: '1' },
		// §2.5
		reply: {
			...{ id: '', type: '', status: '', company_id: '', destination_wallet_id: '' },
			...{ client_id: '', origin_amount: 1, origin_currency: '', origin_name: '' },
		},
	},
	'authorization: respond': { values: { decision: 'approve' } },
	'authorization: tryRules': {
		values: {
			rulesOf: { rules: [], byDefault: { code: '05' }, fallback: { code: '05' } },
			...{ purchase: {}, answeredThen: '00' },
		},
	},
	'card: get': {
		values: { ...CARD, simplify: true },
		// §2.7
		reply: {
			...{ id: '', client_id: '', type: '', status: '', last4: '', card_holder_name: '' },
			...{ expiration_month: 1, expiration_year: 2030 },
			...{ daily_limit: 1, weekly_limit: 1, monthly_limit: 1 },
		},
	},
	'card: configure3ds': { values: { ...CARD, type: 'sms' }, reply: { type: 'sms' } },
	'card: freeze': { values: CARD, reply: {} },
	'card: unblock': { values: CARD, reply: {} },
	'card: unfreeze': { values: CARD, reply: {} },
	// §4.11 shows no more.
	'cardTransaction: search': {
		values: { ...CARD, operations: ['PURCHASE'] },
		reply: { total_elements: 1 },
	},
	'cardTransaction: get': { values: { path: '/…' }, reply: {} },
	'cardTransaction: downloadStatement': {
		values: { ...CARD, fromDate: DAY, toDate: DAY, binaryPropertyName: 'data' },
	},
	'productRequest: getAll': { values: CLIENT, reply: [REQUEST] },
	'productRequest: getMissingRequirements': { values: CLIENT, reply: [REQUEST, REJECTED] },
	'productRequest: submitDocument': {
		values: {
			...{ ...CLIENT, productRequestId: '{productRequestId}', documentType: '', metadata: {} },
			frontImageField: {},
		},
		reply: { product: REQUEST, rejected_items: [{ type: '', key: '', reason: '' }] },
	},
	'endpoint: request': { values: { method: 'GET', path: '/…' }, reply: {} },
	// §2.1
	'token: getAll': {
		values: {},
		reply: [{ id: '', name: '', symbol: '', address: '', blockchain: '', usd_price: 1 }],
	},
	'wallet: calculateSweep': {
		values: {
			...{ walletId: '', tokenAddress: { address: '0x', name: '' }, balance: '2', floor: '1' },
			balanceDay: DAY,
		},
	},
	'wallet: transfer': {
		values: {
			...{ accountId: '{accountId}', walletId: '{walletId}', to: '0x', amount: '1' },
			...{ tokenAddress: { address: '0x', name: '' }, paymentReference: '' },
		},
		reply: { status: 'SUCCESS', transaction_hash: '0x' },
	},
};

/** One operation of the node, with its sample. */
export interface Shown extends Sample {
	resource: string;
	label: string;
	name: string;
	operation: Operation;
}

export const SHOWN: Shown[] = Object.entries(RESOURCES).flatMap(
	([resource, { displayName, operations }]) =>
		Object.entries(operations).map(([name, operation]) => {
			const sample = SAMPLES[`${resource}: ${name}`];
			if (!sample)
				throw new Error(`${resource}: ${name} needs a sample in ${import.meta.filename}`);
			return { ...sample, resource, label: displayName, name, operation };
		}),
);

/** First item of the output. Empty if the interface document does not show it. */
export function outputOf({ operation, values, reply }: Shown): IDataObject {
	if (operation.kind === 'answer') return { decision: { response_code: '' } };
	if (operation.kind === 'calculation') return operation.calculate(values);
	const replied: Reply = {
		...{ traceId: '', json: reply, text: '', type: '', bytes: Buffer.from('%PDF-') },
		isPending: false,
	};
	const [own = {}] = operation.output(replied, values).items;
	const effect =
		typeof operation.effect === 'function' ? operation.effect(values) : operation.effect;
	const work = { effect, request: operation.request(values), key: '' };
	const item = itemOf({ index: 0, values, work }, operation, own, '');
	return effect === 'read' ? item : { outcome: 'done', summary: '', ...item };
}
