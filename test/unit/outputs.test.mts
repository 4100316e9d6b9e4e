import type { IDataObject } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardTreasury/operations/index.ts';
import type { RequestOperation } from '../../nodes/CardTreasury/operations/operation.ts';
import { itemOf } from '../../nodes/CardTreasury/run/prepare.ts';
import type { Reply } from '../../nodes/CardTreasury/service/request.ts';
import { orProblem } from '../../nodes/shared/problem.ts';
import { given, GIVEN } from './given.mts';
import { operationOf, replyOf, table } from './reading.mts';

const TRANSFER = 'wallet: transfer';
const STATEMENT = 'cardTransaction: downloadStatement';
const DOCUMENT = 'productRequest: submitDocument';
const REQUEST = 'endpoint: request';

/** Names that workflows save, by the contract: effect, access level, explained errors, parameters, and options with a plus. */
const SAVED = table<[name: string, about: string, fields: string]>(`
	rampTransfer: updateAmount | set, moves money 1 400 404 | rampTransferId amount +maximumAmount +dryRun
	authorization: respond | answer | decision responseCode
	authorization: tryRules | calculation | rulesOf purchase answeredThen
	card: get | read 1 404 | cardId simplify
	card: configure3ds | set 2 404 | cardId type +dryRun
	card: freeze | set 2 404 | cardId +dryRun
	card: unblock | set 404 | cardId +dryRun
	card: unfreeze | set 2 404 | cardId +dryRun
	cardTransaction: search | read 412 404 | cardId operations +queryParameters
	cardTransaction: get | read 412 404 | path cardId transactionId +queryParameters
	cardTransaction: downloadStatement | read 1 412 404 | cardId fromDate toDate binaryPropertyName +fileName
	productRequest: getAll | read 1 404 | clientId returnAll limit
	productRequest: getMissingRequirements | read 1 404 | clientId
	productRequest: submitDocument | once 3 404 409 | clientId productRequestId documentType frontImageField backImageField metadata +replace +dryRun
	endpoint: request | read or once, moves money | method path queryParameters jsonBody +idempotencyKey +dryRun
	token: getAll | read 1 | returnAll limit
	wallet: transfer | payment, moves money 2 404 | accountId walletId to tokenAddress amount paymentReference maximumAmount +maximumTotal +allowedRecipients +allowEqualPayments +dryRun
	wallet: calculateSweep | calculation | walletId tokenAddress balance floor balanceDay +balanceDecimals +sweepMinimum +sweepMaximum
`);

it('the names that workflows save are those of the contract', () => {
	const saved = Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, operation]) => {
			const fields = Object.entries(operation.fields)
				.filter(([field, { property }]) => property(field, '').type !== 'notice')
				.map(([field, { isOption }]) => (isOption ? `+${field}` : field));
			const own: Partial<RequestOperation> = operation.kind === 'request' ? operation : {};
			const { effect = operation.kind, level = '', errors = [], movesMoney } = own;
			const kind = effect instanceof Function ? 'read or once' : effect;
			const about = [
				movesMoney ? `${kind}, moves money` : kind,
				level,
				...errors.map(({ status }) => status),
			];
			return [`${resource}: ${name}`, about.filter(Boolean).join(' '), fields.join(' ')];
		}),
	);
	expect(saved.sort()).toEqual([...SAVED].sort());
});

it('each operation that sends has parameters, with which the other tests run it', () => {
	const sending = SAVED.filter(([, about]) => !/^(?:answer|calculation)$/.test(about));
	expect(Object.keys(GIVEN).sort()).toEqual(sending.map(([name]) => name).sort());
});

it('a request that reads may be repeated, and any other one is sent once', () => {
	const { effect } = operationOf(REQUEST);
	const effectOf = (method: string) => effect instanceof Function && effect({ method });
	expect(['GET', 'HEAD'].map(effectOf)).toEqual(['read', 'read']);
	expect([...new Set(['DELETE', 'PATCH', 'POST', 'PUT'].map(effectOf))]).toEqual(['once']);
});

