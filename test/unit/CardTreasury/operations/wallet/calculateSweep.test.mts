import { Settings } from 'luxon';

import { calculateSweep } from '../../../../../nodes/CardTreasury/operations/wallet/calculateSweep.ts';
import { SWEEP, TOKEN } from '../guarded.mts';
import { callerOf, inputOf, workOf } from '../reading.mts';

// 22:00 of 20 May in New York, the time zone of the items.
beforeAll(() => (Settings.now = () => Date.parse('2026-05-21T02:00:00Z')));
afterAll(() => (Settings.now = () => Date.now()));

const GIVEN = { walletId: 'wal-1', balance: '600.5', floor: '100', balanceDay: '2026-05-20' };
const calculate = (more: object = {}, options: object = {}) => {
	const item = { parameters: { ...GIVEN, ...more, options } };
	return calculateSweep.calculate(inputOf(item), callerOf(item));
};

it('Calculate Sweep gives the amount above the floor', () => {
	expect(calculate()).toEqual({
		summary: 'Sweep of 500.5 from wal-1 (balance 600.5, floor 100).',
		amount: '500.5',
		due: true,
		wallet_id: 'wal-1',
		balance: '600.5',
		floor: '100',
	});
});

it.each([
	['native', 'Sweep of 500.5 of the native coin from wal-1 '],
	[` ${TOKEN}`, 'Sweep of 500.5 of 0x2791…4174 from wal-1 '],
	['', 'Sweep of 500.5 from wal-1 '],
])('the summary of Calculate Sweep names the token %j', (assetAddress, summary) => {
	expect(calculate({}, { assetAddress }).summary).toContain(summary);
	const item = inputOf({ parameters: { ...GIVEN, balance: '', options: { assetAddress } } });
	const [, of = ''] = / (of (?:the native coin|0x\S+)) from/.exec(summary) ?? [];
	expect(calculateSweep.nameOf(item, callerOf({ parameters: {} }))).toBe(
		`sweep ${of} from wal-1`.replace('  ', ' '),
	);
});

it.each([
	[{ balance: '100' }, {}, '0'],
	[{ balance: '99' }, {}, '0'],
	[{}, { sweepMinimum: '501' }, '0'],
	[{}, { sweepMaximum: '50' }, '50'],
	[{ balance: '100.0000019' }, {}, '0.000001'],
])('Calculate Sweep with %j and the options %j gives %s', (more, options, amount) => {
	expect(calculate(more, options)).toMatchObject({ amount, due: amount !== '0' });
});

it.each([
	['500.499999', 'needed', {}],
	['500.5', 'not_needed', {}],
	['0', 'needed', {}],
	['0', 'not_needed', { balance: '100' }],
])('with an Approval Above of %s, the approval is %s for %j', (approvalAbove, approval, more) => {
	expect(calculate(more, { approvalAbove })).toMatchObject({ approval });
});

it.each<[object, object, string]>([
	[{ balance: '' }, {}, 'Balance is empty'],
	[{}, { assetAddress: 'USDC' }, 'Token "USDC" is not a contract address'],
	[{ walletId: '' }, {}, 'Wallet ID is empty'],
	[{ balanceDay: '' }, {}, 'Balance Day is empty'],
	[
		{ balanceDay: '2026-05-21' },
		{},
		'Balance Day is 2026-05-21, and today is 2026-05-20 in America/New_York',
	],
	[
		{ balanceDay: '2026-05-19' },
		{},
		'Balance Day is 2026-05-19, and today is 2026-05-20 in America/New_York',
	],
	[
		{},
		{ maximumAmount: '500' },
		'Balance is 600.5, so 500.5 would be sent, above the Maximum Amount of 500',
	],
	[{}, { sweepMinimum: '' }, 'Sweep Minimum is empty'],
	[{}, { approvalAbove: '' }, 'Approval Above is empty'],
	[{}, { approvalAbove: '1,000' }, 'Approval Above "1,000" is not valid'],
])('Calculate Sweep refuses %j with the options %j', (more, options, message) => {
	expect(() => calculate(more, options)).toThrow(message);
});

it.each([
	['wal-1', 'sweep from wal-1'],
	['', 'sweep'],
])('a refused sweep of the wallet %j is named "%s"', (walletId, name) => {
	const item = { parameters: { ...GIVEN, walletId, balance: '', options: {} } };
	expect(calculateSweep.nameOf(inputOf(item), callerOf(item))).toBe(name);
});

describe('Balance Day of Transfer', () => {
	const transfer = async (balanceDay: unknown) =>
		await workOf('wallet: transfer', { parameters: { ...SWEEP, options: { balanceDay } } });

	it('a balance of today is accepted', async () => {
		await expect(transfer('2026-05-20')).resolves.toMatchObject({ limits: {} });
		await expect(transfer('2026-05-20T23:30:00-04:00')).resolves.toMatchObject({ limits: {} });
	});

	it.each([
		['2026-05-19', 'Balance Day is 2026-05-19'],
		['', 'Balance Day is empty'],
	])('the balance day %j is refused', async (day, message) => {
		await expect(transfer(day)).rejects.toThrow(message);
	});
});
