import { DateTime } from 'luxon';

import {
	compareDecimals,
	floorDecimal,
	minDecimal,
	subtractDecimals,
} from '../../../shared/decimal';
import { option, type Field } from '../../../shared/fields/field';
import { calendarDay, id } from '../../../shared/fields/kinds';
import { amount, SENT } from '../../../shared/fields/money';
import { Problem } from '../../../shared/problem';
import { harmless } from '../../../shared/text';
import { calculation } from '../operation';
import { token } from './token';

const day = calendarDay(
	'Balance Day',
	'The day that the balance is of. Any day but today is refused.',
);

/** Day of a balance. Money may have moved since any other day. */
const balanceDay: Field<string> = {
	...day,
	read: (given) => {
		const read = day.read(given);
		const today = DateTime.now().setZone(given.timezone).toFormat('yyyy-MM-dd');
		if (read === today) return read;
		throw new Problem(
			`Balance Day is ${read}, and today is ${today} in ${given.timezone}`,
			'Read the balance again: money may have moved since.',
		);
	},
};

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
		balance: amount('Balance', {
			mayBeZero: true,
			description: 'How much of the token the wallet holds',
			hint: 'No operation of this node reads the balance.',
		}),
		floor: amount('Floor', {
			mayBeZero: true,
			placeholder: 'e.g. 500',
			description: 'How much stays in the wallet. Everything above it is due.',
		}),
		balanceDay,
		sweepMinimum: limit(
			'Sweep Minimum',
			'e.g. 10',
			'If less than this is above the floor, nothing is due',
		),
		sweepMaximum: limit('Sweep Maximum', 'e.g. 50000', 'At most this much is due'),
	},
	calculate: ({
		walletId,
		tokenAddress,
		balance,
		floor,
		balanceDay: of,
		sweepMinimum,
		sweepMaximum,
	}) => {
		const due = dueAmount(balance, floor, sweepMinimum, sweepMaximum);
		const { address, name } = tokenAddress;
		const found = due === '0' ? 'No sweep is due' : `Sweep due: ${due} ${name}`;
		return {
			amount: due,
			due: due !== '0',
			payment_reference: `sweep ${of} ${walletId} ${address ?? 'native'}`,
			wallet_id: walletId,
			token_address: address,
			balance,
			floor,
			summary: harmless(`${found} from ${walletId} (balance ${balance}, floor ${floor}).`),
		};
	},
});

/** Amount above the floor, rounded down to what a transfer can send. `0` if nothing is due. */
function dueAmount(balance: string, floor: string, minimum = '0', maximum?: string): string {
	const above = subtractDecimals(balance, floor);
	const capped = maximum === undefined ? above : minDecimal(above, maximum);
	const due = floorDecimal(capped, SENT.decimals);
	return compareDecimals(due, '0') <= 0 || compareDecimals(due, minimum) < 0 ? '0' : due;
}
