import type { FastifyPluginCallback } from 'fastify';

import { json } from './answer.mts';
import { kindOf } from './faults.mts';
import { send, type World } from './service.mts';

const same = (one: string, other = '') => one.toLowerCase() === other.toLowerCase();

/**
 * `POST /chain/rpc`: stand-in for a blockchain node, with `eth_call` of `balanceOf` and `eth_getBalance`. It is no part
 * of the service: it needs no key, has no limit, and answers errors with 200.
 */
export const chainReader =
	({ state, faults }: World): FastifyPluginCallback =>
	(app, _options, done) => {
		app.post('/chain/rpc', async (request, reply) => {
			const { id, method, params } = request.body as { id: unknown; method: string; params: any[] };
			const [first] = params;
			// Without a token, the native coin.
			const [holder, token] =
				method === 'eth_getBalance'
					? [first, '']
					: [/^0x70a08231(?:0{24})([0-9a-f]{40})$/i.exec(first?.data)?.[1], first?.to];
			const held = state.records.holdings.find(
				(each) => same(each.address.slice(-40), holder?.slice(-40)) && same(each.token, token),
			);
			const result = held ? `0x${BigInt(held.units).toString(16).padStart(64, '0')}` : '0x';
			const error = { code: -32602, message: 'invalid argument' };
			const own = json(200, { jsonrpc: '2.0', id, ...(holder ? { result } : { error }) });
			const fault = faults.take('POST', request.url);
			const kind = kindOf(fault);
			return send(reply, kind.instead?.(fault!) ?? kind.amend?.(own, fault!) ?? own);
		});
		done();
	};