/** Fields of each item of a write, in order, whatever its outcome, and the write in words. */
it.each(
	table<[name: string, fields: string, summary: string]>(`
	wallet: transfer | status transaction_hash payment_reference amount to wallet_id token_address idempotency_key trace_id | 7.5 USDC on POLYGON from w 2 to 0x5aAe…eAed, reference INV-17
	rampTransfer: updateAmount | id amount type status company_id destination_wallet_id client_id origin_amount origin_currency origin_name idempotency_key trace_id | amount 10.1 of ramp transfer r?1
	card: freeze | card_id frozen idempotency_key trace_id | freeze card c
	card: unfreeze | card_id frozen idempotency_key trace_id | unfreeze card c
	card: configure3ds | card_id type idempotency_key trace_id | 3DS codes by webhook for card c
	card: unblock | card_id unblocked idempotency_key trace_id | unblock card c
	productRequest: submitDocument | document_type product rejected_items product_request_id client_id trace_id | document passport of client cl
`),
)('an item of %s has the fields %s', async (name, fields, summary) => {
	const operation = operationOf(name);
	const values = await given(name);
	const [accepted = {}] = operation.output(replyOf({ json: {} }), values).items;
	for (const own of [accepted, {}])
		expect(Object.keys(itemOf({ index: 0, values }, operation, own, null)).join(' ')).toBe(fields);
	const unread = itemOf({ index: 0, values: {} }, operation, {}, null);
	expect(Object.keys(unread).join(' ')).toBe(fields);
	expect(new Set(Object.values(unread))).toEqual(new Set([null]));
	expect(operation.say?.(values)).toBe(summary);
	expect(operation.say?.({})).toBeFalsy();
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

it.each(
	table<[name: string, more: IDataObject, content: unknown, items: object[]]>(`
	rampTransfer: updateAmount | {} | {"id":"r","status":"PENDING"} | [{"id":"r","status":"PENDING"}]
	rampTransfer: updateAmount | {} | {"summary":"s"} | [{"answer":{"summary":"s"}}]
	card: freeze | {} | {} | [{"frozen":true}]
	card: unfreeze | {} | [1] | [{"frozen":false,"answer":[1]}]
	card: unblock | {} | {"status":"ACTIVE"} | [{"unblocked":true,"answer":{"status":"ACTIVE"}}]
	card: configure3ds | {} | {"type":"sms","a":1} | [{"type":"sms","answer":{"a":1}}]
	card: configure3ds | {} | "" | [{"type":null}]
	card: get | {} | {"x":1,"monthly_limit":0,"daily_limit":100,"expiration_year":2029,"expiration_month":3,${CARD}} | [{"summary":"Card •1234 of Ann ‹Lee› is ACTIVE, expires 03/2029, limits 100 a day, 0 a month",${CARD},"expiration":"03/2029","daily_limit":100,"weekly_limit":null,"monthly_limit":0}]
	card: get | {"simplify":false} | {${CARD}} | [{${CARD}}]
	card: get | {"simplify":false} | {"summary":"s"} | [{"answer":{"summary":"s"}}]
	token: getAll | {} | [{"id":1,"n":{"a":1}},5] | [{"id":1,"n":{"a":1}},{"answer":5}]
	token: getAll | {"returnAll":false,"limit":1} | [{"id":1},{"id":2}] | [{"id":1}]
	token: getAll | {} | [] | []
	cardTransaction: search | {} | {"total_elements":1,"a":[]} | [{"total_elements":1,"a":[]}]
	cardTransaction: get | {} | [{"error":null}] | [{"answer":[{"error":null}]}]
	productRequest: getAll | {} | [{"id":1},{"outcome":2},{"id":3}] | [{"id":1},{"answer":{"outcome":2}}]
	productRequest: submitDocument | {} | {"product":"p"} | [{"product":"p","rejected_items":null}]
	productRequest: submitDocument | {} | {"product":"p","rejected_items":[],"x":1} | [{"product":"p","rejected_items":[],"answer":{"x":1}}]
	endpoint: request | {} | [] | [{"answer":[]}]
	endpoint: request | {"method":"GET"} | [] | []
	endpoint: request | {} | [{"id":1},{"error":2}] | [{"id":1},{"answer":{"error":2}}]
	endpoint: request | {} | "a,b" | [{"answer":"a,b"}]
	endpoint: request | {"method":"HEAD"} | "" | [{"trace_id":"trace-1"}]
`),
)('%s with %j makes of the reply %j the items %j', async (name, more, content, items) => {
	const made = operationOf(name).output(replyWith(content), await given(name, more));
	// The order of the fields is the order of the columns in n8n.
	expect(JSON.stringify(made)).toBe(JSON.stringify({ items }));
});

describe('files of replies', () => {
	const PDF = Buffer.from('\n%PDF-1.4 …');

	it('a statement is a file in the chosen field, with a name made of its values', async () => {
		const { output } = operationOf(STATEMENT);
		const [day, until] = ['2026-01-01', '2026-01-31'];
		const item = { card_id: 'c/1', from_date: day, to_date: until, trace_id: 'trace-1' };
		const file = { bytes: PDF, type: 'application/pdf', name: `statement_c_1_${day}_${until}.pdf` };
		const reply = replyOf({ bytes: PDF });
		expect(output(reply, await given(STATEMENT))).toEqual({ items: [item], files: { data: file } });
		const more = { binaryPropertyName: 'pdf', options: { fileName: 'a.pdf' } };
		expect(output(reply, await given(STATEMENT, more)).files).toEqual({
			pdf: { ...file, name: 'a.pdf' },
		});
	});

	it.each([Buffer.from('<html>'), Buffer.alloc(0), Buffer.concat([Buffer.alloc(1_024), PDF])])(
		'a reply that is no PDF is refused',
		async (bytes) => {
			const values = await given(STATEMENT);
			const thrown = orProblem(() => operationOf(STATEMENT).output(replyOf({ bytes }), values));
			const told = { message: 'The reply is not a PDF', outcome: 'rejected' };
			expect(thrown).toMatchObject({ ...told, facts: { traceId: 'trace-1' } });
		},
	);

	it('a reply of Request that is no text is a file', async () => {
		const reply = replyOf({ bytes: PDF, text: 'x', type: 'image/png' });
		expect(operationOf(REQUEST).output(reply, await given(REQUEST))).toEqual({
			items: [{ trace_id: 'trace-1' }],
			files: { data: { bytes: PDF, name: 'data', type: 'image/png' } },
		});
	});
});

it('the summary of a document says what the service rejected of it', async () => {
	const { say } = operationOf(DOCUMENT);
	const rejected_items = [{ type: 'document', reason: 'blurred' }, 5, { reason: 'expired' }];
	expect(say?.(await given(DOCUMENT), { rejected_items })).toBe(
		'document passport of client cl, of which the service rejected a part: blurred and expired',
	);
});
