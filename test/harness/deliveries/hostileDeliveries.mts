import { gzipSync } from 'node:zlib';

import { EVENT_NAMES, sampleEvent } from '../../simulator/index.mts';

/** Expected treatment of a delivery if all 17 events and `other` are chosen. */
type Fate =
	/** 401, nothing runs. */
	| 'unauthenticated'
	/** 4xx with a message, nothing runs. */
	| 'refused'
	/** 200, one execution. */
	| 'delivered'
	/** 200, one execution, and the item lists the deviations from §6.5. */
	| 'delivered with issues';

interface HostileDelivery {
	name: string;
	fate: Fate;
	/** Text or bytes are sent unchanged, anything else as JSON. */
	body: unknown;
	/** Raw header lines, so that a header can be repeated or missing; default the key and the content type. */
	headers?: Array<[name: string, value: string]>;
}

const event = (overrides: Record<string, unknown> = {}) => sampleEvent('cards.cleared', overrides);
const without = (field: string) => {
	const { [field as 'product']: _, ...rest } = event();
	return rest;
};
/** Adds a field as JSON text, because an object literal would not have `__proto__` as its own key. */
const withJson = (field: string, json: string) =>
	JSON.stringify({ ...event(), [field]: '@' }).replace('"@"', () => json);
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE: [string, string] = ['content-type', 'application/json'];

