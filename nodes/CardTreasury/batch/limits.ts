import { addDecimals, compareDecimals } from '../../service/decimal';
import { InvalidFieldError } from '../errors';
import type { Journal } from './journal';
import type { Prepared } from './work';

/**
 * Checks the limits that hold for all items of a run together, before the first is sent. An agent's calls are runs of
 * their own, so what it has transferred before in this execution counts too.
 * @returns why nothing of this run may be sent
 */
export function checkLimits(
	works: Prepared[],
	journal: Journal,
	isTool: boolean,
): InvalidFieldError | undefined {
	const sending = works.filter(({ limits, nothingToSend }) => limits && !nothingToSend);
	const [first] = sending;
	if (first === undefined) return undefined;
	const before = isTool
		? journal.others(first.place).filter(({ state, amount }) => amount && state !== 'rejected')
		: [];
	const amounts = [
		...before.map(({ amount = '0' }) => amount),
		...sending.map(({ limits }) => limits?.amount ?? '0'),
	];
	const total = amounts.reduce(addDecimals, '0');
	for (const { limits } of sending) {
		const { maximumTotal, maximumTransfers } = limits ?? {};
		if (maximumTotal !== undefined && compareDecimals(total, maximumTotal) > 0) {
			return new InvalidFieldError(
				'Maximum Total',
				`is ${maximumTotal}, and the transfers of this run add up to ${total}`,
				'Check where the amounts come from. Raise Maximum Total only if all of them are intended.',
			);
		}
		if (maximumTransfers !== undefined && amounts.length > maximumTransfers) {
			return new InvalidFieldError(
				'Maximum Transfers',
				`is ${maximumTransfers}, and this run has ${amounts.length} transfers`,
				'Check where the items come from. Raise Maximum Transfers only if all of them are intended.',
			);
		}
	}
	return undefined;
}
