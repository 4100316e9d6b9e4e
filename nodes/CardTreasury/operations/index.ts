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

type Row = [name: string, displayName: string, first: string, Resource['operations']];

const ROWS: Row[] = [
	['rampTransfer', 'Active Management: Ramp Transfer', 'updateAmount', rampTransfer],
	['authorization', 'Cards: Authorization', 'respond', authorization],
	['card', 'Cards: Card', 'get', card],
	['cardTransaction', 'Cards: Transaction', 'search', cardTransaction],
	['productRequest', 'Management: KYC Product Request', 'getAll', productRequest],
	['endpoint', 'Other: Endpoint', 'request', endpoint],
	['token', 'Treasury: Token', 'getAll', token],
	['wallet', 'Treasury: Wallet', 'transfer', wallet],
];

/** All operations, by the names that workflows save. A resource has what its module exports. */
export const RESOURCES: Record<string, Resource> = Object.fromEntries(
	ROWS.map(([name, displayName, first, operations]) => [
		name,
		{ displayName, default: first, operations },
	]),
);

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
