import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';

import { compile, departures, DESCRIBED_ENDPOINTS } from '../../simulator/description.mts';
import { parseJson } from '../../simulator/parseJson.mts';
import { note, noteFields, word, type Facts } from './rows.mts';

interface Visit {
	baseUrl: string;
	keys: Record<number, string>;
	ids: Record<string, string | undefined>;
	write: boolean;
	/** Time between two requests, because the company has 15 a second. */
	pauseMs: number;
}

/** Request to the endpoint of a section, and the answer that the document names. It is not sent without an ID. */
type Step = [section: string, id: string | undefined, expected?: RegExp, request?: Request];
interface Request {
	key?: string;
	path?: string;
	query?: Record<string, string>;
	body?: object;
	headers?: object;
}

const NOTHING = '00000000-0000-4000-8000-00000000feed';

/**
 * Reads what the IDs allow. If writes are allowed, it freezes the card and unfreezes it.
 * @returns departures from the description, by section
 * @throws if the service does not answer, or refuses a key
 */
export async function visit({ baseUrl, keys, ids, write, pauseMs }: Visit, facts: Facts) {
	const wrong: Record<string, string[]> = {};
	const levels = Object.keys(keys).map(Number);
	const keyFrom = (lowest = 1) => keys[levels.find((level) => level >= lowest) ?? 0];

	/** @returns status and code; empty if it was not sent, the failure if nothing came */
	async function ask(name: string, [section, id, expected = /^200$/, request = {}]: Step) {
		const endpoint = DESCRIBED_ENDPOINTS.find((each) => each.section === section)!;
		const { path = endpoint.path, key = keyFrom(endpoint.level), query, body } = request;
		if (id === undefined || key === undefined) return '';
		const withAccount = path.replace('{accountId}', ids.account!);
		const place = withAccount.replace(/\{\w+\}/, encodeURIComponent(id));
		await wait(pauseMs);
		try {
			const json = body && { 'content-type': 'application/json' };
			const answer = await fetch(
				baseUrl + place + (query ? `?${new URLSearchParams(query)}` : ''),
				{
					...{ method: endpoint.method, redirect: 'manual', signal: AbortSignal.timeout(30_000) },
					headers: { 'x-api-key': key, ...json, ...request.headers },
					body: JSON.stringify(body),
				},
			);
			const { status, headers } = answer;
			const value: any = parseJson(await answer.text());
			const code = lodash.compact([status, value?.code && word(value.code)]).join(' ');
			note(facts, 'HTTP', code);
			note(facts, `${name}.HTTP`, code);
			if (status === 429) note(facts, 'retry-after', headers.get('retry-after') ?? 'not_said');
			if (status === 200) noteFields(facts, name, value);
			const schema = (endpoint.schema.response as Record<number, object>)[status] ?? {};
			const found = departures(compile(schema), value, String(status));
			if (!headers.has('x-trace-id')) found.push(`${status} without X-Trace-Id`);
			if (!expected.test(code)) found.push(`${name}: ${code}`);
			note(wrong, section, ...found.map((each) => each.replace(/\/\d+(?=[/ ])/g, '')));
			return code;
		} catch (thrown) {
			const { name: kind, cause } = thrown as { name: string; cause?: { code?: string } };
			note(wrong, section, `${name}: ${cause?.code ?? kind}`);
			return cause?.code ?? kind;
		}
	}
	const askAll = async (steps: Record<string, Step>) => {
		for (const [name, step] of Object.entries(steps)) await ask(name, step);
	};

	for (const level of levels) {
		const code = await ask('tokens', ['4.1', '', /^200$/, { key: keys[level] }]);
		if (code.startsWith('401')) throw new Error(`The key of level ${level} is wrong (401).`);
		if (!/^\d/.test(code)) throw new Error(`The service does not answer: ${code}`);
	}
	const { client, card, 'enterprise-card': enterprise, 'detail-path': path } = ids;
	const day = (ago: number) => new Date(Date.now() - ago * 864e5).toISOString().slice(0, 10);
	const from = { from_date: day(7) };
	const query = { ...from, to_date: day(0) };
	const [missing, refused, rejected] = [/^404 NOT_FOUND$/, /^412 VAL$/, /^4/];
	const headers = { 'x-api-version': '2' };
	const search = (operations: string) => ({ headers, query: { operations } });
	await askAll({
		'wrong key': ['4.1', '', /^401 AUTH$/, { key: 'wrong' }],
		requests: ['4.3', client],
		'unknown client': ['4.3', NOTHING, missing],
		card: ['4.6', card],
		'unknown card': ['4.6', NOTHING, missing],
		statement: ['4.9', card, /^200$/, { query }],
		'half a period': ['4.9', card, /./, { query: from }],
		'statement of no card': ['4.9', NOTHING, refused, { query }],
		'two operations': ['4.11', enterprise, /^200$/, search('PURCHASE,WALLET_DEPOSIT')],
		'internal name': ['4.11', enterprise, refused, search('TRANSACTION_CLEARED')],
		'individual card': ['4.11', card, refused, { headers }],
		detail: ['4.12', path, /^200$/, { path, headers }],
	});
	for (const level of levels) {
		const request = { key: keys[level], headers };
		const code = await ask('search', ['4.11', enterprise, /^(200|40[13].*)$/, request]);
		if (code) note(facts, 'levels', `level ${level}: ${code}`);
	}
	if (write) {
		const id = facts['card.status']?.[0] === 'ACTIVE' ? card : undefined;
		const [first, second, third] = [1, 2, 3].map(() => ({ 'idempotency-key': randomUUID() }));
		const after: Step = ['4.6', id];
		const dry = { to: '0x000000000000000000000000000000000000dEaD', amount: 0 };
		await askAll({
			rejection: ['4.7', id, rejected, { body: { freeze: 'probe' }, headers: first }],
			'after rejection': after,
			freeze: ['4.7', id, /^200$/, { body: { freeze: true }, headers: first }],
			'after freeze': after,
			unfreeze: ['4.7', id, /^200$/, { body: { freeze: false }, headers: second }],
			'after unfreeze': after,
			repetition: ['4.7', id, /^200$/, { body: { freeze: true }, headers: first }],
			'after repetition': after,
			end: ['4.7', id, /^200$/, { body: { freeze: false }, headers: third }],
			'after the end': after,
			'transfer of 0': ['4.5', ids.account && ids.wallet, rejected, { body: dry }],
		});
	}
	pauseMs = 0;
	for (let n = 0; n < 16 && !facts['retry-after']; n++)
		await ask('burst', ['4.1', '', /^(200|429)$/]);
	return wrong;
}
