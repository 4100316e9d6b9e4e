import { entryOf } from '../../shared/isObject';
import { Problem } from '../../shared/problem';
import * as authorization from './authorization';
import * as card from './card';
import * as cardTransaction from './cardTransaction';
import * as endpoint from './endpoint';
import type { Operation, Resource } from './operation';
import * as productRequest from './productRequest';
import * as rampTransfer from './rampTransfer';
import * as token from './token';
import * as wallet from './wallet';

/** All operations, by the names that workflows save. A resource has what its module exports. */
export const RESOURCES: Record<string, Resource> = {
	rampTransfer: {
		displayName: 'Active Management: Ramp Transfer',
		default: 'updateAmount',
		operations: rampTransfer,
	},
	authorization: {
		displayName: 'Cards: Authorization',
		default: 'respond',
		operations: authorization,
	},
	card: { displayName: 'Cards: Card', default: 'get', operations: card },
	cardTransaction: {
		displayName: 'Cards: Transaction',
		default: 'search',
		operations: cardTransaction,
	},
	productRequest: {
		displayName: 'Management: KYC Product Request',
		default: 'getAll',
		operations: productRequest,
	},
	endpoint: { displayName: 'Other: Endpoint', default: 'request', operations: endpoint },
	token: { displayName: 'Treasury: Token', default: 'getAll', operations: token },
	wallet: { displayName: 'Treasury: Wallet', default: 'transfer', operations: wallet },
};

/** @throws Problem if an expression or an imported workflow names no operation */
export function chosenOperation(resource: unknown, operation: unknown): Operation {
	const { operations = {} } = entryOf(RESOURCES, String(resource)) ?? {};
	const found = entryOf(operations, String(operation));
	if (found) return found;
	throw new Problem(
		`Operation "${String(operation)}" does not exist for "${String(resource)}"`,
		'Choose Resource and Operation from the lists.',
	);
}
