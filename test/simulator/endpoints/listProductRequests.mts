import { json } from '../answer.mts';
import type { Endpoint } from '../endpoint.mts';

export const listProductRequests: Endpoint = {
	section: '4.3',
	method: 'GET',
	path: '/management/clients/individuals/{clientId}/products',
	level: 1,
	idempotent: false,
	handle: ({ params, state }) => json(200, state.productRequestsOf(params.clientId!)),
};
