import {
	compareDecimals,
	floorDecimal,
	minDecimal,
	subtractDecimals,
} from '../../../shared/decimal';
import { amount } from '../../../shared/fields/amount';
import { shownWhen } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { guard } from '../guards';

/** Digits of a transfer's amount: at most 9 before and 6 after the decimal point (§4.5, §8). */
export const TRANSFER_AMOUNT = { integerDigits: 9, fractionDigits: 6 } as const;

export const sweepFields = {
	balance: shownWhen(
		{ amountMode: ['aboveFloor'] },
		amount('Balance', {
			description: 'How much of the token the wallet holds. No operation of this node reads it.',
			mayBeZero: true,
		}),
	),
	floor: shownWhen(
		{ amountMode: ['aboveFloor'] },
		amount('Floor', {
			placeholder: 'e.g. 500',
			description: 'How much stays in the wallet. Everything above it is sent.',
			mayBeZero: true,
		}),
	),
};

const sweepLimit = (label: string, placeholder: string, description: string) =>
	shownWhen({ '/amountMode': ['aboveFloor'] }, guard(amount(label, { placeholder, description })));

export const sweepOptions = {
	sweepMinimum: sweepLimit(
		'Sweep Minimum',
		'e.g. 10',
		'If less than this would be sent, nothing is sent',
	),
	sweepMaximum: sweepLimit(
		'Sweep Maximum',
		'e.g. 50000',
		'At most this much is sent in one transfer',
	),
};

/**
 * Amount above the floor, rounded down to the digits of a transfer. Undefined if too little is left to send.
 * @throws InvalidFieldError if the amount exceeds the maximum of a transfer, or if the limits contradict each other
 */
export function sweepAmount(sweep: {
	balance: string;
	floor: string;
	sweepMinimum?: string;
	sweepMaximum?: string;
}): string | undefined {
	const { balance, floor, sweepMinimum = '0', sweepMaximum } = sweep;
	if (sweepMaximum !== undefined && compareDecimals(sweepMinimum, sweepMaximum) > 0) {
		throw new InvalidFieldError(
			'Sweep Minimum',
			'is above Sweep Maximum, so nothing would ever be sent',
			'Correct one of the two.',
		);
	}
	const above = subtractDecimals(balance, floor);
	const capped = sweepMaximum === undefined ? above : minDecimal(above, sweepMaximum);
	const rounded = floorDecimal(capped, TRANSFER_AMOUNT.fractionDigits);
	if (compareDecimals(rounded, '0') <= 0 || compareDecimals(rounded, sweepMinimum) < 0) {
		return undefined;
	}
	if (compareDecimals(rounded, `1${'0'.repeat(TRANSFER_AMOUNT.integerDigits)}`) < 0) return rounded;
	throw new InvalidFieldError(
		'Balance',
		`is ${balance}, so ${rounded} would be sent, but a transfer takes at most ${TRANSFER_AMOUNT.integerDigits} digits before the decimal point`,
		'Check the balance, or set Sweep Maximum in the options.',
	);
}
