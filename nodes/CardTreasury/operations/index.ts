import { InvalidFieldError } from '../../shared/fields/invalidField';
import { respond } from './authorization/respond';
import { configure3ds } from './card/configure3ds';
import { freeze } from './card/freeze';
import { get as getCard } from './card/get';
import { unblock } from './card/unblock';
import { unfreeze } from './card/unfreeze';
import { downloadStatement } from './cardTransaction/downloadStatement';
import { get as getCardTransaction } from './cardTransaction/get';
import { search } from './cardTransaction/search';
import { request } from './endpoint/request';
import type { Operation, Resource } from './operation';
import { getAll as getAllProductRequests } from './productRequest/getAll';
import { getMissingRequirements } from './productRequest/getMissingRequirements';
import { submitDocument } from './productRequest/submitDocument';
import { updateAmount } from './rampTransfer/updateAmount';
import { getAll as getAllTokens } from './token/getAll';
import { calculateSweep } from './wallet/calculateSweep';
import { transfer } from './wallet/transfer';

/** All operations of the action node. Panel, dispatch and docs are generated from this list. */
export const RESOURCES: Resource[] = [
	resource('token', 'Treasury: Token', 'getAll', { getAll: getAllTokens }),
	resource('wallet', 'Treasury: Wallet', 'transfer', { transfer, calculateSweep }),
	resource('rampTransfer', 'Active Management: Ramp Transfer', 'updateAmount', { updateAmount }),
	resource('card', 'Cards: Card', 'get', { get: getCard, configure3ds, freeze, unblock, unfreeze }),
	resource('authorization', 'Cards: Authorization', 'respond', { respond }),
	resource('cardTransaction', 'Cards: Transaction', 'search', {
		search,
		get: getCardTransaction,
		downloadStatement,
	}),
	resource('productRequest', 'Management: KYC Product Request', 'getAll', {
		getAll: getAllProductRequests,
		getMissingRequirements,
		submitDocument,
	}),
	resource('endpoint', 'Other: Endpoint', 'request', { request }),
];

function resource<Name extends string>(
	value: string,
	displayName: string,
	startsWith: NoInfer<Name>,
	operations: Record<Name, Operation>,
): Resource {
	return { value, displayName, startsWith, operations: Object.entries(operations) };
}

export function findOperation(resource: string, operation: string): Operation | undefined {
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		([value]) => value === operation,
	)?.[1];
}

/**
 * Returns the chosen operation.
 * @throws InvalidFieldError if an expression or an imported workflow names an unknown operation
 */
export function chosenOperation(resource: string, operation: string): Operation {
	const found = findOperation(resource, operation);
	if (found !== undefined) return found;
	throw new InvalidFieldError(
		'Operation',
		`"${operation}" does not exist for "${resource}"`,
		'Choose Resource and Operation from the lists.',
	);
}
