import type { IDataObject } from 'n8n-workflow';

import type { Calculation } from '../../nodes/CardTreasury/operations/operation.ts';
import { byId, NATIVE, RECIPIENT } from '../harness/fixtures.mts';
import { anyOperation, calculated, eachRow, table } from './reading.mts';

const NAME = 'wallet: calculateSweep';
const GIVEN = {
	...{ walletId: 'w-1', tokenAddress: NATIVE, balance: '750.1234567', floor: 500 },
	balanceDay: '2026-05-20',
};

// In New York still the day before.
const NOW = Date.parse('2026-05-21T03:59:59Z');
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

const sweep = async (more: object, options: IDataObject = {}) =>
	await calculated(NAME, { ...GIVEN, ...more, options });

it('a sweep names its token, and says when nothing is due', async () => {
	const more = { tokenAddress: byId(RECIPIENT), balance: '500000000' };
	expect(await sweep(more, { includeNotDue: true, balanceDecimals: 6 })).toMatchObject({
		balance: '500',
		payment_reference: `sweep 2026-05-20 w-1 ${RECIPIENT.toLowerCase()}`,
		token_address: RECIPIENT,
		summary: 'No sweep is due from w-1 (balance 500, floor 500).',
	});
});

it.each<[balance: unknown, floor: string, options: IDataObject, amount: string]>([
	[5e-7, '0', {}, '0'],
	...table<[string, string, IDataObject, string]>(`
	600.5 | 100 | {} | 500.5
	.5 | 0 | {} | 0.5
	0 | 0 | {} | 0
	99 | 100 | {} | 0
	100.0000009 | 100 | {} | 0
	110 | 100 | {"sweepMinimum":"10"} | 10
	109.999999 | 100 | {"sweepMinimum":10} | 0
	600 | 100 | {"sweepMaximum":"200.0000009"} | 200
	600 | 100 | {"sweepMaximum":600} | 500
	600 | 100 | {"sweepMaximum":10,"sweepMinimum":"10.0"} | 10
	1000000000.9 | 1 | {} | 999999999.9
	9999999999 | 0 | {"sweepMaximum":1} | 1
	1250500001 | 250.5 | {"balanceDecimals":6} | 1000.000001
	1250500001.0 | 250.5 | {"balanceDecimals":"6"} | 1000.000001
	0x4a891dc1 | 250.5 | {"balanceDecimals":6} | 1000.000033
	0X4A891DC1 | 250.5 | {"balanceDecimals":" 6 "} | 1000.000033
	1999999999999999999 | 0 | {"balanceDecimals":18} | 1.999999
	7 | 5 | {"balanceDecimals":0} | 2
	0x0 | 0 | {"balanceDecimals":6} | 0
	0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff | 0 | {"balanceDecimals":78} | 0.115792
`),
])('of %s above %s with %j, %s is due', async (balance, floor, options, amount) => {
	const item = { amount, due: amount !== '0' };
	expect(await sweep({ balance, floor }, { ...options, includeNotDue: true })).toMatchObject(item);
	// Else Transfer, right behind it, would get an amount of 0.
	const alone = item.due ? expect.objectContaining(item) : {};
	expect(await sweep({ balance, floor }, options)).toEqual(alone);
});

eachRow<[more: IDataObject, options: IDataObject, message: string]>(`
	{"walletId":""} | {} | Wallet ID is empty
	{"balance":""} | {} | Balance is empty
	{"balanceDay":""} | {} | Balance Day is empty
	{"balanceDay":"2026-05-21"} | {} | Balance Day is 2026-05-21, and today is 2026-05-20 in America/New_York
	{"balanceDay":"2026-05-19T23:00:00"} | {} | Balance Day is 2026-05-19, and today is 2026-05-20
	{} | {"sweepMinimum":""} | Sweep Minimum is empty
	{"balance":"0x"} | {"balanceDecimals":6} | Balance is "0x"
	{"balance":"0xfg"} | {"balanceDecimals":6} | Balance is "0xfg"
	{"balance":"0x10"} | {} | Balance is "0x10"
	{"balance":"Max rate limit reached"} | {"balanceDecimals":6} | Balance is "Max rate limit reached"
	{"balance":"1250.50"} | {"balanceDecimals":6} | Balance is 1250.5, not a whole number of smallest units
	{} | {"balanceDecimals":""} | Balance Decimals is empty
	{} | {"balanceDecimals":6.5} | Balance Decimals is "6.5"
	{} | {"sweepMaximum":"0"} | Sweep Maximum must be above 0
	{} | {"sweepMaximum":5,"sweepMinimum":"5.01"} | Sweep Minimum is 5.01, above the Sweep Maximum of 5
`)('a sweep of %j with %j is refused: %s', async (more, options, message) => {
	expect(await sweep(more, options)).toContain(message);
});

it('a sweep that is refused names its wallet', () => {
	const { say } = anyOperation(NAME) as Calculation;
	expect(say!({ walletId: 'w-1' })).toBe('sweep of w-1');
	expect(say!({})).toBeUndefined();
});
