import { json } from '../answer.mts';
import type { Endpoint } from '../endpoint.mts';

export const listTokens: Endpoint = {
	section: '4.1',
	method: 'GET',
	path: '/mpc/tokens/list',
	level: 1,
	idempotent: false,
	handle: ({ state }) => json(200, state.records.tokens),
};
