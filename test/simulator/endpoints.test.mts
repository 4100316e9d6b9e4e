import { call } from './client.mts';
import { DEPRECATED_REQUESTS, DESCRIBED_ENDPOINTS, OPERATION_FAMILIES } from './description.mts';
import { API_KEYS, ENDPOINTS, IDS } from './index.mts';
import { pdf } from './pdf.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

const client = `/management/clients/individuals/${IDS.client}`;
const documentation = `${client}/products/${IDS.pendingProductRequest}/documentation`;
const ramps = '/virtual-wallets/ramps/transfer';
const cards = '/cards/individual-cards';
const transactions = `/cards/transactions/${IDS.enterpriseCard}`;
const ofIndividual = `/cards/transactions/${IDS.activeCard}`;
const threeDs = '3ds-configuration';
const wallets = `/mpc/accounts/${IDS.account}/wallets`;

/** `METHOD path body` of a request that gets 200 at the endpoint's level. */
const GOOD: Record<string, string> = {
	'4.1': 'GET /mpc/tokens/list',
	'4.2': `POST ${documentation} {"document":{"document_type":"payslip","image_front":"data:image/png;base64,AAAA"}}`,
	'4.3': `GET ${client}/products`,
	'4.4': `PATCH ${ramps}/${IDS.pendingRamp} {"amount":12.5}`,
	'4.5': `POST ${wallets}/${IDS.wallet}/transfer {"to":"0x1","amount":1}`,
	'4.6': `GET ${cards}/${IDS.activeCard}`,
	'4.7': `PATCH ${cards}/${IDS.activeCard}/frozen {"freeze":true}`,
	'4.8': `POST /cards/virtual-cards/${IDS.activeCard}/${threeDs} {"type":"webhook"}`,
	'4.9': `GET ${transactions}/pdf?from_date=2026-11-01&to_date=2026-11-20`,
	'4.10': `PATCH /api/cards/${IDS.blockedCard}/unblock`,
	'4.11': `GET ${transactions}/search`,
	'4.12': `GET ${transactions}/operations/${IDS.purchase}`,
};

/** Sends `METHOD path body`. */
function send(line: string, options: Parameters<typeof call>[1] = {}) {
	const [, request, body] = /^(\S+ \S+) ?(.*)$/.exec(line)!;
	const headers = request!.startsWith(`GET /cards/transactions/`) ? VERSION : {};
	return call(request!, { headers, ...options, ...(body && { body }) });
}

/** The search and the detail take it; other endpoints ignore it (§9.2). */
const VERSION = { 'X-API-Version': '2' };

describe('endpoints', () => {
	it('every described endpoint is served once', () => {
		const sections = (list: ReadonlyArray<{ section: string }>) =>
			list.map(({ section }) => section).sort();
		expect(sections(ENDPOINTS)).toEqual(sections(DESCRIBED_ENDPOINTS));
	});

	it.each(DEPRECATED_REQUESTS)('%s no longer exists', async (request) => {
		const answer = await call(request.replace('{clientId}', IDS.client));
		expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
	});

	it.each(ENDPOINTS.map(({ section, level }) => [section, level] as const))(
		'endpoint %s requires access level %d',
		async (section, required) => {
			for (const level of [1, 2, 3] as const) {
				const answer = await send(GOOD[section]!, { key: level });
				if (level >= required) expect(answer.status).toBe(200);
				else expect([answer.status, answer.json.code]).toEqual([401, 'AUTH']);
			}
			for (const key of ['none', `${API_KEYS[3]}x`, '']) {
				const answer = await send(GOOD[section]!, { key });
				expect([answer.status, answer.json.code]).toEqual([401, 'AUTH']);
			}
		},
	);

	it('transfers, ramps and card operations honor Idempotency-Key (1.6)', async () => {
		const idempotent = ENDPOINTS.filter((endpoint) => endpoint.idempotent);
		const sections = idempotent.map(({ section }) => section);
		expect(sections.sort()).toEqual(['4.10', '4.4', '4.5', '4.7', '4.8']);
		for (const [index, section] of sections.entries()) {
			const write = () => send(GOOD[section]!, { idempotencyKey: section });
			expect((await write()).text).toBe((await write()).text);
			expect(simulator.ledger).toHaveLength(index + 1);
		}
	});
});

