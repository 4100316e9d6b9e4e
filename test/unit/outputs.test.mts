import type { IDataObject } from 'n8n-workflow';

import { itemOf } from '../../nodes/CardTreasury/run/prepare.ts';
import type { Reply } from '../../nodes/CardTreasury/service/request.ts';
import { orProblem } from '../../nodes/shared/problem.ts';
import { IDS } from '../simulator/ids.mts';
import { eachRow, given, operationOf, replyOf } from './reading.mts';

const TRANSFER = 'wallet: transfer';
const STATEMENT = 'cardTransaction: downloadStatement';
const DOCUMENT = 'productRequest: submitDocument';
const REQUEST = 'endpoint: request';

it('a request that reads may be repeated, and any other one is sent once', () => {
	const { effect } = operationOf(REQUEST);
	const effectOf = (method: string) => effect instanceof Function && effect({ method });
	expect(['GET', 'HEAD'].map(effectOf)).toEqual(['read', 'read']);
	expect([...new Set(['DELETE', 'PATCH', 'POST', 'PUT'].map(effectOf))]).toEqual(['once']);
});

/** Reply with this JSON, or with this text. The service accepts a transfer by 302 WARNING, too. */
function replyWith(content: unknown): Reply {
	const text = typeof content === 'string' ? content : JSON.stringify(content);
	const more = text === content ? { type: 'text/plain' } : { json: content };
	const isPending = text.includes('WARNING');
	return replyOf({ text, bytes: Buffer.from(text), isPending, ...more });
}

it.each<[content: unknown, own: object, outcome: string]>([
	[{ status: 'SUCCESS' }, { status: 'SUCCESS' }, 'done'],
	[{ status: 'FAILED' }, { status: 'FAILED' }, 'failed'],
	...['PENDING', 'MANUAL_CHECK', 'success', 'constructor', 7, null].map(
		(status): [unknown, object, string] => [{ status }, { status }, 'pending'],
	),
	[{}, { status: null }, 'pending'],
	[{ code: 'WARNING' }, { status: 'PENDING', answer: { code: 'WARNING' } }, 'pending'],
	['', { status: null, transaction_hash: null }, 'pending'],
	['OK', { status: null, transaction_hash: null, answer: 'OK' }, 'pending'],
	[{ status: 'SUCCESS', outcome: 1 }, { status: 'SUCCESS', answer: { outcome: 1 } }, 'done'],
])('a transfer with the reply %j has %j, and is %s', async (content, own, outcome) => {
	const isObject = typeof content === 'object';
	const hash = isObject ? { transaction_hash: '0xabc' } : {};
	const reply = replyWith(isObject ? { ...content, ...hash } : content);
	const made = operationOf(TRANSFER).output(reply, await given(TRANSFER));
	expect(made).toEqual({ items: [{ ...own, ...hash }], outcome });
});

const CARD =
	'"id":"c","client_id":null,"type":"t","status":"ACTIVE","last4":"1234","card_holder_name":"Ann <Lee>"';

eachRow<[name: string, more: IDataObject, content: unknown, items: object[]]>(`
	rampTransfer: updateAmount | {} | {"id":"r","status":"PENDING"} | [{"id":"r","status":"PENDING"}]
	rampTransfer: updateAmount | {} | {"status":"PENDING","origin_amount":5} | [{"status":"PENDING","origin_amount":5,"amount":"5"}]
	rampTransfer: updateAmount | {} | {"origin_amount":5,"amount":10.1} | [{"origin_amount":5,"amount":"10.1"}]
	rampTransfer: updateAmount | {} | {"summary":"s"} | [{"answer":{"summary":"s"}}]
	card: unfreeze | {} | [1] | [{"frozen":false,"answer":[1]}]
	card: unblock | {} | {"status":"ACTIVE"} | [{"unblocked":true,"answer":{"status":"ACTIVE"}}]
	card: configure3ds | {} | {"type":"sms","a":1} | [{"type":"sms","answer":{"a":1}}]
	card: configure3ds | {} | "" | [{"type":null}]
	card: get | {} | {"x":1,"monthly_limit":0,"daily_limit":100,"expiration_year":2029,"expiration_month":3,${CARD}} | [{"summary":"Card •1234 of Ann ‹Lee› is ACTIVE, expires 03/2029, limits 100 USD a day, 0 USD a month",${CARD},"expiration":"03/2029","daily_limit":100,"weekly_limit":null,"monthly_limit":0}]
	card: get | {"simplify":false} | {${CARD}} | [{${CARD}}]
	card: get | {"simplify":false} | {"summary":"s"} | [{"answer":{"summary":"s"}}]
	token: getAll | {"returnAll":true} | [{"id":1,"n":{"a":1}},5] | [{"id":1,"n":{"a":1}},{"answer":5}]
	token: getAll | {"returnAll":false,"limit":1} | [{"id":1},{"id":2}] | [{"id":1}]
	cardTransaction: get | {} | {"error":null} | [{"answer":{"error":null}}]
	productRequest: getAll | {"limit":2} | [{"id":1},{"outcome":2},{"id":3}] | [{"id":1},{"answer":{"outcome":2}}]
	productRequest: submitDocument | {} | {"product":"p"} | [{"product":"p","rejected_items":null}]
	endpoint: request | {"method":"POST"} | [] | [{"answer":[]}]
	endpoint: request | {"method":"GET"} | [] | []
	endpoint: request | {"method":"POST"} | [{"id":1},{"error":2}] | [{"id":1},{"answer":{"error":2}}]
	endpoint: request | {"method":"POST"} | "a,b" | [{"answer":"a,b"}]
	endpoint: request | {"method":"HEAD"} | "" | [{"trace_id":"trace-1"}]
`)('%s with %j makes of the reply %j the items %j', async (name, more, content, items) => {
	const made = operationOf(name).output(replyWith(content), await given(name, more));
	// The order of the fields is the order of the columns in n8n.
	expect(JSON.stringify(made)).toBe(JSON.stringify({ items }));
});

