import { DateTime } from 'luxon';

import {
	compareDecimals,
	floorDecimal,
	minDecimal,
	subtractDecimals,
} from '../../../shared/decimal';
import { amount } from '../../../shared/fields/amount';
import { FieldContext } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { calendarDay } from '../fields';
import { guard } from '../guards';
import type { ItemField, ItemSource } from '../itemFields';

/** Digits of a transfer's amount: at most 9 before and 6 after the decimal point (§4.5, §8). */
export const TRANSFER_AMOUNT = { integerDigits: 9, fractionDigits: 6 } as const;

/** Fields of a sweep. *Transfer* shows them for Above Floor, *Calculate Sweep* always. */
export const sweepFields = {
	balance: amount('Balance', {
		description: 'How much of the token the wallet holds',
		hint: 'No operation of this node reads the balance.',
		mayBeZero: true,
	}),
	floor: amount('Floor', {
		placeholder: 'e.g. 500',
		description: 'How much stays in the wallet. Everything above it is due.',
		mayBeZero: true,
	}),
};

export const sweepOptions = {
	sweepMinimum: guard(
		amount('Sweep Minimum', {
			placeholder: 'e.g. 10',
			description: 'If less than this is due, nothing is sent',
		}),
	),
	sweepMaximum: guard(
		amount('Sweep Maximum', {
			placeholder: 'e.g. 50000',
			description: 'At most this much is due in one transfer',
		}),
	),
};

const dayOf = calendarDay(
	'Balance Day',
	'The day that the balance is of. Another day than today is refused.',
);

/** Reads the day of a balance. Refuses any other day than today, because money may have moved since. */
function readToday(source: ItemSource, name: string): string {
	const given = new FieldContext('Balance Day', source, name);
	const day = dayOf.read(source, name);
	if (day === undefined) return given.refuseEmpty('Enter the day that the balance is of.');
	const { timezone } = source.caller;
	const today = DateTime.now().setZone(timezone).toFormat('yyyy-MM-dd');
	return day === today
		? day
		: given.refuse(
				`is ${day}, and today is ${today} in ${timezone}`,
				'Read the balance again: money may have moved since.',
			);
}

export const balanceDay: ItemField<string> = {
	label: 'Balance Day',
	property: (name, method) =>
		[dayOf.property(name, method)].flat().map((property) => ({ ...property, required: true })),
	read: readToday,
};

/** Balance Day as an option, which may be left out but not be empty. */
export const balanceDayOption: ItemField<string | undefined> = {
	label: 'Balance Day',
	property: dayOf.property,
	read: (source, name) => (source.has(name) ? readToday(source, name) : undefined),
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
