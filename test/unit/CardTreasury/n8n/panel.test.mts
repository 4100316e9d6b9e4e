import { runInNewContext } from 'node:vm';
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';

const { description } = new CardTreasury();
// As the editor gets it.
const { properties } = JSON.parse(JSON.stringify(description)) as typeof description;
const valuesOf = (name: string, resource?: string) =>
	properties
		.filter((each) => each.name === name)
		.filter((each) => !resource || each.displayOptions?.show?.resource?.includes(resource))
		.flatMap(({ options = [] }) =>
			options.flatMap((each) => ('value' in each ? [each.value] : [])),
		);
const OPERATIONS = valuesOf('resource').flatMap((resource) =>
	valuesOf('operation', String(resource)).map((operation) => [resource, operation] as const),
);

/** What n8n shows of these properties, while the node is used as a tool or not. */
const shown = (of: INodeProperties[], isTool: boolean, values: INodeParameters, all = values) =>
	of.filter((property) =>
		NodeHelpers.displayParameter(
			values,
			property,
			{ typeVersion: 1 },
			{ ...description, name: isTool ? 'cardTreasuryTool' : 'cardTreasury' },
			all,
		),
	);

describe('new node', () => {
	it('it starts with Card: Get', () => {
		const { resource, operation } = NodeHelpers.getNodeParameters(
			properties,
			{},
			true,
			false,
			{ typeVersion: 1 },
			description,
		)!;
		expect([resource, operation]).toEqual(['card', 'get']);
	});
});

describe('subtitle', () => {
	const subtitle = (parameters: INodeParameters) =>
		runInNewContext(/^=\{\{(.*)\}\}$/s.exec(description.subtitle!)![1]!, {
			$parameter: parameters,
		});

	it('it is the action of the chosen operation', () => {
		for (const { value, operations } of RESOURCES)
			for (const [operation, { action }] of operations)
				expect(subtitle({ resource: value, operation })).toBe(action);
	});

	it('it shows the value of an expression that is not an operation', () => {
		expect(subtitle({ resource: 'card', operation: 'delete' })).toBe('card: delete');
	});
});

it('the list of operations is not empty', () => {
	expect(OPERATIONS.length).toBeGreaterThanOrEqual(16);
});

describe.each([false, true])('panel (used as a tool: %s)', (isTool) => {
	it.each(OPERATIONS)('%s: %s shows each of its fields and options once', (resource, operation) => {
		for (const amountMode of ['fixed', 'aboveFloor']) {
			const chosen = { resource, operation, amountMode, returnAll: false } as INodeParameters;
			const fields = shown(properties, isTool, chosen);
			const names = fields.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
			expect(names.filter((name) => name === 'operation')).toHaveLength(1);
			const options = fields.find(({ name }) => name === 'options')?.options ?? [];
			const each = shown(options as INodeProperties[], isTool, {}, chosen);
			expect(new Set(each.map(({ name }) => name)).size).toBe(each.length);
			expect(new Set(options.map(({ name }) => name)).size).toBeGreaterThanOrEqual(each.length);
		}
	});

	it.each(OPERATIONS)('%s: %s shows at most one notice', (resource, operation) => {
		const fields = shown(properties, isTool, { resource, operation } as INodeParameters);
		expect(fields.filter(({ type }) => type === 'notice').length).toBeLessThanOrEqual(1);
	});

	it('the notice that a transfer moves money is shown', () => {
		const fields = shown(properties, isTool, { resource: 'wallet', operation: 'transfer' });
		expect(fields.filter(({ type }) => type === 'notice').map(({ name }) => name)).toEqual([
			isTool ? 'toolNotice' : 'transferNotice',
		]);
	});

	it('the fields of another operation are not shown', () => {
		const names = shown(properties, isTool, { resource: 'card', operation: 'freeze' });
		expect(names.map(({ name }) => name)).toEqual(['resource', 'operation', 'cardId', 'options']);
	});
});
