import lodash from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardTreasury/operations/index.ts';
import type { Operation, RequestOperation } from '../../nodes/CardTreasury/operations/operation.ts';
import { itemOf } from '../../nodes/CardTreasury/run/prepare.ts';
import { execute } from '../../nodes/CardTreasury/run/run.ts';
import { isObject } from '../../nodes/shared/isObject.ts';
import { OPERATION_SAMPLES } from '../samples/operations.mts';
import { BINARY, hostOf, reading, sampleOf, given as valuesFor } from './reading.mts';

const ROWS = Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([name, of]): [string, Operation] => [`${resource}: ${name}`, of]),
);

const NOW = Date.parse('2026-01-31T12:00:00Z');
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

const fieldsOf = ({ fields }: Operation) =>
	Object.entries(fields).filter(([name, { property }]) => property(name, '').type !== 'notice');

/** Cases that the sample of an operation lacks. */
function missing(name: string, operation: Operation): string[] {
	const sample = OPERATION_SAMPLES[name];
	if (!sample) return ['all of it'];
	const cases = operation.kind === 'request' ? ['item', 'request', 'reply'] : ['item'];
	const fields = fieldsOf(operation).map(([field]) => `refused.${field}`);
	return [...cases, ...fields].filter((each) => !lodash.has(sample, each));
}

describe.each(ROWS)('%s', (name, operation) => {
	const sample = OPERATION_SAMPLES[name]!;

	it('has a whole sample in test/samples', () => {
		expect(missing(name, operation)).toEqual([]);
	});

	it('has the same fields whatever comes of it, null where nothing is known', () => {
		if (operation.kind !== 'request' || !operation.subject) return;
		const unread = itemOf({ index: 0, values: {} }, operation, {}, null);
		expect(Object.keys(unread)).toEqual(Object.keys(sample.item).slice(2));
		expect(new Set(Object.values(unread))).toEqual(new Set([null]));
		expect(operation.say?.({})).toBeFalsy();
	});

	it('encodes its IDs in the path', async () => {
		if (operation.kind !== 'request') return;
		const template = sample.request![0].replace(/^\S+ |\?.*/g, '');
		const ids = [...template.matchAll(/\{(\w+Id)\}/g)].map(([, id]) => [id!, 'a/b?#1']);
		const values = await valuesFor(name, Object.fromEntries(ids) as IDataObject);
		const path = template.replace(/\{\w+Id\}/g, 'a%2Fb%3F%231');
		if (ids.length > 0) expect(operation.request(values).path).toBe(path);
	});

	it('has the names that workflows save, and the defaults of a new node', () => {
		const saved = fieldsOf(operation).map(([field, { property, isOption }]) => {
			const { default: initial } = property(field, '');
			const own = isObject(initial) && 'value' in initial ? initial.value : initial;
			const text = typeof own === 'object' ? JSON.stringify(own) : String(own);
			const byDefault = ['', 'null'].includes(text) ? '' : `=${text}`;
			return `${isOption ? '+' : ''}${field}${byDefault}`;
		});
		expect(saved.join(' ')).toBe(sample.parameters);
	});

	it('has the effect and the access level of the document', () => {
		const { effect, level = '', movesMoney } = operation as Partial<RequestOperation>;
		const kind = effect instanceof Function ? 'read or once' : (effect ?? operation.kind);
		expect(`${kind}${movesMoney ? ', moves money' : ''} ${level}`.trim()).toBe(sample.is);
	});

	it('explains the errors of the document', () => {
		const errors = operation.kind === 'request' ? (operation.errors ?? []) : [];
		const texts = errors.map(
			({ status, code, message, fix }) =>
				`${[status, code].filter(Boolean).join(' ')}: ${message} | ${fix}`,
		);
		expect(texts).toEqual(sample.errors);
	});

	it.each(Object.entries(sample?.refused ?? {}))('%s refuses %j', (field, [value, message]) => {
		expect(reading(operation.fields[field]!, value, { timezone: 'UTC' })).toBe(message);
	});

	it('sends its request, and makes its item of the reply', async () => {
		const { request: [line, body, headers = {}] = [], reply, given, item } = sample;
		const sent: IDataObject[] = [];
		const helpers = {
			httpRequestWithAuthentication: async (_: string, request: IDataObject) => {
				sent.push(request);
				const content = reply instanceof Buffer ? reply : Buffer.from(JSON.stringify(reply));
				const type = { 'Content-Type': 'application/json', 'X-Trace-Id': 'trace-1' };
				return { statusCode: 200, headers: type, body: content };
			},
		};
		const flow = { cardAuthorization: { answerBy: '2100-01-01T00:00:00Z' } };
		const hints: string[] = [];
		const addExecutionHints = ({ message }: { message: string }) => hints.push(message);
		const more = { getContext: () => flow, sendResponse: async () => undefined, helpers };
		const { n8n, customData } = hostOf(sampleOf(name), BINARY, { ...more, addExecutionHints });
		const [output] = await execute(n8n, new Map());
		expect(hints).toEqual(sample.hint ? [sample.hint] : []);
		const json = { ...output!.json };
		if (json.idempotency_key) json.idempotency_key = 'key';
		// The order of the fields is the order of the columns in n8n.
		expect(JSON.stringify(json, null, '\t')).toBe(JSON.stringify(item, null, '\t'));
		const [method, path = ''] = (line ?? '').split(' ');
		const valueOf = (_: string, parameter: string) => {
			const value = given[parameter];
			return String(isObject(value) ? value.value : value);
		};
		const url = `https://api.example.com${path.replace(/\{(\w+)\}/g, valueOf)}`;
		const keyed = lodash.pickBy({ 'Idempotency-Key': output!.json.idempotency_key });
		expect(sent).toMatchObject(line ? [{ method, url, headers: { ...headers, ...keyed } }] : []);
		const bodies = sent.map((each) => each.body && (JSON.parse(String(each.body)) as unknown));
		expect(bodies).toEqual(line ? [body] : []);
		const keys = {
			...{ card_id: given.cardId, client_id: given.clientId },
			...{ payment_reference: given.paymentReference && item.payment_reference },
			trace_id: item.trace_id,
		};
		expect(customData).toEqual(JSON.parse(JSON.stringify(keys)));
	});
});
