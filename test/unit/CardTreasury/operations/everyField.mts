import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';
import type { ItemFields } from '../../../../nodes/CardTreasury/operations/itemFields.ts';
import { anyOperationOf, callerOf, inputOf, type Item } from './reading.mts';
import { REQUESTS } from './requests.mts';

/** Field that can be filled in: a parameter, or an entry of a collection. */
interface Place {
	name: string;
	label: string;
	collection?: string;
}

export const OPERATIONS = RESOURCES.flatMap(({ value: resource, operations }) =>
	operations.map(([operation]) => `${resource}: ${operation}`),
);

/** Every field of an operation except its notices, including those of its collections. */
export function placesOf(name: string): Place[] {
	const operation = anyOperationOf(name);
	return [
		...propertiesOf(operation.fields).flatMap((property): Place[] =>
			property.type === 'collection'
				? [placeOf(property), ...entriesOf(property)]
				: [placeOf(property)],
		),
		...(operation.kind === 'response' ? [] : propertiesOf(operation.options)).map((property) =>
			placeOf(property, 'options'),
		),
	];
}

/** Parameters of Calculate Sweep, for today. */
export const sweepOf = (more: object = {}) => ({
	walletId: 'w',
	balance: '600.5',
	floor: '100',
	balanceDay: DateTime.now().setZone('America/New_York').toFormat('yyyy-MM-dd'),
	options: {},
	...more,
});

/** Accepted items that together use all fields. */
export function goodItems(name: string): Item[] {
	if (name === 'authorization: respond')
		return [{ parameters: { decision: 'other', responseCode: '51' } }];
	if (name === 'wallet: calculateSweep') return [{ parameters: sweepOf() }];
	return REQUESTS.flatMap(([operation, item]) => (operation === name ? [item] : []));
}

/** Reads one item's parameters. @throws InvalidFieldError */
export async function read(name: string, item: Item): Promise<unknown> {
	const operation = anyOperationOf(name);
	if (operation.kind === 'response')
		return await operation.responseCode(inputOf(item), callerOf(item));
	if (operation.kind === 'calculation') return operation.calculate(inputOf(item), callerOf(item));
	const { refusal, ...work } = await operation.readWork(inputOf(item), callerOf(item));
	if (refusal) throw refusal;
	return work;
}

/** Panel properties outside a tool. A guard looks different in a tool but keeps its name. */
const propertiesOf = (fields: ItemFields): INodeProperties[] =>
	Object.entries(fields).flatMap(([name, field]) => {
		const [property] = [field.property(name, '')].flat();
		return property && property.type !== 'notice' ? [property] : [];
	});

const placeOf = ({ name, displayName }: INodeProperties, collection?: string): Place => ({
	name,
	label: displayName,
	...(collection !== undefined && { collection }),
});

const entriesOf = ({ name, options = [] }: INodeProperties): Place[] =>
	options.flatMap((entry) => ('type' in entry ? [placeOf(entry, name)] : []));