/** @param key the webhook key that the receiver accepts */
export function hostileDeliveries(key: string): HostileDelivery[] {
	const keyed = (...more: Array<[string, string]>): Array<[string, string]> => [
		['x-webhook-key', key],
		...more,
	];
	const table: HostileDelivery[] = [];
	const add = (fate: Fate, name: string, body: unknown, headers?: Array<[string, string]>) =>
		table.push({ name, fate, body, ...(headers && { headers }) });

	const lies: Record<string, string> = {
		'empty key': '',
		'another key': 'another-key',
		'key without its end': key.slice(0, -1),
		'key with one more': `${key}0`,
		'key in capitals': key.toUpperCase(),
		'key twice in one line': `${key}, ${key}`,
		'key in quotes': `"${key}"`,
		'key as bearer': `Bearer ${key}`,
		'key with a comma': `${key},`,
		'key of 8,000 characters': 'k'.repeat(8_000),
		'text undefined': 'undefined',
		'text null': 'null',
		'text [object Object]': '[object Object]',
		'key in Latin-1': `${key}é`,
	};
	for (const [name, value] of Object.entries(lies)) {
		add('unauthenticated', name, event(), [['x-webhook-key', value], JSON_TYPE]);
	}
	add('unauthenticated', 'no key', event(), [JSON_TYPE]);
	add('unauthenticated', 'key repeated', event(), keyed(['x-webhook-key', key], JSON_TYPE));
	add('unauthenticated', 'right key after a wrong one', event(), [
		['x-webhook-key', 'wrong'],
		...keyed(JSON_TYPE),
	]);
	add('unauthenticated', 'key in another header', event(), [['x-api-key', key], JSON_TYPE]);
	add('unauthenticated', 'key in the body', { ...event(), 'X-Webhook-Key': key }, [JSON_TYPE]);
	add('unauthenticated', 'no key and no event', '', [JSON_TYPE]);
	add('unauthenticated', 'no key and deep nesting', withJson('data', nested(2_000)), [JSON_TYPE]);

	const bodies: Record<string, unknown> = {
		'empty object': {},
		'empty list': [],
		null: 'null',
		'a text': '"cards"',
		'a number': '5',
		true: 'true',
		'event in a list': [event()],
		'event only as prototype': `{"__proto__":${JSON.stringify(event())}}`,
		'event only under constructor': { constructor: { prototype: event() } },
		'nothing at all': '',
		'broken JSON': '{"product":"cards",',
		'two JSON values': '{}{}',
		'not a number': withJson('data', '{"a":NaN}'),
		'single quotes': "{'product':'cards'}",
		'UTF-16': Buffer.from(JSON.stringify(event()), 'utf16le'),
		'zero bytes': Buffer.alloc(64),
		'nested 300 deep': withJson('data', nested(300)),
		'nested 5,000 deep': withJson('data', nested(5_000)),
		'lists nested 5,000 deep': withJson('data', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
	};
	for (const [name, body] of Object.entries(bodies)) add('refused', name, body);

	for (const field of ['product', 'event_type', 'operation_id']) {
		add('refused', `${field} missing`, without(field));
		for (const value of [null, 7, '', '   ', ['cards'], { a: 1 }, true]) {
			// A number is read as an operation_id.
			if (field === 'operation_id' && value === 7) continue;
			add('refused', `${field} is ${JSON.stringify(value)}`, { ...event(), [field]: value });
		}
	}
	add('refused', 'data missing', without('data'));
	for (const value of [null, 7, 'text', [], true]) {
		add('refused', `data is ${JSON.stringify(value)}`, { ...event(), data: value });
	}
	const sent = JSON.stringify(event());
	const types: Array<[name: string, body: string, type?: string]> = [
		['JSON sent as text', sent, 'text/plain'],
		['JSON without a content type', sent],
		['JSON as bytes', sent, 'application/octet-stream'],
		['a form', 'product=cards&event_type=cleared&operation_id=1&data=x', FORM],
		['XML', '<event><product>cards</product></event>', 'application/xml'],
	];
	for (const [name, body, type] of types)
		add('refused', name, body, type === undefined ? keyed() : keyed(['content-type', type]));

	const words = 'constructor __proto__ toString hasOwnProperty other ../../etc/passwd'.split(' ');
	for (const word of words) {
		add('delivered with issues', `product is ${word}`, event({ product: word }));
		add('delivered with issues', `event_type is ${word}`, event({ event_type: word }));
	}
	const departures: Record<string, unknown> = {
		'status missing': without('status'),
		'status is a number': { ...event(), status: 5 },
		'status is new': event({ status: 'settled_twice' }),
		'company_id is a list': { ...event(), company_id: [] },
		'empty data': { ...event(), data: {} },
		'all data null': event({
			data: Object.fromEntries(Object.keys(event().data).map((name) => [name, null])),
		}),
		'amount as number': event({ data: { bill_amount: 52.35 } }),
		'amount not a number': event({ data: { bill_amount: '52,35' } }),
		'amount infinite': withJson('data', '{"bill_amount":1e999}'),
		'amount of 100,000 digits': event({ data: { bill_amount: '9'.repeat(100_000) } }),
		'merchant as text': event({ data: { merchant_data: 'Coffee' } }),
		'merchant as list': event({ data: { merchant_data: [1, 2] } }),
		'time in words': event({ data: { created_at: 'yesterday' } }),
		'prototype keys in data': withJson(
			'data',
			'{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}',
		),
		'prototype key in the envelope': withJson('note', '1').replace(
			'"note":1',
			'"__proto__":{"polluted":true}',
		),
		'constructor in data': withJson('data', '{"constructor":{"prototype":{"polluted":true}}}'),
	};
	for (const [name, body] of Object.entries(departures)) add('delivered with issues', name, body);

	const oddities: Record<string, unknown> = {
		'unknown fields': event({ data: { new_field: { a: [1] } }, extra: true }),
		'fields of ours': event({ delivery: { key: 'forged' }, decision: { response_code: '00' } }),
		'a text of 2 MB': event({ data: { note: 'x'.repeat(2_000_000) } }),
		'10,000 fields': event({
			data: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, i])),
		}),
		'100,000 list entries': event({ data: { list: Array.from({ length: 100_000 }, () => 0) } }),
		'nested 50 deep': event({ data: { deep: JSON.parse(nested(50)) } }),
		'operation_id of 1 MB': event({ operation_id: 'o'.repeat(1_000_000) }),
		'operation_id with colons': event({ operation_id: 'a:b:c%3A' }),
		'operation_id with a lone surrogate': withJson('operation_id', '"\\ud800"'),
		'operation_id with zero characters': event({ operation_id: '\u0000\u0001' }),
		'operation_id in emoji': event({ operation_id: '💳💸' }),
		'SQL in operation_id': event({ operation_id: "'; DROP TABLE execution_entity; --" }),
		'expressions in data': event({
			data: { note: '={{ $env.N8N_ENCRYPTION_KEY }}', '={{ 1 }}': '{{ 2 }}' },
		}),
		'markup in data': event({ data: { note: '<script>alert(1)</script>' } }),
		'a key twice': `{"product":"treasury",${JSON.stringify(event()).slice(1)}`,
		'byte order mark': `\uFEFF${JSON.stringify(event())}`,
		'invalid UTF-8 in a text': Buffer.concat([
			Buffer.from(JSON.stringify(event()).slice(0, -1)),
			Buffer.from(',"x":"'),
			Buffer.from([0xff, 0xfe]),
			Buffer.from('"}'),
		]),
	};
	for (const [name, body] of Object.entries(oddities)) add('delivered', name, body);

	const stamp = (value: string): [string, string] => ['x-request-timestamp', value];
	for (const value of ['yesterday', '-1', '99999999999999999999', '1e3', ''])
		add('delivered', `timestamp is "${value}"`, event(), keyed(JSON_TYPE, stamp(value)));
	const headers: Record<string, Array<[string, string]>> = {
		'timestamp repeated': [JSON_TYPE, stamp('1'), stamp('2')],
		'trace id of 8,000 characters': [JSON_TYPE, ['x-trace-id', 't'.repeat(8_000)]],
		'content type with a charset': [['content-type', 'application/json; charset=utf-8']],
	};
	for (const [name, lines] of Object.entries(headers))
		add('delivered', name, event(), keyed(...lines));
	const zipped = gzipSync(JSON.stringify(event()));
	add('delivered', 'compressed', zipped, keyed(JSON_TYPE, ['content-encoding', 'gzip']));
	for (const name of EVENT_NAMES) {
		add('delivered with issues', `${name} with numbers everywhere`, {
			...sampleEvent(name),
			data: Object.fromEntries(Object.keys(sampleEvent(name).data).map((field) => [field, 7])),
		});
	}
	return table;
}
