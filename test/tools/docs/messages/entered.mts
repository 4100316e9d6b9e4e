import type { INodeProperties } from 'n8n-workflow';

import { chosenOperation, RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';
import type { ItemFields } from '../../../../nodes/CardTreasury/operations/itemFields.ts';
import type { Operation } from '../../../../nodes/CardTreasury/operations/operation.ts';
import { callerOf, inputOf, type Item } from '../../../unit/CardTreasury/operations/reading.mts';
import { REQUESTS } from '../../../unit/CardTreasury/operations/requests.mts';
import { BAD_FILES, BAD_VALUES } from './badValues.mts';
import { GIVES_NOTHING, inTurn, provoke, type Message } from './message.mts';
import { SITUATIONS } from './situations.mts';

/** A field that can be filled in: among the parameters, or in one of the collections. */
interface Place {
	name: string;
	label: string;
	collection?: string;
}

export const OPERATIONS = RESOURCES.flatMap(({ value: resource, operations }) =>
	operations.map(([operation]) => `${resource}: ${operation}`),
);

/** What a user can have entered wrongly, in the order of the operations and their fields. */
export async function enteredMessages(): Promise<Message[]> {
	return await inTurn(OPERATIONS, async (name) => [
		...(await inTurn(placesOf(name), async (place) => await fieldMessages(name, place))),
		...(await inTurn(SITUATIONS[name] ?? [], async (work) => await provoke(work))),
	]);
}

/** What the bad values of a field give, each tried with every good item of the operation. */
export async function fieldMessages(name: string, place: Place): Promise<Message[]> {
	return await inTurn(BAD_VALUES[place.name] ?? [], async (value) =>
		inTurn(goodItems(name), async (good) =>
			provoke(async () => await read(name, withValue(good, place, value))),
		),
	);
}

/** Every field of an operation but its notices, those of its collections and of the options too. */
export function placesOf(name: string): Place[] {
	const operation = operationOf(name);
	return [
		...propertiesOf(operation.fields).flatMap((property): Place[] =>
			property.type === 'collection'
				? [placeOf(property), ...entriesOf(property)]
				: [placeOf(property)],
		),
		...(operation.kind === 'service' ? propertiesOf(operation.options) : []).map((property) =>
			placeOf(property, 'options'),
		),
	];
}

/** Items that an operation accepts; together they reach all of its fields. */
export function goodItems(name: string): Item[] {
	if (name === 'authorization: respond')
		return [{ parameters: { decision: 'other', responseCode: '51' } }];
	return REQUESTS.flatMap(([operation, item]) => (operation === name ? [item] : []));
}

function operationOf(name: string): Operation {
	const [resource = '', operation = ''] = name.split(': ');
	return chosenOperation(resource, operation);
}

/** How the fields look in the panel; a guard looks otherwise in a tool, but has the same names there. */
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

function withValue(good: Item, place: Place, value: unknown): Item {
	const given = value === GIVES_NOTHING ? undefined : value;
	const asSaved = value === GIVES_NOTHING ? '={{ $json.value }}' : value;
	return {
		...good,
		parameters: placed(good.parameters, place, given),
		raw: placed(good.parameters, place, asSaved),
		files: { ...good.files, ...BAD_FILES },
		isTool: false,
	};
}

function placed(parameters: Item['parameters'], { name, collection }: Place, value: unknown) {
	if (collection === undefined) return { ...parameters, [name]: value };
	return { ...parameters, [collection]: { ...(parameters[collection] as object), [name]: value } };
}

export async function read(name: string, item: Item): Promise<unknown> {
	const operation = operationOf(name);
	if (operation.kind !== 'service')
		return await operation.responseCode(inputOf(item), callerOf(item));
	const { refusal, ...work } = await operation.readWork(inputOf(item), callerOf(item));
	if (refusal) throw refusal;
	return work;
}
