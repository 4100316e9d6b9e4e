import { invalid, json, notFound, Rejected } from '../answer.mts';
import { bodyObject } from '../body.mts';
import { reviewDocument } from '../documentReview.mts';
import { endpoint } from '../endpoint.mts';

export const listProductRequests = endpoint(
	'4.3',
	'GET /management/clients/individuals/{clientId}/products',
	1,
	({ params, state }) => json(200, state.productRequestsOf(params.clientId!)),
);

/** §1.6 names transfers, ramps and card operations only, so a repeated submission is processed again. */
export const submitDocument = endpoint(
	'4.2',
	'POST /management/clients/individuals/{clientId}/products/{productRequestId}/documentation',
	3,
	({ params, state, body, execute }) => {
		const product = state
			.productRequestsOf(params.clientId!)
			.find(({ id }) => id === params.productRequestId);
		if (!product) throw notFound('Product enablement request', params.productRequestId!);
		if (product.status !== 'pending_documentation') {
			throw new Rejected(
				409,
				'VAL',
				`The product enablement request is not pending documentation but ${product.status}`,
			);
		}
		const { document } = bodyObject(body);
		if (typeof document !== 'object' || document === null)
			throw invalid('document is required and must be an object');
		const rejected = reviewDocument(state, product, document as Record<string, unknown>);
		if (rejected.length === 0) execute({ operation: 'productRequest.submitDocument' });
		return json(200, { product, rejected_items: rejected });
	},
);
