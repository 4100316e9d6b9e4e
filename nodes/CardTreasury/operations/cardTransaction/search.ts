import { choices, flag } from '../../../shared/fields/choice';
import { notice } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { cardId } from '../../../shared/fields/text';
import { isObject } from '../../../shared/isObject';
import type { JsonObject } from '../../request/input';
import { objectOf } from '../../request/request';
import { get, operation, type Hint } from '../operation';
import { replyOf } from '../reply';
import { NOT_ENTERPRISE, queryParameters, VERSION_2 } from './version2';

/** Transaction types (§9.6), in alphabetical order. */
const TYPES = {
	CARDNET_DIRECT_DEPOSIT: {
		name: 'Cardnet Direct Deposit',
		description: 'Push-transfer deposits over the card network',
	},
	OVERRIDE_VIRTUAL_BALANCE: {
		name: 'Override Virtual Balance',
		description: "Manual adjustments of the card's virtual balance",
	},
	PURCHASE: {
		name: 'Purchase',
		description:
			'Authorizations, approvals, clearings, reversals, refunds, declines, closing adjustments',
	},
	WALLET_DEPOSIT: { name: 'Wallet Deposit', description: 'Deposits into the card wallet' },
	WALLET_WITHDRAWAL: {
		name: 'Wallet Withdrawal',
		description: 'Withdrawals from the card wallet',
	},
	WARRANTY_DEPOSIT: { name: 'Warranty Deposit', description: 'Deposits into the warranty wallet' },
	WARRANTY_WITHDRAWAL: {
		name: 'Warranty Withdrawal',
		description: 'Withdrawals from the warranty wallet',
	},
};

export const search = operation({
	name: 'Search',
	action: 'Search card transactions',
	description: 'Search the transactions of an enterprise card (version 2)',
	section: '4.11',
	searchHint: 'list purchases, refunds, declines, deposits and withdrawals of an enterprise card',
	endpoint: get('/cards/transactions/{cardId}/search'),
	effect: 'read',
	answer: 'object',
	timeoutMs: 30_000,
	headers: VERSION_2,
	fields: {
		declinedNotice: notice(
			'This works for enterprise cards only. For an individual card, use Download Statement. A declined purchase appears as PURCHASE with the attempted amount, so the sum of bill_amount includes declined purchases. Use Get to see how a purchase ended.',
		),
		cardId: cardId('ID of an enterprise card'),
		operations: choices(
			'Transaction Types',
			TYPES,
			'Which transactions to return. What the service returns when none is chosen is not documented.',
		),
		splitMovements: flag(
			'One Item per Transaction',
			'Whether to return one item per transaction instead of the whole response as one item',
			false,
		),
	},
	options: { queryParameters },
	errors: [
		{
			status: 412,
			message: 'The card is not an enterprise card, or a transaction type is not available',
			fix: `${NOT_ENTERPRISE} Several Transaction Types are sent as one comma-separated parameter; if your provider's API reference shows another form, leave Transaction Types empty and add "operations" under Query Parameters in the options.`,
		},
	],
	query: ({ operations, queryParameters: others }) => [
		// Several types are joined by commas. §4.11 does not show the form.
		...(operations.length > 0 ? [['operations', operations.join(',')] as [string, string]] : []),
		...others,
	],
	items: (answer, { splitMovements }) =>
		splitMovements ? movementsIn(objectOf(answer)) : [objectOf(answer)],
	hints: pagingHint,
	// The list of transactions is missing here, because its name is not documented (§4.11).
	output: { total_elements: 'number' },
	otherOutput: {
		when: 'with One Item per Transaction on',
		shape: { operation: 'string', bill_amount: 'number', total_elements: 'number' },
	},
});

/** Finds the list of transactions by the fields of its entries, because its name is not documented (§4.11). */
function movementsIn(answer: JsonObject): JsonObject[] {
	const lists = listsIn(answer);
	const movements = lists.filter(isMovements);
	const areEmpty = lists.length > 0 && lists.every(({ length }) => length === 0);
	if (areEmpty || answer.total_elements === 0) return [];
	const [found] = movements;
	if (found === undefined || movements.length > 1) {
		const reply = lists.length === 0 ? replyOf(answer) : undefined;
		throw new InvalidFieldError(
			'One Item per Transaction',
			'needs exactly one list of transactions in the answer',
			reply === undefined
				? 'Turn the option off, and split the answer with a Split Out node.'
				: `The service replied: "${reply}".`,
		);
	}
	return found.map((movement) => ({ ...movement, total_elements: answer.total_elements ?? null }));
}

function listsIn(answer: JsonObject): unknown[][] {
	return Object.values(answer).filter((value): value is unknown[] => Array.isArray(value));
}

function isMovements(list: unknown[]): list is JsonObject[] {
	return list.length > 0 && list.every((row) => isObject(row) && 'operation' in row);
}

/** Adds a hint if the reply has fewer transactions than `total_elements`. Paging is not documented (§4.11). */
function pagingHint(results: JsonObject[][]): Hint[] {
	const isPartial = results.some((items) => {
		const [first = {}] = items;
		const total = Number(first.total_elements);
		const movements = listsIn(first).find(isMovements);
		// With One Item per Transaction on, each item is one transaction.
		const shown = 'operation' in first ? items.length : (movements?.length ?? total);
		return shown < total;
	});
	const message =
		'A reply holds only part of the transactions (see total_elements). Other pages need parameters under Query Parameters in the options.';
	return isPartial ? [{ message }] : [];
}
