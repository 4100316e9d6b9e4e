import lodash from 'lodash';
import type { IDataObject, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import type { Host } from '../../../nodes/CardTreasury/n8n/host.ts';
import { failedItem } from '../../../nodes/CardTreasury/n8n/render.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { answerAuthorization } from '../../../nodes/CardTreasuryTrigger/answer.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { ENTRIES } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { readDeciding } from '../../../nodes/CardTreasuryTrigger/settings.ts';
import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { outputOf } from '../../tools/docs/outputSchemas.mts';

/**
 * Lists every name that saved workflows or readers of their output depend on, sorted. Notices are omitted, because they
 * have no value.
 */
export function savedNames(): string[] {
	const credential = new CardTreasuryApi();
	return [
		...lines(`credential ${credential.name}`, fieldsOf(credential.properties)),
		...lines('action', actionNames()),
		...lines('trigger', triggerNames()),
	]
		.filter((line, index, all) => all.indexOf(line) === index)
		.sort();
}

const lines = (above: string, names: string[]) => names.map((name) => `${above} · ${name}`);
const shown = (value: unknown) => JSON.stringify(value);

function nodeNames({ name, version, credentials = [] }: INodeTypeDescription): string[] {
	return [
		`node ${name} · version ${shown(version)}`,
		...credentials.map((each) => `credential ${each.name}`),
	];
}

function actionNames(): string[] {
	const { description } = new CardTreasury();
	const placed = description.properties.flatMap((property) =>
		lines(placeOf(property), fieldsOf([property])),
	);
	const outputs = RESOURCES.flatMap(({ value, operations }) =>
		operations.flatMap(([name, operation]) =>
			lines(`${value}: ${name} · output`, [
				...pathsOf(outputOf(operation)),
				...pathsOf(operation.otherOutput?.shape ?? {}),
			]),
		),
	);
	const failure = new InvalidFieldError('Amount', 'is not set', 'Enter it.');
	const host: Host = Object.assign(Object.create(null), {
		node: { name: 'Card Treasury', type: description.name },
		isTool: false,
	});
	const { json } = failedItem(host, failure, 0, 'not_sent');
	return [
		...nodeNames(description),
		...placed,
		...outputs,
		...lines('a failed item · output', pathsOf(json)),
	];
}

/** Returns the operation of a parameter. */
function placeOf({ displayOptions }: INodeProperties): string {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return [...resource, ...operation].join(': ') || 'all';
}

function triggerNames(): string[] {
	const { description } = new CardTreasuryTrigger();
	const webhooks = (description.webhooks ?? []).map(
		({ name, httpMethod, path }) => `webhook ${name}: ${String(httpMethod)} ${path}`,
	);
	const outputs = ENTRIES.map(({ name, output }) => `event ${name}, its output "${output}"`);
	return [
		...nodeNames(description),
		...webhooks,
		...outputs,
		...fieldsOf(description.properties),
		...lines('output', pathsOf(addedFields())),
	];
}

/** Fields that the trigger adds to the event. A rule decides one authorization, and asks about the other. */
function addedFields(): object {
	const rule = { name: 'r', decision: 'approve', conditions: { currencies: 'USD' } };
	const items = ['approve', 'ask'].map((decision) => {
		const rules = {
			rule: [
				{ ...rule, observeOnly: true },
				{ ...rule, decision },
			],
		};
		const settings = readDeciding((name, fallback) => (name === 'rules' ? rules : fallback));
		const data = { bill_currency_code: 'USD' };
		const envelope = {
			product: 'cards',
			event_type: 'authorization',
			operation_id: decision,
			data,
		};
		const host = { node: 'n', canRun: true, canAsk: true };
		return answerAuthorization({ envelope, headers: {}, arrivedAt: 0 }, settings, host).item!.json;
	});
	const { decision, delivery, summary } = lodash.merge({}, ...items) as IDataObject;
	return { decision, delivery, summary };
}

/** Lists parameters with type and default, their options, and the fields of collections. */
function fieldsOf(properties: INodeProperties[]): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap((property) => {
			const { name, type, default: initial, options = [], modes = [] } = property;
			return [
				`${name}: ${type}, default ${shown(initial)}`,
				...modes.map((mode) => `${name} · mode ${mode.name}`),
				...options.flatMap((option) => {
					if ('values' in option) return lines(`${name} · ${option.name}`, fieldsOf(option.values));
					if ('type' in option) return lines(name, fieldsOf([option]));
					return 'value' in option ? [`${name} · value ${shown(option.value)}`] : [];
				}),
			];
		});
}

/** Lists the paths of all fields; `[]` stands for the entries of a list. */
function pathsOf(shape: object): string[] {
	return Object.entries(shape).flatMap(([name, inner]: [string, unknown]) => {
		const isList = Array.isArray(inner);
		const entry: unknown = isList ? inner[0] : inner;
		const path = isList ? `${name}[]` : name;
		if (typeof entry !== 'object' || entry === null) return [path];
		return [path, ...pathsOf(entry).map((below) => `${path}.${below}`)];
	});
}
