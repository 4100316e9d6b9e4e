import { json, notFound, Rejected } from '../answer.mts';
import { reviewDocument, type SubmittedDocument } from '../documentReview.mts';
import { endpoint } from '../endpoint.mts';

export const listProductRequests = endpoint('4.3', ({ params, state }) =>
	json(200, state.productRequestsOf(params.clientId!)),
);

/** §1.6 names transfers, ramps and card operations only, so a repeated submission is processed again. */
export const submitDocument = endpoint('4.2', ({ params, state, body, execute }) => {
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
	const { document } = body as { document: SubmittedDocument };
	const rejected = reviewDocument(state, product, document);
	if (rejected.length === 0) execute({ operation: 'productRequest.submitDocument' });
	return json(200, { product, rejected_items: rejected });
});
