import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Operation, Resource } from './operation';
import * as authorization from './authorization';
import * as card from './card';
import * as cardTransaction from './cardTransaction';
import * as endpoint from './endpoint';
import * as productRequest from './productRequest';
import * as rampTransfer from './rampTransfer';
import * as token from './token';
import * as wallet from './wallet';

/** Everything that the action node offers. The panel, the dispatch and the docs are made from this list. */
export const RESOURCES: Resource[] = [
	resource('token', 'Treasury: Token', token),
	resource('wallet', 'Treasury: Wallet', wallet),
	resource('rampTransfer', 'Active Management: Ramp Transfer', rampTransfer),
	resource('card', 'Cards: Card', card),
	resource('authorization', 'Cards: Authorization', authorization),
	resource('cardTransaction', 'Cards: Transaction', cardTransaction),
	resource('productRequest', 'Management: KYC Product Request', productRequest),
	resource('endpoint', 'Other: Endpoint', endpoint),
];

/** @param exported what the resource's index exports: its operations by their saved names */
function resource(
	value: string,
	displayName: string,
	exported: Record<string, Operation>,
): Resource {
	const operations = Object.entries(exported).sort(
		([, left], [, right]) => rank(left) - rank(right) || left.name.localeCompare(right.name, 'en'),
	);
	return { value, displayName, operations };
}

/** A new node begins with the first operation, which must change nothing; Search needs the least to begin with. */
function rank({ name }: Operation): number {
	if (name === 'Search') return 0;
	return name.startsWith('Get') ? 1 : 2;
}

export function findOperation(resource: string, operation: string): Operation | undefined {
	return RESOURCES.find(({ value }) => value === resource)?.operations.find(
		([value]) => value === operation,
	)?.[1];
}

/** The operation that the panel chose. @throws InvalidFieldError where expressions or an imported workflow name none */
export function chosenOperation(resource: string, operation: string): Operation {
	const found = findOperation(resource, operation);
	if (found !== undefined) return found;
	throw new InvalidFieldError(
		'Operation',
		`"${operation}" does not exist for "${resource}"`,
		'Choose Resource and Operation from the lists.',
	);
}
