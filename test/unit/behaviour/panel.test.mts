import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { findOperation, RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { propertiesOf } from '../../../nodes/shared/fields/field.ts';
import { operationOf } from '../CardTreasury/operations/reading.mts';

const fieldsOf = (operation: Operation) => ({
	...operation.fields,
	...(operation.kind === 'service' ? operation.options : {}),
});
const shownOf = (fields: Operation['fields']): INodeProperties[] =>
	propertiesOf(fields, (name) => `methodOf_${name}`);
const all = RESOURCES.flatMap(({ value, operations }) =>
	operations.map(([name, operation]) => ({ name: `${value}: ${name}`, operation })),
);

it('a new node of each resource starts with an operation that changes nothing, if there is one', () => {
	expect(RESOURCES.map(({ value, startsWith }) => `${value}: ${startsWith}`)).toEqual([
		'token: getAll',
		'wallet: transfer',
		'rampTransfer: updateAmount',
		'card: get',
		'authorization: respond',
		'cardTransaction: search',
		'productRequest: getAll',
		'endpoint: request',
	]);
	expect(findOperation('card', 'get')?.name).toBe('Get');
	expect(findOperation('card', 'delete')).toBeUndefined();
	expect(findOperation('none', 'get')).toBeUndefined();
});

it('parameter names are those saved in workflows', () => {
	const names = all.map(({ name, operation }) => [
		name,
		Object.keys(operation.fields).filter((field) => !field.endsWith('Notice')),
		operation.kind === 'service' ? Object.keys(operation.options) : [],
	]);
	const retries = ['maxAttempts', 'maxTotalSeconds', 'requestsPerSecond', 'timeoutSeconds'];
	const write = ['dryRun', ...retries];
	expect(names).toEqual([
		['token: getAll', ['returnAll', 'limit', 'filters'], retries],
		[
			'wallet: transfer',
			[
				...['accountId', 'walletId', 'to', 'tokenAddress'],
				...['amountMode', 'amount', 'balance', 'floor'],
				...['referenceFrom', 'paymentReference', 'maximumAmount'],
			],
			[
				...['maximumTotal', 'maximumTransfers', 'allowedRecipients'],
				...['allowMissingChecksum', 'onlyInEnvironment', 'sweepMinimum', 'sweepMaximum', ...write],
			],
		],
		['rampTransfer: updateAmount', ['rampTransferId', 'amount'], ['maximumAmount', ...write]],
		['card: get', ['cardId', 'simplify'], retries],
		['card: configure3ds', ['cardId', 'type'], write],
		['card: freeze', ['cardId'], write],
		['card: unblock', ['cardId'], write],
		['card: unfreeze', ['cardId'], write],
		['authorization: respond', ['decision', 'responseCode'], []],
		[
			'cardTransaction: search',
			['cardId', 'operations', 'splitMovements'],
			['queryParameters', ...retries],
		],
		['cardTransaction: get', ['path', 'cardId', 'transactionId'], ['queryParameters', ...retries]],
		[
			'cardTransaction: downloadStatement',
			['cardId', 'fromDate', 'toDate', 'binaryPropertyName'],
			['fileName', ...retries],
		],
		['productRequest: getAll', ['clientId', 'returnAll', 'limit', 'filters'], retries],
		['productRequest: getMissingRequirements', ['clientId', 'itemPer', 'filters'], retries],
		[
			'productRequest: submitDocument',
			[
				...['clientId', 'productRequestId', 'documentType'],
				...['frontImageField', 'backImageField', 'metadata'],
			],
			['replace', 'dryRun', ...retries],
		],
		[
			'endpoint: request',
			['method', 'path', 'queryParameters', 'jsonBody'],
			['idempotencyKey', ...write],
		],
	]);
});

it('the default of each field can be saved, and each choice has its default among its options', () => {
	for (const { name, operation } of all) {
		for (const property of shownOf(fieldsOf(operation))) {
			expect([name, property.name, property.default]).not.toContain(undefined);
			if (property.type !== 'options') continue;
			const values = property.options?.map((option) => 'value' in option && option.value);
			expect([name, property.name, values]).toEqual([
				name,
				property.name,
				expect.arrayContaining([property.default]),
			]);
		}
	}
});

it('a list and a mapper name the method that fills them', () => {
	const [locator] = shownOf({
		tokenAddress: operationOf('wallet: transfer').fields.tokenAddress!,
	});
	expect(
		locator!.modes?.map(({ name, typeOptions }) => [name, typeOptions?.searchListMethod]),
	).toEqual([
		['list', 'methodOf_tokenAddress'],
		['id', undefined],
	]);
	const { metadata } = operationOf('productRequest: submitDocument').fields;
	expect(shownOf({ metadata: metadata! })[0]!.typeOptions?.resourceMapper).toMatchObject({
		resourceMapperMethod: 'methodOf_metadata',
	});
	const listed = all.flatMap(({ name, operation }) =>
		Object.entries(operation.fields).flatMap(([field, { list, mapper }]) =>
			list || mapper ? [`${name} ${field}`] : [],
		),
	);
	expect(listed).toEqual([
		'wallet: transfer tokenAddress',
		'productRequest: submitDocument productRequestId',
		'productRequest: submitDocument documentType',
		'productRequest: submitDocument metadata',
	]);
});

describe('n8n', () => {
	const transfer = operationOf('wallet: transfer');
	const properties: INodeProperties[] = [
		...shownOf(transfer.fields),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: shownOf(transfer.options),
		},
	];
	/** Parameters that n8n keeps, which are the shown ones. */
	const kept = (parameters: INode['parameters'], isTool: boolean) => {
		const type = {
			name: isTool ? 'cardTreasuryTool' : 'cardTreasury',
			properties,
		} as INodeTypeDescription;
		const node = { name: 'x', type: type.name, typeVersion: 1, parameters } as INode;
		return NodeHelpers.getNodeParameters(properties, parameters, true, false, node, type);
	};
	const shown = (name: string, isTool: boolean) =>
		[...properties, ...properties.at(-1)!.options!].filter(
			(option): option is INodeProperties =>
				'displayOptions' in option &&
				option.name === name &&
				NodeHelpers.displayParameter(
					{},
					option,
					{ typeVersion: 1 },
					{ name: isTool ? 'cardTreasuryTool' : 'cardTreasury' } as INodeTypeDescription,
					{ amountMode: 'aboveFloor' },
				),
		);

	it.each([
		'maximumAmount',
		'maximumTotal',
		'maximumTransfers',
		'allowedRecipients',
		'onlyInEnvironment',
		'sweepMinimum',
		'sweepMaximum',
		'allowMissingChecksum',
	])('shows %s once, and to an agent only as a fixed value', (name) => {
		expect(shown(name, false).map(({ noDataExpression }) => noDataExpression)).toEqual([undefined]);
		expect(shown(name, true).map(({ noDataExpression }) => noDataExpression)).toEqual([true]);
	});

	it.each([false, true])("shows the guards in a tool's collection: %s", (isTool) => {
		const options = { allowedRecipients: 'x', maximumTotal: '5' };
		const fixed = { amountMode: 'fixed', amount: '1', maximumAmount: '5', options };
		expect(kept(fixed, isTool)).toMatchObject(fixed);
	});

	it('shows only the fields of the chosen amount mode', () => {
		const given = {
			amountMode: 'aboveFloor',
			amount: '1',
			balance: '2',
			floor: '1',
			options: { sweepMaximum: '5' },
		};
		expect(kept(given, false)).not.toHaveProperty('amount');
		expect(kept(given, false)).toMatchObject({ balance: '2', options: { sweepMaximum: '5' } });
		const fixed = kept({ ...given, amountMode: 'fixed' }, false);
		expect(fixed).toMatchObject({ amount: '1', options: {} });
		expect(fixed).not.toHaveProperty('balance');
		expect(fixed).not.toHaveProperty('options.sweepMaximum');
	});

	it('shows Payment Reference only if the data name the payment', () => {
		const given = { referenceFrom: 'data', paymentReference: 'INV-1' };
		expect(kept(given, false)).toMatchObject(given);
		const daily = kept({ ...given, referenceFrom: 'oncePerDay' }, false);
		expect(daily).not.toHaveProperty('paymentReference');
	});
});

it('only an operation with a token mentions one', () => {
	const speaking = all.filter(({ operation }) =>
		shownOf(fieldsOf(operation)).some(({ description = '' }) => /\btoken\b/.test(description)),
	);
	expect(speaking.map(({ name }) => name)).toEqual(['wallet: transfer']);
});
