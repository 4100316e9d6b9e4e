import { serviceOperation } from '../../operation';
import { checkPath, fillPath } from '../../parameters/path';
import { FieldRefusal, readId } from '../../parameters/reader';
import { idField } from '../fields';
import { asItem } from '../items';
import { versionTwoRefusal } from './search';

export const get = serviceOperation({
	value: 'get',
	displayName: 'Get',
	action: 'Get card transaction',
	description: 'Get one operation of an enterprise card with how it ended and its fees (version 2)',
	section: '4.12',
	endpoint: { method: 'GET', path: '(path not shown in the document: the user supplies it)' },
	effect: 'read',
	answer: 'object',
	timeoutMs: 15_000,
	refusals: [versionTwoRefusal],
	properties: [
		idField('cardId', 'Card ID', 'e.g. crd_123'),
		idField('transactionId', 'Transaction ID', 'e.g. txn_123'),
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			default: '',
			required: true,
			placeholder: "e.g. the path in the provider's reference, with {cardId} and {transactionId}",
			description:
				"Path of the transaction detail, copied from the provider's API reference. Write {cardId} and {transactionId} where the IDs belong.",
		},
	],
	fields: (parameters) => {
		const template = checkPath(parameters.get('path'), 'Path');
		if (!template.includes('{transactionId}')) {
			throw new FieldRefusal(
				'Path',
				'has no {transactionId}',
				'Write {transactionId} where the ID belongs.',
			);
		}
		return {
			template,
			cardId: readId(parameters, 'cardId', 'Card ID'),
			transactionId: readId(parameters, 'transactionId', 'Transaction ID'),
		};
	},
	request: ({ template, ...ids }) => ({
		method: 'GET',
		path: fillPath(template, ids),
		headers: { 'X-API-Version': '2' },
	}),
	items: asItem,
});