/** Status, code and request; where the document (§4, §7) is silent, the simulator's choice. */
const REJECTIONS = [
	'404 NOT_FOUND GET /nowhere',
	'404 NOT_FOUND DELETE /mpc/tokens/list',
	'404 NOT_FOUND GET //mpc/tokens/list',
	'404 NOT_FOUND GET /mpc/tokens/list/',
	`404 NOT_FOUND GET ${cards}/`,
	`404 NOT_FOUND GET ${cards}/a%2Fb`,
	`404 NOT_FOUND GET ${cards}/%E0%A4`,
	'404 NOT_FOUND GET /management/clients/individuals/nobody/products',
	`404 NOT_FOUND PATCH ${ramps}/none {"amount":1}`,
	`400 APP_ERROR PATCH ${ramps}/${IDS.processingRamp} {"amount":1}`,
	`400 APP_ERROR PATCH ${ramps}/${IDS.completedRamp} {"amount":1}`,
	`400 APP_ERROR PATCH ${ramps}/${IDS.failedRamp} {"amount":1}`,
	`400 APP_ERROR PATCH ${ramps}/${IDS.cancelledRamp} {"amount":1}`,
	`400 VAL PATCH ${ramps}/${IDS.pendingRamp} {"amount":"1"}`,
	`400 VAL PATCH ${ramps}/${IDS.pendingRamp} {"amount":0}`,
	`404 NOT_FOUND POST ${wallets}/none/transfer {"to":"0x1","amount":1}`,
	`404 NOT_FOUND POST ${wallets}/${IDS.otherAccountWallet}/transfer {"to":"0x1","amount":1}`,
	`400 VAL POST ${wallets}/${IDS.wallet}/transfer {"to":`,
	`400 VAL POST ${wallets}/${IDS.wallet}/transfer []`,
	`404 NOT_FOUND GET ${cards}/none`,
	`404 NOT_FOUND GET ${cards}/${IDS.enterpriseCard}`,
	`404 NOT_FOUND PATCH ${cards}/${IDS.enterpriseCard}/frozen {"freeze":true}`,
	`404 NOT_FOUND PATCH ${cards}/none/frozen {"freeze":true}`,
	`400 VAL PATCH ${cards}/${IDS.activeCard}/frozen {"freeze":"true"}`,
	`400 VAL PATCH ${cards}/${IDS.activeCard}/frozen`,
	`404 NOT_FOUND POST /cards/virtual-cards/none/${threeDs} {"type":"sms"}`,
	`400 VAL POST /cards/virtual-cards/${IDS.activeCard}/${threeDs} {"type":"SMS"}`,
	'412 VAL GET /cards/transactions/none/pdf?from_date=2026-01-01&to_date=2026-01-31',
	`400 VAL GET ${transactions}/pdf`,
	`400 VAL GET ${transactions}/pdf?from_date=2026-02-30&to_date=2026-03-31`,
	`400 VAL GET ${transactions}/pdf?from_date=2026-03-02&to_date=2026-03-01`,
	'404 NOT_FOUND PATCH /api/cards/none/unblock',
	'404 NOT_FOUND GET /cards/transactions/none/search',
	`412 VAL GET ${ofIndividual}/search`,
	`400 VAL GET ${transactions}/search?size=0`,
	`412 VAL GET ${transactions}/search?operations=purchase`,
	`412 VAL GET ${transactions}/search?operations=PURCHASE,TRANSACTION_APPROVED`,
	`412 VAL GET ${ofIndividual}/operations/op-0001`,
	`404 NOT_FOUND GET ${transactions}/operations/none`,
	`412 VAL GET ${transactions}/operations/op-0001?operations=TRANSACTION_CLEARED`,
].map((line) => /^(\d+) (\w+) (.*)$/.exec(line)!.slice(1) as [string, string, string]);

describe('rejections', () => {
	it.each(REJECTIONS)('%s %s answers %s', async (status, code, line) => {
		const answer = await send(line);
		expect([String(answer.status), answer.json]).toEqual([
			status,
			{ code, message: expect.any(String) },
		]);
		expect(answer.headers['content-type']).toMatch(/^application\/json/);
		expect(answer.headers['x-trace-id']).toBe(simulator.requests[0]!.traceId);
		expect(simulator.ledger).toEqual([]);
	});
});