eachRow<[name: string, thing: string, contents: unknown[]]>(`
	card: get | an object with fields | ["", {}, [], "OK", null]
	cardTransaction: search | an object with fields | ["", {}, []]
	cardTransaction: get | an object with fields | ["", {}, [{"lifecycle":{}}]]
	token: getAll | a list | ["", {}, {"tokens":[]}, null]
	productRequest: getAll | a list | ["", {"status":"enabled"}]
	productRequest: getMissingRequirements | a list | ["", {"error":"no"}, {"data":[]}, null, "OK"]
`)('%s is given %s, or fails: %j', async (name, thing, contents) => {
	const values = await given(name);
	for (const content of contents)
		expect(orProblem(() => operationOf(name).output(replyWith(content), values))).toMatchObject({
			...{ message: `The reply is not ${thing}`, outcome: 'rejected' },
			facts: { traceId: 'trace-1' },
		});
});

// Not what was asked for.
eachRow<[name: string, content: object, outcome: string, words: string]>(`
	card: configure3ds | {"type":"sms"} | done | 3DS codes by sms for card ${IDS.activeCard}
	card: configure3ds | {} | done | 3DS codes by webhook for card ${IDS.activeCard}
	rampTransfer: updateAmount | {"status":"FAILED","origin_amount":5} | failed | amount 5 of ramp transfer ${IDS.pendingRamp}, FAILED
	rampTransfer: updateAmount | {"status":"PENDING","amount":7} | done | amount 7 of ramp transfer ${IDS.pendingRamp}, PENDING
	rampTransfer: updateAmount | {} | done | amount 250.75 of ramp transfer ${IDS.pendingRamp}
`)('%s says what the service echoes: %j is %s', async (name, content, outcome, words) => {
	const operation = operationOf(name);
	const values = await given(name);
	const { items, outcome: end = 'done' } = operation.output(replyWith(content), values);
	const item = itemOf({ index: 0, values }, operation, items[0]!, null);
	expect([end, operation.say?.(values, item)]).toEqual([outcome, words]);
});

const PDF = Buffer.from('\n%PDF-1.4 …');

it('a statement is a file in the chosen field, with a name made of its values', async () => {
	const { output } = operationOf(STATEMENT);
	const [day, until] = ['2026-01-01', '2026-01-31'];
	const item = { card_id: 'c/1', from_date: day, to_date: until, trace_id: 'trace-1' };
	const file = { bytes: PDF, type: 'application/pdf', name: `statement_c_1_${day}_${until}.pdf` };
	const reply = replyOf({ bytes: PDF });
	expect(output(reply, await given(STATEMENT, { cardId: 'c/1' }))).toEqual({
		items: [item],
		files: { data: file },
	});
	const more = { binaryPropertyName: 'pdf', options: { fileName: 'a.pdf' } };
	expect(output(reply, await given(STATEMENT, { cardId: 'c/1', ...more })).files).toEqual({
		pdf: { ...file, name: 'a.pdf' },
	});
});

const late = Buffer.concat([Buffer.alloc(1_024), PDF]);
const NO_PDFS = [Buffer.from('<html>'), Buffer.alloc(0), late];
it.each(NO_PDFS)('a reply that is no PDF is refused', async (bytes) => {
	const values = await given(STATEMENT);
	const thrown = orProblem(() => operationOf(STATEMENT).output(replyOf({ bytes }), values));
	const told = { message: 'The reply is not a PDF', outcome: 'rejected' };
	expect(thrown).toMatchObject({ ...told, facts: { traceId: 'trace-1' } });
});

it('a reply of Request that is no text is a file', async () => {
	const reply = replyOf({ bytes: PDF, text: 'x', type: 'image/png' });
	expect(operationOf(REQUEST).output(reply, await given(REQUEST))).toEqual({
		items: [{ trace_id: 'trace-1' }],
		files: { data: { bytes: PDF, name: 'data', type: 'image/png' } },
	});
});

it('the summary of a document says what the service rejected of it', async () => {
	const { say } = operationOf(DOCUMENT);
	const rejected_items = [{ type: 'document', reason: 'blurred' }, 5, { reason: 'expired' }];
	expect(say?.(await given(DOCUMENT), { rejected_items })).toBe(
		'document passport of client cl-0001, of which the service rejected a part: blurred and expired',
	);
});
