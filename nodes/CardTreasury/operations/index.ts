import { entryOf } from '../../shared/isObject';
import { Problem } from '../../shared/problem';
import { respond } from './authorization';
import { configure3ds, freeze, getCard, unblock, unfreeze } from './card';
import { downloadStatement, getTransaction, search } from './cardTransaction';
import { request } from './endpoint';
import type { Operation, Resource } from './operation';
import { getAllProductRequests, getMissingRequirements } from './productRequest';
import { updateAmount } from './rampTransfer';
import { submitDocument } from './submitDocument';
import { getAllTokens } from './tokens';
import { calculateSweep } from './wallet/calculateSweep';
import { transfer } from './wallet/transfer';

/** All operations, by the names that workflows save. Panel, run and docs follow from this list. */
export const RESOURCES: Record<string, Resource> = {
	rampTransfer: {
		displayName: 'Active Management: Ramp Transfer',
		operations: { updateAmount },
	},
	authorization: { displayName: 'Cards: Authorization', operations: { respond } },
	card: {
		displayName: 'Cards: Card',
		operations: { get: getCard, configure3ds, freeze, unblock, unfreeze },
	},
	cardTransaction: {
		displayName: 'Cards: Transaction',
		operations: { search, get: getTransaction, downloadStatement },
	},
	productRequest: {
		displayName: 'Management: KYC Product Request',
		operations: { getAll: getAllProductRequests, getMissingRequirements, submitDocument },
	},
	endpoint: { displayName: 'Other: Endpoint', operations: { request } },
	token: { displayName: 'Treasury: Token', operations: { getAll: getAllTokens } },
	wallet: { displayName: 'Treasury: Wallet', operations: { transfer, calculateSweep } },
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
