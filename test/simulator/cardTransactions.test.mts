import { call } from './client.mts';
import { IDS } from './index.mts';
import { pdf } from './pdf.mts';
import { simulator, useSimulator } from './useSimulator.mts';

useSimulator({ requestsPerSecond: 0 });

/** §9.6, copied from the document. */
const FAMILIES = [
	'PURCHASE',
	'WALLET_DEPOSIT',
	'WALLET_WITHDRAWAL',
	'WARRANTY_DEPOSIT',
	'WARRANTY_WITHDRAWAL',
	'OVERRIDE_VIRTUAL_BALANCE',
	'CARDNET_DIRECT_DEPOSIT',
];

const search = (query = '', headers: Record<string, string> = {}) =>
	call(simulator, 'GET', `/cards/transactions/${IDS.enterpriseCard}/search${query}`, {
		key: 1,
		headers,
	});

describe('card transaction search, version 2 (4.11, §9)', () => {
	it.each([undefined, '1', '2', 'nonsense'])(
		'ignores X-API-Version %s since 1 October 2026',
		async (version) => {
			const { json } = await search('', version === undefined ? {} : { 'X-API-Version': version });
			expect(
				new Set(json.movements.map(({ operation }: { operation: string }) => operation)),
			).toEqual(new Set(FAMILIES));
			for (const movement of json.movements) {
				expect(typeof movement.bill_amount).toBe('number');
				for (const gone of ['status', 'decline_reason', 'fees', 'lifecycle'])
					expect(movement).not.toHaveProperty(gone);
			}
		},
	);

	it.each(FAMILIES)('returns only %s when filtered by it', async (family) => {
		const { json } = await search(`?operations=${family}`);
		expect(json.total_elements).toBeGreaterThan(0);
		expect(
			json.movements.every(({ operation }: { operation: string }) => operation === family),
		).toBe(true);
	});

	it('accepts several families, comma-separated or repeated', async () => {
		const commas = await search('?operations=WALLET_DEPOSIT,WALLET_WITHDRAWAL');
		const repeated = await search('?operations=WALLET_DEPOSIT&operations=WALLET_WITHDRAWAL');
		expect(commas.json.total_elements).toBe(2);
		expect(repeated.json).toEqual(commas.json);
	});

	it.each([
		'TRANSACTION_APPROVED',
		'TRANSACTION_CLEARED',
		'purchase',
		'PURCHASE,TRANSACTION_APPROVED',
	])('rejects %s and lists the available families', async (operations) => {
		const answer = await search(`?operations=${operations}`);
		expect([answer.status, answer.json.code]).toEqual([412, 'VAL']);
		for (const family of FAMILIES) expect(answer.json.message).toContain(family);
	});

	it('keeps total_elements and every movement when paging', async () => {
		const { json: all } = await search();
		const ids: string[] = [];
		for (let page = 0; page * 5 < all.total_elements; page++) {
			const { json } = await search(`?page=${page}&size=5`);
			expect(json.total_elements).toBe(all.total_elements);
			ids.push(...json.movements.map(({ id }: { id: string }) => id));
		}
		expect(ids).toEqual(all.movements.map(({ id }: { id: string }) => id));
		expect((await search('?size=0')).status).toBe(400);
	});
});

describe('card transaction detail, version 2 (4.12)', () => {
	it.each([
		[IDS.purchase, 'PURCHASE'],
		[IDS.declinedPurchase, 'PURCHASE'],
	])('shows the outcome of %s', async (id, operation) => {
		const { json } = await call(
			simulator,
			'GET',
			`/cards/transactions/${IDS.enterpriseCard}/operations/${id}`,
		);
		expect(json).toMatchObject({
			id,
			operation,
			lifecycle: { state: expect.any(String), outcome: expect.any(String) },
			fees: { atm_fees: expect.any(Number), fx_fees: expect.any(Number) },
		});
	});
});

describe('statement (4.9)', () => {
	it('is a PDF with a header, a correct cross-reference table and an end mark', async () => {
		const path = `/cards/transactions/${IDS.enterpriseCard}/pdf?from_date=2026-11-18&to_date=2026-11-20`;
		const answer = await call(simulator, 'GET', path, { key: 1 });
		expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
		const text = checkPdf(answer.bytes);
		expect(text).toContain('2026-11-20T12:00:00.000Z  PURCHASE  52.35');
		expect(text).not.toContain('2026-11-17');
	});

	it('is a valid PDF with brackets, backslashes and characters beyond Latin-1', () => {
		const text = checkPdf(pdf(['a(b)c\\d', 'naïve — 猫']));
		expect(text).toContain('(a\\(b\\)c\\\\d) Tj');
	});
});

/** Checks the cross-reference table against the file, as a strict reader does. */
function checkPdf(bytes: Buffer): string {
	const text = bytes.toString('latin1');
	expect(text.startsWith('%PDF-1.')).toBe(true);
	expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
	const xref = Number(/startxref\n(\d+)\n/.exec(text)![1]);
	expect(text.slice(xref, xref + 5)).toBe('xref\n');
	const offsets = [...text.slice(xref).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) =>
		Number(offset),
	);
	expect(offsets).toHaveLength(5);
	for (const [index, offset] of offsets.entries()) {
		expect(text.slice(offset, offset + 8)).toBe(`${index + 1} 0 obj\n`);
	}
	const stream = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(text)!;
	expect(stream[2]!.length).toBe(Number(stream[1]));
	return text;
}
