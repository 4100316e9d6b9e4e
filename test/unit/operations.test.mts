import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { queryText } from '../../nodes/CardTreasury/service/request.ts';
import { OTHER_RECIPIENT, RECIPIENT } from '../harness/fixtures.mts';
import { OPERATION_SAMPLES } from '../samples/operations.mts';
import { IDS } from '../simulator/ids.mts';
import {
	anyOperation,
	BINARY,
	eachRow,
	given,
	itemOf,
	operationOf,
	reading,
	refusalOf,
	sampleOf,
} from './reading.mts';

const TOKEN = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
const LOWER = RECIPIENT.toLowerCase();

/** E.g. `GET /x?a=b {"headers":…,"body":…}`. */
async function wire(name: string, more: IDataObject = {}): Promise<string> {
	const { method, path, query, headers, body } = operationOf(name).request(await given(name, more));
	const rest = [body instanceof Function ? await body() : body, headers];
	const texts = rest.map((part) => (typeof part === 'object' ? JSON.stringify(part) : part));
	return [method, path + queryText(query), ...texts].filter((part) => part !== undefined).join(' ');
}

const TRANSFER = `POST /mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`;
const RAMP = `PATCH /virtual-wallets/ramps/transfer/${IDS.pendingRamp}`;
const SEARCH = `GET /cards/transactions/${IDS.enterpriseCard}/search`;
const VERSION = '{"X-API-Version":"2"}';

/** Requests besides those of the samples. */
eachRow<[name: string, more: IDataObject, request: string]>(`
	wallet: transfer | {"tokenAddress":"Native","amount":"0.000001"} | ${TRANSFER} {"to":"${RECIPIENT}","amount":0.000001}
	wallet: transfer | {"to":"${LOWER}","tokenAddress":"native","amount":999999999.999999,"walletId":" w 2 "} | POST /mpc/accounts/${IDS.account}/wallets/w%202/transfer {"to":"${LOWER}","amount":999999999.999999}
	rampTransfer: updateAmount | {"amount":"1500000000"} | ${RAMP} {"amount":1500000000}
	rampTransfer: updateAmount | {"amount":"012.12345670"} | ${RAMP} {"amount":12.1234567}
	card: configure3ds | {"type":" Webhook"} | POST /cards/virtual-cards/${IDS.activeCard}/3ds-configuration {"type":"webhook"}
	cardTransaction: search | {"operations":[]} | ${SEARCH} ${VERSION}
	cardTransaction: search | {"operations":["PURCHASE"],"options":{"queryParameters":{"parameter":[{"name":"page","value":2}]}}} | ${SEARCH}?operations=PURCHASE&page=2 ${VERSION}
	cardTransaction: get | {"cardId":" ","transactionId":"t/1","path":"/x/{transactionId}","options":{"queryParameters":{"parameter":[{"name":"a","value":"b c"}]}}} | GET /x/t%2F1?a=b%20c ${VERSION}
	endpoint: request | {"method":"POST","path":"/x","jsonBody":"{\\"amount\\": 1.10}"} | POST /x {"amount": 1.10}
	endpoint: request | {"method":"get","queryParameters":{"parameter":[{"name":"a","value":"1"},{"name":"a","value":""}]}} | GET /mpc/tokens/list?a=1&a=
	endpoint: request | {"method":"DELETE","path":"/x","jsonBody":" ","options":{"idempotencyKey":" INV-2026~0017 "}} | DELETE /x {"Idempotency-Key":"INV-2026~0017"}
	endpoint: request | {"method":"PUT","path":"/x","jsonBody":{"a":[1]}} | PUT /x {"a":[1]}
	endpoint: request | {"method":"POST","path":"/x","jsonBody":"{\\"id\\":7615917337495251231}"} | POST /x {"id":7615917337495251231}
	endpoint: request | {"method":"POST","path":"/x","jsonBody":"null"} | POST /x null
`)('%s with %j sends %s', async (name, more, request) => {
	expect(await wire(name, more)).toBe(request);
});

