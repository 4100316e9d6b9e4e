import { serviceOperation } from '../../operation';
import { readLimit, readTexts } from '../../parameters/reader';
import { filtersField, idField, limitField, returnAllField } from '../fields';
import { asList } from '../items';
import {
	isChosen,
	LIST_PATH,
	listRequest,
	productsFilter,
	readClient,
	statusesFilter,
} from './listing';
import { unknownClient } from './refusals';

export const getAll = serviceOperation({
	value: 'getAll',
	displayName: 'Get Many',
	action: 'Get many product requests',
	description:
		'List the product enablement requests (KYC) of a client, newest first, with the rejected ones',
	section: '4.3',
	endpoint: { method: 'GET', path: LIST_PATH },
	level: 1,
	effect: 'read',
	answer: 'array',
	timeoutMs: 15_000,
	refusals: [unknownClient],
	properties: [
		idField('clientId', 'Client ID', 'e.g. cli_123'),
		returnAllField,
		limitField,
		filtersField([productsFilter, statusesFilter]),
	],
	fields: (parameters) => ({
		...readClient(parameters),
		limit: readLimit(parameters),
		statuses: readTexts(parameters, 'filters.statuses', 'Statuses'),
	}),
	request: ({ clientId }) => listRequest(clientId),
	items: (answer, { products, statuses, limit }) =>
		asList(answer)
			.filter(
				(request) => isChosen(products, request.product) && isChosen(statuses, request.status),
			)
			.slice(0, limit)
			.map((json) => ({ json })),
});
