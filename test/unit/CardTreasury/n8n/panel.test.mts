import { runInNewContext } from 'node:vm';
import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';

const { description, methods } = new CardTreasury();
// As the editor gets it.
const { properties } = JSON.parse(JSON.stringify(description)) as typeof description;
const OPERATIONS = RESOURCES.flatMap(({ value, operations }) =>
	operations.map(([operation]) => [value, operation] as const),
);
const TRANSFER = { resource: 'wallet', operation: 'transfer' };

const typeOf = (isTool: boolean) => ({
	...description,
	properties,
	name: isTool ? 'cardTreasuryTool' : 'cardTreasury',
});
/** Properties of this list that n8n shows, while the node is used as a tool or not. */
const shown = (of: INodeProperties[], isTool: boolean, values: INodeParameters, all = values) =>
	of.filter((property) =>
		NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, typeOf(isTool), all),
	);
/** Parameters that n8n keeps, which are the shown ones. */
const kept = (parameters: INodeParameters, isTool = false) =>
	NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		{ typeVersion: 1 },
		typeOf(isTool),
	)!;

it('a new node starts with Card: Get', () => {
	const { resource, operation } = kept({});
	expect([resource, operation]).toEqual(['card', 'get']);
});

describe('subtitle', () => {
	const subtitle = (parameters: INodeParameters) =>
		runInNewContext(/^=\{\{(.*)\}\}$/s.exec(description.subtitle!)![1]!, {
			$parameter: parameters,
		});

	it('the subtitle is the action of the chosen operation', () => {
		for (const { value, operations } of RESOURCES)
			for (const [operation, { action }] of operations)
				expect(subtitle({ resource: value, operation })).toBe(action);
	});

	it('an expression that is not an operation is shown by its value', () => {
		expect(subtitle({ resource: 'card', operation: 'delete' })).toBe('card: delete');
	});
});

describe.each([false, true])('panel (used as a tool: %s)', (isTool) => {
	it.each(OPERATIONS)('%s: %s shows each field and option once', (resource, operation) => {
		for (const amountMode of ['fixed', 'aboveFloor']) {
			const chosen = { resource, operation, amountMode, returnAll: false } as INodeParameters;
			const fields = shown(properties, isTool, chosen);
			const names = fields.map(({ name }) => name);
			expect(new Set(names).size).toBe(names.length);
			expect(names).toContain('operation');
			expect(fields.filter(({ type }) => type === 'notice').length).toBeLessThanOrEqual(1);
			const options = fields.find(({ name }) => name === 'options')?.options ?? [];
			const each = shown(options as INodeProperties[], isTool, {}, chosen);
			expect(new Set(each.map(({ name }) => name)).size).toBe(each.length);
		}
	});

	it('the notice that a transfer moves money is shown', () => {
		const fields = shown(properties, isTool, TRANSFER);
		expect(fields.filter(({ type }) => type === 'notice').map(({ name }) => name)).toEqual([
			isTool ? 'toolNotice' : 'transferNotice',
		]);
	});

	it('the fields of another operation are not shown', () => {
		const names = shown(properties, isTool, { resource: 'card', operation: 'freeze' });
		expect(names.map(({ name }) => name)).toEqual(['resource', 'operation', 'cardId', 'options']);
	});

	it.each([
		'maximumAmount',
		'maximumTotal',
		'maximumTransfers',
		'allowedRecipients',
		'onlyInEnvironment',
		'approvalAbove',
		'sweepMinimum',
		'sweepMaximum',
		'allowMissingChecksum',
	])('the guard %s is shown once, and in a tool only as a fixed value', (name) => {
		const chosen = { ...TRANSFER, amountMode: 'aboveFloor' };
		const fields = shown(properties, isTool, chosen);
		const { options } = fields.find((each) => each.name === 'options')!;
		const found = [...fields, ...shown(options as INodeProperties[], isTool, {}, chosen)].filter(
			(each) => each.name === name,
		);
		expect(found.map(({ noDataExpression }) => noDataExpression ?? false)).toEqual([isTool]);
	});

	it('n8n keeps the values of the guards', () => {
		const options = { allowedRecipients: 'x', maximumTotal: '5' };
		const fixed = { amountMode: 'fixed', amount: '1', maximumAmount: '5', options };
		expect(kept({ ...TRANSFER, ...fixed }, isTool)).toMatchObject(fixed);
	});
});

describe('fields that depend on others', () => {
	it('the amount mode decides which amounts n8n keeps', () => {
		const amounts = { amount: '1', balance: '2', floor: '1', options: { sweepMaximum: '5' } };
		const sweep = kept({ ...TRANSFER, ...amounts, amountMode: 'aboveFloor' });
		expect(sweep).not.toHaveProperty('amount');
		expect(sweep).toMatchObject({ balance: '2', options: { sweepMaximum: '5' } });
		const fixed = kept({ ...TRANSFER, ...amounts, amountMode: 'fixed' });
		expect(fixed).toMatchObject({ amount: '1', options: {} });
		expect(fixed).not.toHaveProperty('balance');
		expect(fixed).not.toHaveProperty('options.sweepMaximum');
	});

	it('n8n keeps a Payment Reference only if the data name the payment', () => {
		const given = { ...TRANSFER, referenceFrom: 'data', paymentReference: 'INV-1' };
		expect(kept(given)).toMatchObject(given);
		expect(kept({ ...given, referenceFrom: 'oncePerDay' })).not.toHaveProperty('paymentReference');
	});
});

it('every list and mapper has its method', () => {
	const texts = JSON.stringify(properties);
	const named = (key: string) =>
		[...texts.matchAll(new RegExp(`"${key}":"(\\w+)"`, 'g'))].map(([, name]) => name!).sort();
	expect(Object.keys(methods!.listSearch!).sort()).toEqual(named('searchListMethod'));
	expect(Object.keys(methods!.resourceMapping!).sort()).toEqual(named('resourceMapperMethod'));
	expect(named('searchListMethod')).toHaveLength(3);
	expect(named('resourceMapperMethod')).toHaveLength(1);
});
