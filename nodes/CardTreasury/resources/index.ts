import type { Operation, Resource } from '../operation';
import { respond } from './authorization/respond';
import { configure3ds } from './card/configure3ds';
import { freeze } from './card/freeze';
import { get as getCard } from './card/get';
import { unblock } from './card/unblock';
import { unfreeze } from './card/unfreeze';
import { downloadStatement } from './cardTransaction/downloadStatement';
import { get as getTransaction } from './cardTransaction/get';
import { search } from './cardTransaction/search';
import { request } from './endpoint/request';
import { getAll as getProductRequests } from './productRequest/getAll';
import { getMissingRequirements } from './productRequest/getMissingRequirements';
import { submitDocument } from './productRequest/submitDocument';
import { updateAmount } from './rampTransfer/updateAmount';
import { getAll as getTokens } from './token/getAll';
import { transfer } from './wallet/transfer';

/** Everything that the action node offers. The panel, the dispatch and the docs are made from this list. */
export const RESOURCES: Resource[] = [
	{ value: 'token', displayName: 'Treasury: Token', operations: [getTokens] },
	{ value: 'wallet', displayName: 'Treasury: Wallet', operations: [transfer] },
	{ value: 'rampTransfer', displayName: 'Active Management: Ramp Transfer', operations: [updateAmount] },
	{
		value: 'card',
		displayName: 'Cards: Card',
		operations: [configure3ds, freeze, getCard, unblock, unfreeze],
	},
	{ value: 'authorization', displayName: 'Cards: Authorization', operations: [respond] },
	{
		value: 'cardTransaction',
		displayName: 'Cards: Transaction',
		operations: [downloadStatement, getTransaction, search],
	},
	{
		value: 'productRequest',
		displayName: 'Management: Product Request',
		operations: [getProductRequests, getMissingRequirements, submitDocument],
	},
	{ value: 'endpoint', displayName: 'Other: Endpoint', operations: [request] },
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
}
