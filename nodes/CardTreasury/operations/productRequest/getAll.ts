import { listLimit } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import { operation } from '../operation';
import {
	client,
	foundRequests,
	matching,
	PRODUCT_REQUEST,
	PRODUCT_REQUESTS,
	products,
	statuses,
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
	items: (answer, { filters, limit }) => matching(answer, filters).slice(0, limit),
	unmatched: (answer, { filters }) => foundRequests(answer, filters),
	output: PRODUCT_REQUEST,
});