eachRow<[name: string, more: IDataObject, message: string, fix?: string]>(`
	wallet: transfer | {"amount":"100.000001"} | Amount is 100.000001, above the Maximum Amount of 100 | Check where the amount comes from. Raise Maximum Amount only if it is intended.
	wallet: transfer | {"amount":"100.00"} | can be sent
	wallet: transfer | {"maximumAmount":""} | Maximum Amount is empty
	wallet: transfer | {"paymentReference":""} | Payment Reference is empty
	wallet: transfer | {"tokenAddress":""} | Token is empty
	wallet: transfer | {"tokenAddress":"0x${'0'.repeat(40)}"} | Token is no token's contract
	wallet: transfer | {"to":"${TOKEN}"} | Recipient Address is the token's own contract | Enter the wallet address of the recipient: tokens sent to their contract are lost.
	wallet: transfer | {"to":"${TOKEN.toLowerCase()}"} | Recipient Address is the token's own contract
	wallet: transfer | {"options":{"allowedRecipients":"${OTHER_RECIPIENT}"}} | Recipient Address is not among the Allowed Recipients | Check where the address comes from.
	wallet: transfer | {"options":{"allowedRecipients":"${OTHER_RECIPIENT};${LOWER}"}} | can be sent
	wallet: transfer | {"options":{"allowedRecipients":""}} | Allowed Recipients is empty
	wallet: transfer | {"to":"y","amount":"x"} | Recipient Address is not 0x followed by 40 hexadecimal digits
	wallet: transfer | {"options":{"maximumTotal":null}} | Maximum Total is empty
	wallet: transfer | {"options":{"dryRun":""}} | Dry Run is empty
	rampTransfer: updateAmount | {"options":{"maximumAmount":"10"}} | Amount is 250.75, above the Maximum Amount of 10
	rampTransfer: updateAmount | {"amount":"9007199254740993"} | Amount is "9007199254740993", which no JSON number holds exactly
	rampTransfer: updateAmount | {"amount":"1000000000000000000000"} | Amount is "1000000000000000000000", which no JSON number holds exactly
	rampTransfer: updateAmount | {"amount":"0.12345678901234567"} | Amount is "0.12345678901234567", which no JSON number holds exactly
	cardTransaction: search | {"options":{"queryParameters":{}}} | Query Parameters is empty
	endpoint: request | {"method":"POST","jsonBody":{"id":7615917337495251231}} | JSON Body is the number 7615917337495251000, which has lost digits
	endpoint: request | {"options":{"idempotencyKey":"${'x'.repeat(256)}"}} | Idempotency Key cannot be sent in a header
	endpoint: request | {"options":{"idempotencyKey":"none"}} | Idempotency Key holds "none", which means nothing
`)('%s with %j: %s', async (...[name, more, message, fix]) => {
	const refusal = await refusalOf(name, sampleOf(name, more), BINARY);
	expect([refusal?.message ?? 'can be sent', fix && refusal?.fix]).toEqual([message, fix]);
});

it('a payment has its values in one spelling', async () => {
	const paymentOf = async (more: IDataObject) =>
		operationOf('wallet: transfer').payment?.(await given('wallet: transfer', more));
	const values = [IDS.account, IDS.wallet, LOWER, TOKEN.toLowerCase(), '7.5'];
	const payment = { reference: 'INV-17', values, amount: '7.5', maximumTotal: '90' };
	expect(await paymentOf({ options: { maximumTotal: '090.0' } })).toEqual(payment);
	const native = await paymentOf({ tokenAddress: 'NATIVE', to: LOWER });
	expect(native?.values.slice(2, 4)).toEqual([LOWER, 'native']);
});

const PLACEHOLDERS = ['{typo}', '{}', '{constructor}', '{cardId}'];
it.each(PLACEHOLDERS)('%s in a path is refused, because it has no value', async (placeholder) => {
	const more = { cardId: '', path: `/x/${placeholder}` };
	await expect(wire('cardTransaction: get', more)).rejects.toThrow(
		`Endpoint Path has ${placeholder}, which has no value`,
	);
});

it.each<[given: unknown, raw: string, read: string]>([
	[
		'{"id": 7615917337495251000}',
		'={"id": {{ $json.id }}}',
		'JSON Body is the number 7615917337495251000, which has lost digits',
	],
	['{"id": 5, "a": 1.10}', '={"id": {{ $json.id }}, "a": 1.10}', '{"id": 5, "a": 1.10}'],
	['null', '={{ $json.body }}', 'JSON Body holds "null", which means nothing'],
])('the body %s of an expression is read as %s', (given, raw, read) => {
	const { jsonBody } = operationOf('endpoint: request').fields;
	expect(reading(jsonBody!, given, { raw })).toContain(read);
});

eachRow<[given: IDataObject, code: string]>(`
	{"decision":"Approve"} | 00
	{"decision":" DECLINE","responseCode":"51"} | 05
	{} | 05
	{"decision":"Other","responseCode":"51 "} | 51
	{"decision":"other","responseCode":51} | 51
	{"decision":"other","responseCode":""} | Response Code is empty
	{"decision":"other","responseCode":"00"} | Response Code is "00", not a code that declines
	{"decision":"other","responseCode":"85"} | Response Code is "85", not a code that declines
	{"decision":"other","responseCode":"OK"} | Response Code is "OK", not a code that declines
	{"decision":"yes"} | Decision is "yes"
`)('Respond with %j sends the code %s', async (parameters, code) => {
	const { values, result } = await itemOf('authorization: respond', parameters);
	const operation = anyOperation('authorization: respond');
	const sent = operation.kind === 'answer' && operation.responseCode(values);
	expect(result?.problem?.message ?? sent).toBe(code);
});

const UNKNOWN = 'card: delete|none: get|constructor: get|card: constructor|undefined: undefined';
it.each(UNKNOWN.split('|'))('%s is no operation', (name) => {
	const [resource, operation] = name.split(': ');
	const message = `Operation "${operation}" does not exist for "${resource}"`;
	expect(() => anyOperation(name)).toThrow(message);
});

it('any value in any field is read or refused, in a way that says why', async () => {
	const operation = fc.constantFrom(
		...Object.keys(OPERATION_SAMPLES).filter((name) => !/Sweep/.test(name)),
	);
	const odd = fc.anything({ withDate: true, withNullPrototype: true, withSet: true });
	await fc.assert(
		fc.asyncProperty(operation, fc.nat(), odd, async (name, position, value) => {
			const fields = Object.entries(anyOperation(name).fields);
			const [field, { label, isOption }] = fields[position % fields.length]!;
			const own = isOption ? { options: { [field]: value } } : { [field]: value };
			const { result } = await itemOf(name, sampleOf(name, own as IDataObject), BINARY);
			const message = result?.problem?.message ?? label;
			expect(message).toContain(label);
			// A crash, which is no refusal.
			expect(message).not.toContain('could not be read');
		}),
	);
});
