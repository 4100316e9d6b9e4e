import { gzipSync } from 'node:zlib';
import { request, type Dispatcher } from 'undici';

import { sampleEvent } from '../../simulator/index.mts';

/** Expected treatment of a delivery if all 17 events and `other` are chosen. */
type Fate =
	/** 401, nothing runs. */
	| 'unauthenticated'
	/** 4xx with a message, nothing runs. */
	| 'refused'
	/** 200, one execution. */
	| 'delivered';

/** Raw header lines, so that a header can be repeated or missing. */
type Headers = Array<[name: string, value: string]>;

const event = (overrides: Record<string, unknown> = {}) => sampleEvent('cards.cleared', overrides);
const sent = () => JSON.stringify(event());
/** Adds a field as JSON text, because an object literal would not have `__proto__` as its own key. */
const withJson = (field: string, json: string) =>
	JSON.stringify({ ...event(), [field]: '@' }).replace('"@"', () => json);
const NESTED = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
const POLLUTING = '{"__proto__":{"polluted":true}}';
const JSON_TYPE: [string, string] = ['content-type', 'application/json'];

/** Deliveries of which the HTTP server and the parsers of n8n see more than the trigger does. */
export function hostileDeliveries(key: string) {
	const keyed = (...more: Headers): Headers => [['x-webhook-key', key], ...more];
	const typed = (type: string) => keyed(['content-type', type]);
	const rows = (fate: Fate, bodies: Record<string, [body: unknown, headers?: Headers]>) =>
		Object.entries(bodies).map(([name, [body, headers = keyed(JSON_TYPE)]]) => ({
			...{ fate, name, body, headers },
		}));
	return [
		...rows('unauthenticated', {
			'no key': [event(), [JSON_TYPE]],
			'key in two lines': [event(), keyed(['x-webhook-key', key], JSON_TYPE)],
			'right key after a wrong one': [event(), [['x-webhook-key', 'wrong'], ...keyed(JSON_TYPE)]],
			'key in Latin-1': [event(), [['x-webhook-key', `${key}é`], JSON_TYPE]],
			'key of 8,000 characters': [event(), [['x-webhook-key', 'k'.repeat(8_000)], JSON_TYPE]],
			'no key and no event': ['', [JSON_TYPE]],
			'no key and deep nesting': [withJson('data', NESTED), [JSON_TYPE]],
		}),
		...rows('refused', {
			'nothing at all': [''],
			null: ['null'],
			'a list': [[event()]],
			'an event as prototype': [`{"__proto__":${sent()}}`],
			'broken JSON': ['{"product":"cards",'],
			'not a number': [withJson('data', '{"a":NaN}')],
			'UTF-16': [Buffer.from(sent(), 'utf16le')],
			'data is a list': [{ ...event(), data: [] }],
			'JSON sent as text': [sent(), typed('text/plain')],
			'JSON without a content type': [sent(), keyed()],
			'JSON as bytes': [sent(), typed('application/octet-stream')],
			'a form': ['product=cards&data=x', typed('application/x-www-form-urlencoded')],
			XML: ['<event><product>cards</product></event>', typed('application/xml')],
		}),
		...rows('delivered', {
			'product is __proto__': [event({ product: '__proto__' })],
			'prototype keys': [withJson('data', `{"__proto__":{"polluted":true},"a":${POLLUTING}}`)],
			'prototype key of the envelope': [sent().replace('{', '{"__proto__":{"polluted":true},')],
			'a text of 2 MB': [event({ data: { note: 'x'.repeat(2_000_000) } })],
			'100,000 list entries': [event({ data: { list: Array(100_000).fill(0) } })],
			'nested 5,000 deep': [withJson('data', NESTED)],
			'an infinite amount': [withJson('data', '{"bill_amount":1e999}')],
			'operation_id of 1 MB': [event({ operation_id: 'o'.repeat(1_000_000) })],
			'a lone surrogate': [withJson('operation_id', '"\\ud800"')],
			'zero characters': [event({ operation_id: '\u0000\u0001' })],
			SQL: [event({ operation_id: "'; DROP TABLE execution_entity; --" })],
			expressions: [event({ data: { note: '={{ $env.N8N_ENCRYPTION_KEY }}', '={{ 1 }}': '2' } })],
			'a field twice': [`{"product":"treasury",${sent().slice(1)}`],
			'invalid UTF-8': [Buffer.from(sent().replace('{', '{"x":"\xff\xfe",'), 'latin1')],
			compressed: [gzipSync(sent()), keyed(JSON_TYPE, ['content-encoding', 'gzip'])],
			'a charset': [event(), typed('application/json; charset=utf-8')],
			'two timestamps': [
				event(),
				keyed(JSON_TYPE, ['x-request-timestamp', '1'], ['x-request-timestamp', '2']),
			],
			'a trace ID of 8,000 characters': [
				event(),
				keyed(JSON_TYPE, ['x-trace-id', 't'.repeat(8_000)]),
			],
		}),
	];
}

/** Posts text or bytes as they are, anything else as JSON. Header values are sent as Latin-1 bytes. */
export async function postRaw(
	url: string,
	{ body, headers }: { body: unknown; headers: Headers },
	dispatcher: Dispatcher,
): Promise<{ status: number; text: string }> {
	const answer = await request(url, {
		method: 'POST',
		headers: headers.flat(),
		body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
		dispatcher,
	});
	return { status: answer.statusCode, text: await answer.body.text() };
}
