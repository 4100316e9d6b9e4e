import fc from 'fast-check';

import { sweepAmount } from '../../../../../nodes/CardTreasury/operations/wallet/sweepAmount.ts';
import { InvalidFieldError } from '../../../../../nodes/shared/fields/invalidField.ts';
import { SWEEP as GUARDED_SWEEP, RECIPIENT, refused, TOKEN } from '../guarded.mts';
import { requestOf, workOf } from '../reading.mts';

it.each<[object, string | undefined]>([
	[{ balance: '750', floor: '500' }, '250'],
	[{ balance: '750.9999999', floor: '500' }, '250.999999'],
	[{ balance: '500.1', floor: '500.0999999' }, undefined],
	[{ balance: '500', floor: '500' }, undefined],
	[{ balance: '1', floor: '500' }, undefined],
	[{ balance: '750', floor: '500', sweepMinimum: '250' }, '250'],
	[{ balance: '750', floor: '500', sweepMinimum: '250.000001' }, undefined],
	[{ balance: '750', floor: '500', sweepMaximum: '100' }, '100'],
	[{ balance: '750', floor: '500', sweepMaximum: '0.0000009' }, undefined],
	[{ balance: '750', floor: '500', sweepMinimum: '100', sweepMaximum: '100' }, '100'],
	[{ balance: '1000000000.999999', floor: '1' }, '999999999.999999'],
])('a sweep with %j sends %s', (sweep, amount) => {
	expect(sweepAmount(sweep as { balance: string; floor: string })).toBe(amount);
});

it.each([
	[
		{ balance: '1000000001', floor: '1' },
		'Balance is 1000000001, so 1000000000 would be sent, but a transfer takes at most 9 digits before the decimal point',
		'Check the balance, or set Sweep Maximum in the options.',
	],
	[
		{ balance: '9', floor: '1', sweepMinimum: '5', sweepMaximum: '4.9' },
		'Sweep Minimum is above Sweep Maximum, so nothing would ever be sent',
		'Correct one of the two.',
	],
])('a sweep with %j is refused', (sweep, message, fix) => {
	expect.assertions(3);
	try {
		sweepAmount(sweep);
	} catch (error) {
		expect(error).toBeInstanceOf(InvalidFieldError);
		expect(error).toHaveProperty('message', message);
		expect(error).toHaveProperty('fix', fix);
	}
});

it('a sweep never sends more than the surplus, nor leaves a millionth too much', () => {
	const millionths = fc.bigInt({ min: 0n, max: 10n ** 15n });
	const text = (value: bigint) => {
		const digits = String(value).padStart(7, '0');
		return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
	};
	fc.assert(
		fc.property(millionths, millionths, (balance, floor) => {
			fc.pre(balance - floor < 10n ** 15n);
			const amount = sweepAmount({ balance: text(balance), floor: text(floor) }) ?? '0';
			const [whole = '', fraction = ''] = amount.split('.');
			const above = balance > floor ? balance - floor : 0n;
			expect(BigInt(whole + fraction.padEnd(6, '0'))).toBe(above);
		}),
	);
});

describe('transfer above the floor', () => {
	const SWEEP = {
		...GUARDED_SWEEP,
		amount: '99999',
		maximumAmount: '99999',
		balance: 1e-7,
		floor: '0.0',
	};
	const nothing = {
		outcome: 'nothing_to_send',
		status: 'NOTHING_TO_SEND',
		transaction_hash: null,
		wallet_id: 'w',
		to: RECIPIENT,
		token_address: TOKEN,
		amount: '0',
		payment_reference: 'INV-1',
	};

	it('the item states that there is nothing to send, and does not count towards the limits', async () => {
		const work = await workOf('wallet: transfer', { parameters: SWEEP });
		expect(work.nothingToSend).toEqual(nothing);
		expect(work.limits).toBeUndefined();
		const less = { ...SWEEP, balance: '9', options: { sweepMinimum: '10', maximumTotal: '1' } };
		expect((await workOf('wallet: transfer', { parameters: less })).nothingToSend).toEqual(nothing);
	});

	it('each mode ignores the amounts of the other', async () => {
		const sent = async (parameters: object) =>
			(await requestOf('wallet: transfer', { parameters: { ...SWEEP, ...parameters } })).body;
		expect(await sent({ balance: '9' })).toBe(
			`{"to":"${RECIPIENT}","token_address":"${TOKEN}","amount":9}`,
		);
		const fixed = { amountMode: 'fixed', balance: 'x', options: { sweepMaximum: '' } };
		expect(await sent(fixed)).toBe(
			`{"to":"${RECIPIENT}","token_address":"${TOKEN}","amount":99999}`,
		);
	});

	it('an amount above Maximum Amount is refused by a field that the panel shows', async () => {
		const parameters = { ...SWEEP, balance: '600', maximumAmount: '100' };
		expect(await refused({ parameters })).toEqual([
			'Balance is 600, so 600 would be sent, above the Maximum Amount of 100',
			'Check the balance. To send a part, set Sweep Maximum in the options to at most 100. Raise Maximum Amount only if this amount is intended.',
		]);
	});

	it.each([
		[{ balance: '' }, 'Balance is empty'],
		[{ floor: '-1' }, 'Floor is -1, and must not be negative'],
		[{ balance: '1', options: { sweepMinimum: '0' } }, 'Sweep Minimum must be greater than 0'],
	])('the sweep is refused with %j', async (parameters, message) => {
		await expect(
			workOf('wallet: transfer', { parameters: { ...SWEEP, ...parameters } }),
		).rejects.toThrow(message);
	});
});