describe('records', () => {
	it('product requests are listed newest first, none of a new client (4.3)', async () => {
		const { json } = await send(GOOD['4.3']!);
		const dates = json.map(({ created_at }: { created_at: string }) => created_at);
		expect(dates).toEqual([...dates].sort().reverse());
		expect((await call(`GET ${client.replace(IDS.client, IDS.newClient)}/products`)).text).toBe(
			'[]',
		);
	});

	it('a card is frozen and unfrozen; only unblocking lifts a block (4.7, 4.10)', async () => {
		const status = async (id: string) => (await call(`GET ${cards}/${id}`)).json.status;
		const freeze = (id: string, frozen: boolean) =>
			send(`PATCH ${cards}/${id}/frozen {"freeze":${frozen}}`);
		expect((await freeze(IDS.activeCard, true)).json).toEqual({});
		expect(await status(IDS.activeCard)).toBe('FROZEN');
		await freeze(IDS.activeCard, false);
		expect(await status(IDS.activeCard)).toBe('ACTIVE');
		await freeze(IDS.blockedCard, false);
		expect(await status(IDS.blockedCard)).toBe('BLOCKED');
		await send(GOOD['4.10']!);
		expect(await status(IDS.blockedCard)).toBe('ACTIVE');
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.unfreeze',
			'card.unblock',
		]);
	});

	it('a card shows its 3DS configuration (4.8)', async () => {
		expect((await send(GOOD['4.8']!)).json).toEqual({ type: 'webhook' });
		expect((await send(GOOD['4.6']!)).json.forwarded_3ds_type).toBe('webhook');
	});

	it('a ramp transfer shows its new amount, and the ledger the exact text (4.4)', async () => {
		const answer = await send(`PATCH ${ramps}/${IDS.pendingRamp} {"amount":2500.10}`);
		expect(answer.json).toMatchObject({ id: IDS.pendingRamp, origin_amount: 2500.1 });
		expect(simulator.ledger).toMatchObject([
			{ operation: 'rampTransfer.updateAmount', amountText: '2500.10' },
		]);
	});
});

describe('card transactions, version 2 (4.11, 4.12, §9)', () => {
	const FAMILIES = OPERATION_FAMILIES;
	const search = async (query = '', headers = VERSION) =>
		(await call(`GET ${transactions}/search${query}`, { key: 1, headers })).json;
	const operationsIn = ({ movements }: { movements: Array<{ operation: string }> }) => [
		...new Set(movements.map(({ operation }) => operation)),
	];

	it.each(['1', '2', 'nonsense'])('the search ignores X-API-Version %s', async (version) => {
		const found = await search('', { 'X-API-Version': version });
		expect(operationsIn(found).sort()).toEqual([...FAMILIES].sort());
		for (const movement of found.movements) {
			expect(typeof movement.bill_amount).toBe('number');
			for (const gone of ['status', 'decline_reason', 'fees', 'lifecycle'])
				expect(movement).not.toHaveProperty(gone);
		}
	});

	it('the search filters by family and names the families of another one', async () => {
		for (const family of FAMILIES)
			expect(operationsIn(await search(`?operations=${family}`))).toEqual([family]);
		for (const query of ['PURCHASE,WALLET_DEPOSIT', 'PURCHASE&operations=WALLET_DEPOSIT'])
			expect(operationsIn(await search(`?operations=${query}`))).toEqual(FAMILIES.slice(0, 2));
		const { message } = await search('?operations=TRANSACTION_APPROVED');
		for (const family of FAMILIES) expect(message).toContain(family);
	});

	it('every page shows the total, and the pages show every movement', async () => {
		const all = await search();
		const pages = [];
		for (let page = 0; page * 5 < all.total_elements; page++)
			pages.push(await search(`?page=${page}&size=5`));
		for (const page of pages) expect(page.total_elements).toBe(all.total_elements);
		expect(pages.flatMap(({ movements }) => movements)).toEqual(all.movements);
	});

	it('the detail shows the outcome and the fees', async () => {
		expect((await send(GOOD['4.12']!)).json).toMatchObject({
			id: IDS.purchase,
			operation: 'PURCHASE',
			lifecycle: { state: expect.any(String), outcome: expect.any(String) },
			fees: { atm_fees: expect.any(Number), fx_fees: expect.any(Number) },
		});
	});
});

describe('statement (4.9)', () => {
	it('the statement is a valid PDF with the transactions of its days', async () => {
		const path = `${transactions}/pdf?from_date=2026-11-18&to_date=2026-11-20`;
		const answer = await call(`GET ${path}`, { key: 1 });
		expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
		const text = checkPdf(answer.bytes);
		expect(text).toContain('2026-11-20T12:00:00.000Z  PURCHASE  52.35');
		expect(text).not.toContain('2026-11-17');
		expect(checkPdf(pdf(['a(b)c\\d', 'naïve — 猫']))).toContain('(a\\(b\\)c\\\\d) Tj');
	});
});

/** Checks the cross-reference table against the file, as a strict reader does. */
function checkPdf(bytes: Buffer): string {
	const text = bytes.toString('latin1');
	expect(text).toMatch(/^%PDF-1\.[^]*%%EOF\n$/);
	const xref = Number(/startxref\n(\d+)\n/.exec(text)![1]);
	const table = text.slice(xref);
	expect(table).toMatch(/^xref\n/);
	const offsets = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
	expect(offsets).toHaveLength(5);
	for (const [index, offset] of offsets.entries())
		expect(text.slice(offset, offset + 8)).toBe(`${index + 1} 0 obj\n`);
	const stream = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(text)!;
	expect(stream[2]!.length).toBe(Number(stream[1]));
	return text;
}
