import { DateTime } from 'luxon';

import {
	compareDecimals,
	floorDecimal,
	fromSmallestUnits,
	minDecimal,
	subtractDecimals,
} from '../../../shared/decimal';
import { Problem } from '../../../shared/problem';
import { harmless, quote, shortened, textOf } from '../../../shared/text';
import { canonicalAddress } from '../../fields/address';
import { option, required, type Field } from '../../fields/field';
import { calendarDay, flag, id } from '../../fields/kinds';
import { amount, SENT } from '../../fields/money';
import { calculation } from '../operation';
import { token } from './token';

const day = calendarDay(
	'Balance Day',
	'The day that the balance is of. Any day but today is refused.',
);

/** Day of a balance. Money may have moved since any other day. */
const balanceDay: Field<string> = {
	...day,
	read: (input) => {
		const read = day.read(input);
		const today = DateTime.now().setZone(input.timezone).toFormat('yyyy-MM-dd');
		if (read === today) return read;
		throw new Problem(
			`Balance Day is ${read}, and today is ${today} in ${input.timezone}`,
			'Read the balance again: money may have moved since.',
		);
	},
};

const inUnits = amount('Balance', {
	mayBeZero: true,
	description:
		'How much of the token the wallet holds. In its smallest unit, or hexadecimal with 0x, with the option Balance Decimals.',
	hint: 'No operation of this node reads the balance.',
});

/** Hexadecimal as a blockchain node gives it, or an amount. A bare `0x` means that there is no such token. */
const balance: Field<string> = {
	...inUnits,
	read: (input) => {
		const text = textOf(input.value).trim();
		return /^0x[0-9a-f]{1,64}$/i.test(text) ? text : inUnits.read(input);
	},
};

const balanceDecimals = option(
	required(
		'Balance Decimals',
		{
			placeholder: 'e.g. 6',
			description:
				'Decimals of the token, if Balance is in its smallest unit. Too few make the balance too large: Maximum Amount of Transfer limits the loss.',
		},
		(value, refuse) => {
			const text = textOf(value).trim();
			return /^\d{1,2}$/.test(text)
				? Number(text)
				: refuse(`is ${quote(text)}`, "Enter the token's decimals as a whole number, e.g. 6.");
		},
	),
);

const limit = (label: string, placeholder: string, description: string) =>
	option(amount(label, { placeholder, description }));

/** Amount of a sweep, for Transfer. This operation sends nothing. */
export const calculateSweep = calculation({
	name: 'Calculate Sweep',
	action: 'Calculate sweep of wallet',
	description: 'Calculate how much a wallet holds above a floor, for Transfer. Sends nothing.',
	fields: {
		walletId: id('Wallet ID', 'e.g. wal-0001', 'The wallet that the balance is of'),
		tokenAddress: token,
		balance,
		floor: amount('Floor', {
			mayBeZero: true,
			placeholder: 'e.g. 500',
			description: 'How much stays in the wallet. Everything above it is due.',
		}),
		balanceDay,
		balanceDecimals,
		sweepMinimum: limit(
			'Sweep Minimum',
			'e.g. 10',
			'If less than this is above the floor, nothing is due',
		),
		sweepMaximum: limit('Sweep Maximum', 'e.g. 50000', 'At most this much is due'),
		includeNotDue: option(
			flag('Include Not Due', 'Whether to return also the wallets of which nothing is due', true),
		),
	},
	say: ({ walletId }) => walletId && `sweep of ${shortened(walletId, 80)}`,
	calculate: ({ walletId, tokenAddress, floor, sweepMinimum, sweepMaximum, ...values }) => {
		if (sweepMinimum && sweepMaximum && compareDecimals(sweepMinimum, sweepMaximum) > 0)
			throw new Problem(
				`Sweep Minimum is ${sweepMinimum}, above the Sweep Maximum of ${sweepMaximum}`,
				'Nothing could ever be due: correct one of them.',
			);
		const held = unitsOf(values.balance, values.balanceDecimals);
		const due = dueAmount(held, floor, sweepMinimum, sweepMaximum);
		if (due === '0' && !values.includeNotDue) return undefined;
		const { address, name } = tokenAddress;
		const found = due === '0' ? 'No sweep is due' : `Sweep due: ${due} ${name}`;
		return {
			amount: due,
			due: due !== '0',
			payment_reference: `sweep ${values.balanceDay} ${walletId} ${canonicalAddress(address ?? 'native')}`,
			wallet_id: walletId,
			token_address: address,
			balance: held,
			floor,
			summary: harmless(`${found} from ${walletId} (balance ${held}, floor ${floor}).`),
		};
	},
});

/** Balance in units of the token. */
function unitsOf(balance: string, decimals?: number): string {
	const isHex = /^0x/i.test(balance);
	if (decimals === undefined && isHex)
		throw new Problem(`Balance is ${quote(balance)}`, 'Add the option Balance Decimals.');
	if (decimals === undefined) return balance;
	if (balance.includes('.'))
		throw new Problem(
			`Balance is ${balance}, not a whole number of smallest units`,
			'Remove the option Balance Decimals, or take the balance as the blockchain gives it.',
		);
	return fromSmallestUnits(balance, decimals);
}

/** Amount above the floor, rounded down to what a transfer can send. `0` if nothing is due. */
function dueAmount(balance: string, floor: string, minimum = '0', maximum?: string): string {
	const above = subtractDecimals(balance, floor);
	const capped = maximum === undefined ? above : minDecimal(above, maximum);
	const due = floorDecimal(capped, SENT.decimals);
	return compareDecimals(due, '0') <= 0 || compareDecimals(due, minimum) < 0 ? '0' : due;
}
