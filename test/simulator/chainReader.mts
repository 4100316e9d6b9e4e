import type { FastifyPluginCallback } from 'fastify';

import { json, type Answer } from './answer.mts';
import { kindOf } from './faults.mts';
import { send, type World } from './service.mts';

/** Path prefix of a stand-in for a blockchain reader. It is no part of the service: it needs no key, and has no limit. */
export const CHAIN_PREFIX = '/chain/';

/**
 * Balances as chain readers give them: the API of block explorers (`GET /chain/api`, `tokenbalance` and `balance`), and a
 * blockchain node (`POST /chain/rpc`, `eth_call` of `balanceOf` and `eth_getBalance`). Both answer errors with 200.
 */
export const chainReader =
	({ state, faults }: World): FastifyPluginCallback =>
	(app, _options, done) => {
		app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, next) => {
			next(null, text);
		});
		/** Balance in the smallest unit. Without a token, that of the native coin. */
		const held = (address = '', token = '') => {
			const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
			return state.records.holdings.find(
				(each) => same(each.address, address) && same(each.token, token),
			)?.units;
		};
		const answer = (method: string, path: string, own: object): Answer => {
			const fault = faults.take(method, path);
			const kind = kindOf(fault);
			const given = json(200, own);
			return kind.instead?.(fault!) ?? kind.amend?.(given, fault!) ?? given;
		};
		app.get('api', async (request, reply) => {
			const { action, address, contractaddress } = request.query as Record<string, string>;
			const units = held(address, action === 'balance' ? '' : contractaddress) ?? '0';
			const own = /^0x[0-9a-f]{40}$/i.test(address ?? '')
				? { status: '1', message: 'OK', result: units }
				: { status: '0', message: 'NOTOK', result: 'Error! Invalid address format' };
			return send(reply, answer('GET', request.url, own));
		});
		app.post('rpc', async (request, reply) => {
			const asked = JSON.parse(String(request.body)) as {
				id: unknown;
				method: string;
				params: any[];
			};
			const [first] = asked.params;
			const native = asked.method === 'eth_getBalance';
			const holder = native ? first : /^0x70a08231(?:0{24})([0-9a-f]{40})$/i.exec(first?.data)?.[1];
			const units = held(native ? holder : `0x${holder}`, native ? '' : first?.to);
			const hex = units === undefined ? '0x' : `0x${BigInt(units).toString(16).padStart(64, '0')}`;
			const about = { jsonrpc: '2.0', id: asked.id };
			const own = holder
				? { ...about, result: hex }
				: { ...about, error: { code: -32602, message: 'invalid argument' } };
			return send(reply, answer('POST', request.url, own));
		});
		done();
	};
