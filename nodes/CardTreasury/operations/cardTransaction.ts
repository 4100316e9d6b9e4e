import { entryOf } from '../../shared/isObject';
import { Problem } from '../../shared/problem';
import { notice, option } from '../fields/field';
import {
	calendarDay,
	CARD_ID,
	cardId,
	choices,
	optionalId,
	pairs,
	path as pathField,
	text,
	type Pairs,
} from '../fields/kinds';
import { path } from '../service/request';
import { notFound, operation, unknownCard } from './operation';
import { asItem, objectIn } from './reply';

/** Selects version 2 on a service that still has both (§9.2). */
const headers = { 'X-API-Version': '2' };

const queryParameters = option(
	pairs(
		'Query Parameters',
		"Parameters from your provider's API reference that this node does not offer, for example for paging",
	),
);

/** 412 of version 2 (§7.2, §9.4). */
const errors = [
	{
		status: 412,
		message: 'The card is not an enterprise card, or version 2 does not know what was asked for',
		fix: 'For an individual card, download a statement instead.',
	},
];

/** Families of operations, and what each covers (§9.6). */
const FAMILIES = Object.fromEntries(
	Object.entries({
		CARDNET_DIRECT_DEPOSIT: 'Push-transfer deposits over the card network',
		OVERRIDE_VIRTUAL_BALANCE: "Manual adjustments of the card's virtual balance",
		PURCHASE:
			'Authorizations, approvals, clearings, reversals, refunds, declines, closing adjustments',
		WALLET_DEPOSIT: 'Deposits into the card wallet',
		WALLET_WITHDRAWAL: 'Withdrawals from the card wallet',
		WARRANTY_DEPOSIT: 'Deposits into the warranty wallet',
		WARRANTY_WITHDRAWAL: 'Withdrawals from the warranty wallet',
	}).map(([value, description]) => {
		const words = value.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
		return [value, { name: words.join(' '), description }];
	}),
);

export const search = operation({
	name: 'Search',
	action: 'Search card transactions',
	description: 'Search the transactions of an enterprise card (version 2)',
	effect: 'read',
	fields: {
		declinedNotice: notice(
			'For enterprise cards only. A declined purchase appears as PURCHASE with the attempted amount: use Get to see how a purchase ended. For one item per transaction, put Split Out behind this node.',
		),
		cardId: cardId('ID of an enterprise card'),
		operations: choices(
			'Transaction Types',
			FAMILIES,
			'Which transactions to return. What the service returns when none is chosen is not documented.',
		),
		queryParameters,
	},
	errors: [...errors, unknownCard],
	request: ({ cardId: id, operations, queryParameters: others = [] }) => ({
		method: 'GET',
		path: path`/cards/transactions/${id}/search`,
		headers,
		query: [...(operations.length > 0 ? [joined(operations)] : []), ...others],
	}),
	output: (reply) => ({ items: [asItem(objectIn(reply))] }),
});

/** Several are joined by commas. §4.11 does not show the form. */
const joined = (families: string[]): Pairs[number] => ['operations', families.join(',')];

export const get = operation({
	name: 'Get',
	action: 'Get card transaction',
	description: 'Get one transaction of an enterprise card, with its outcome and fees (version 2)',
	effect: 'read',
	fields: {
		pathNotice: notice("For enterprise cards only. Your provider's API reference shows this path."),
		path: pathField('Endpoint Path', {
			placeholder: 'e.g. /…/{cardId}/…/{transactionId}',
			description: 'Write {cardId} and {transactionId} where the IDs belong',
		}),
		cardId: optionalId(...CARD_ID, 'Replaces {cardId}'),
		transactionId: optionalId('Transaction ID', 'e.g. op-0001', 'Replaces {transactionId}'),
		queryParameters,
	},
	errors: [...errors, notFound('Transaction', 'Endpoint Path, Card ID and Transaction ID')],
	request: ({ path: template, queryParameters: query, ...ids }) => ({
		method: 'GET',
		path: filled(template, ids),
		headers,
		query,
	}),
	output: (reply) => ({ items: [asItem(objectIn(reply))] }),
});

/** @throws Problem if an ID of the path is missing */
function filled(template: string, ids: Record<string, string | undefined>): string {
	return template.replace(/\{(\w*)\}/g, (placeholder, name: string) => {
		const id = entryOf(ids, name);
		if (id !== undefined) return encodeURIComponent(id);
		throw new Problem(
			`Endpoint Path has ${placeholder}, which has no value`,
			'Write {cardId} or {transactionId}, and enter the ID below.',
		);
	});
}

export const downloadStatement = operation({
	name: 'Download Statement',
	action: 'Download card statement',
	description: 'Download the transactions of a card as a PDF',
	effect: 'read',
	level: 1,
	fields: {
		cardId: cardId('ID of the card that the statement is about'),
		fromDate: calendarDay('From Date', "First day of the statement, in the workflow's time zone"),
		toDate: calendarDay(
			'To Date',
			"Last day of the statement, in the workflow's time zone. Whether the service includes it is not documented.",
		),
		binaryPropertyName: text('Put Output File in Field', {
			default: 'data',
			hint: 'The name of the output binary field to put the file in',
		}),
		fileName: option(text('File Name', { placeholder: 'e.g. january.pdf' })),
	},
	errors: [{ ...unknownCard, status: 412 }, unknownCard],
	request: ({ cardId: id, fromDate, toDate }) => ({
		method: 'GET',
		path: path`/cards/transactions/${id}/pdf`,
		query: [
			['from_date', fromDate],
			['to_date', toDate],
		],
	}),
	output: ({ traceId, bytes }, { cardId: id, fromDate, toDate, ...file }) => {
		// Readers accept other bytes before the header.
		if (!bytes.subarray(0, 1_024).includes('%PDF-'))
			throw new Problem('The reply is not a PDF', 'Try again.', 'rejected', { traceId });
		const name =
			file.fileName ?? `statement_${id.replace(/[^\w.-]/g, '_')}_${fromDate}_${toDate}.pdf`;
		return {
			items: [{ card_id: id, from_date: fromDate, to_date: toDate, trace_id: traceId }],
			files: { [file.binaryPropertyName]: { bytes, name, type: 'application/pdf' } },
		};
	},
});
