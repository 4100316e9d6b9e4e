import { foundInstead, listLimit } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import { objectsIn } from '../../request/request';
import { operation } from '../operation';
import {
	client,
	isChosen,
	PRODUCT_REQUEST,
	PRODUCT_REQUESTS,
	productLabel,
	products,
	statuses,
	statusLabel,
	unknownClient,
} from './productRequests';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many KYC product requests',
	description:
		'List the product enablement requests (KYC) of a client, newest first, including rejected ones',
	section: '4.3',
	endpoint: PRODUCT_REQUESTS,
	level: 1,
	effect: 'read',
	answer: 'array',
	timeoutMs: 15_000,
	fields: {
		clientId: client,
		...listLimit,
		filters: collection('Filters', 'Add filter', { products, statuses }),
	},
	errors: [unknownClient],
	items: ({ json }, { filters, limit }) =>
		objectsIn(json)
			.filter(
				({ product, status }) =>
					isChosen(filters.products, product) && isChosen(filters.statuses, status),
			)
			.slice(0, limit),
	unmatched: ({ json }) =>
		foundInstead(
			'product requests',
			objectsIn(json).map(
				({ product, status }) => `${productLabel(product)}: ${statusLabel(status)}`,
			),
		),
	output: PRODUCT_REQUEST,
});
