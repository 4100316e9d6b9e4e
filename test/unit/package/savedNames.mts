import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import type { Host } from '../../../nodes/CardTreasury/n8n/host.ts';
import { failedItem } from '../../../nodes/CardTreasury/n8n/render.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { eventItem } from '../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { ENTRIES } from '../../../nodes/CardTreasuryTrigger/events/index.ts';
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
		...lines('output', pathsOf(fullItem())),
	];
}

/** Item of the trigger with every possible field. */
function fullItem(): object {
	const envelope = { product: 'p', event_type: 'e', operation_id: 'o', data: {} };
	const arrival = { at: 0, elapsed: () => 0, senderLeft: () => true };
	const decision = {
		response_code: '05',
		source: 'rule' as const,
		rule: 'r',
		observed: [{ rule: 'r', response_code: null, would_ask: true as const }],
	};
	const event = {
		name: 'p.e',
		envelope,
		key: 'k',
		issues: ['i'],
		arrival,
		traceId: 't',
		sentAt: 0,
	};
	const { json } = eventItem(event, { decision });
	const { decision: asked } = eventItem(event, { asked: { answerBy: 0 } }).json;
	return {
		delivery: json.delivery,
		decision: Object.assign({}, json.decision, asked),
		summary: json.summary,
	};
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
