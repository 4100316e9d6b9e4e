import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../service/isObject';
import { serviceOperation, type KnownRefusal, type ServiceAnswer } from '../../operation';
import { fillPath } from '../../parameters/path';
import { FieldRefusal, readId, readPairs, readTexts } from '../../parameters/reader';
import { idField, pairsField } from '../fields';
import { asItem } from '../items';

const PATH = '/cards/transactions/{cardId}/search';

/** §9.6 */
const OPERATIONS = [
	{ name: 'Cardnet Direct Deposit', value: 'CARDNET_DIRECT_DEPOSIT' },
	{ name: 'Override Virtual Balance', value: 'OVERRIDE_VIRTUAL_BALANCE' },
	{ name: 'Purchase', value: 'PURCHASE' },
	{ name: 'Wallet Deposit', value: 'WALLET_DEPOSIT' },
	{ name: 'Wallet Withdrawal', value: 'WALLET_WITHDRAWAL' },
	{ name: 'Warranty Deposit', value: 'WARRANTY_DEPOSIT' },
	{ name: 'Warranty Withdrawal', value: 'WARRANTY_WITHDRAWAL' },
];

/** §7.2: why version 2 refuses. */
export const versionTwoRefusal: KnownRefusal = {
	status: 412,
	message: 'Version 2 of the card transactions does not cover this request',
	fix: 'It is for enterprise cards only, and knows only the operations in the list. For an individual card, download a statement instead.',
};

export const search = serviceOperation({
	value: 'search',
	displayName: 'Search',
	action: 'Search card transactions',
	description: 'Search the operations of an enterprise card (version 2)',
	section: '4.11',
	endpoint: { method: 'GET', path: PATH },
	effect: 'read',
	answer: 'object',
	timeoutMs: 30_000,
	refusals: [versionTwoRefusal],
	properties: [
		{
			displayName:
				'A declined purchase is listed as a PURCHASE with the attempted amount: the sum of bill_amount counts declines. How a purchase ended stands in its detail.',
			name: 'declinedNotice',
			type: 'notice',
			default: '',
		},
		idField('cardId', 'Card ID', 'e.g. crd_123'),
		{
			displayName: 'Operations',
			name: 'operations',
			type: 'multiOptions',
			options: OPERATIONS,
			default: [],
			description: 'Which operations to return. None chosen sends no filter.',
		},
		{
			displayName: 'Split Movements',
			name: 'splitMovements',
			type: 'boolean',
			default: false,
			description: 'Whether to return one item per movement instead of the answer as it came',
		},
	],
	options: [pairsField('Query Parameters', 'queryParameters')],
	fields: (parameters) => ({
		cardId: readId(parameters, 'cardId', 'Card ID'),
		operations: readTexts(parameters, 'operations', 'Operations').map((operation) => {
			if (OPERATIONS.some(({ value }) => value === operation)) return operation;
			throw new FieldRefusal(
				'Operations',
				`holds ${JSON.stringify(operation)}, which version 2 does not know`,
				`Use: ${OPERATIONS.map(({ value }) => value).join(', ')}.`,
			);
		}),
		split: parameters.get('splitMovements') === true,
		query: readPairs(parameters, 'options.queryParameters.parameter', 'Query Parameters'),
	}),
	request: ({ cardId, operations, query }) => ({
		method: 'GET',
		path: fillPath(PATH, { cardId }),
		headers: { 'X-API-Version': '2' },
		query: [
			...(operations.length > 0 ? [['operations', operations.join(',')] as [string, string]] : []),
			...query,
		],
	}),
	items: (answer, { split }) => (split ? movementsOf(answer) : asItem(answer)),
});

/** §4.11 names the fields of a movement but not the list: it is the one list of movements in the answer. */
function movementsOf(answer: ServiceAnswer) {
	const body = answer.json as IDataObject;
	const lists = Object.values(body).filter(Array.isArray) as unknown[][];
	const filled = lists.filter((list) => list.length > 0);
	const found = filled.length === 0 ? lists : filled.filter((list) => list.every(isMovement));
	const [movements] = found;
	if (movements === undefined || found.length > 1) {
		throw new FieldRefusal(
			'Split Movements',
			'finds no list of movements in the answer, or more than one',
			'Turn it off and split the answer with a Split Out node.',
		);
	}
	return movements.map((movement) => ({
		json: { ...(movement as IDataObject), total_elements: body.total_elements ?? null },
	}));
}

function isMovement(row: unknown): boolean {
	return isObject(row) && 'operation' in row;
}
