import { readFields } from '../../../shared/fields/field';
import { id } from '../../../shared/fields/text';
import { summaryLine } from '../../../shared/plainLine';
import { maximumAmount, refuseAbove } from '../guards';
import { optionsOf, sourceOf } from '../itemFields';
import type { Calculation } from '../operation';
import { balanceDay, sweepAmount, sweepFields, sweepOptions } from './sweepAmount';

const fields = {
	walletId: id('Wallet ID', 'e.g. wal-0001', 'The wallet that the balance is of'),
	...sweepFields,
	balanceDay,
};

const options = { ...sweepOptions, maximumAmount: maximumAmount('In units of the token.') };

/** Amount of a sweep, for a question before the transfer. This operation cannot send anything. */
export const calculateSweep: Calculation = {
	kind: 'calculation',
	name: 'Calculate Sweep',
	action: 'Calculate sweep of wallet',
	description: 'Calculate how much a wallet holds above a floor. Sends nothing.',
	section: '8',
	searchHint: 'ask for an approval before a sweep: gives the amount that Transfer then sends',
	fields,
	options,
	calculate: (item, caller) => {
		const { walletId, balance, floor } = readFields(fields, sourceOf(item, caller));
		const { maximumAmount: maximum, ...limits } = readFields(options, optionsOf(item, caller));
		const due = sweepAmount({ balance, floor, ...limits });
		if (due !== undefined) refuseAbove(due, maximum, balance);
		const holds = `${walletId} holds ${balance}, the floor is ${floor}`;
		return {
			summary: summaryLine(
				due === undefined ? `No sweep is due: ${holds}.` : `Sweep of ${due}: ${holds}.`,
			),
			amount: due ?? '0',
			due: due !== undefined,
			wallet_id: walletId,
			balance,
			floor,
		};
	},
	output: {
		summary: 'string',
		amount: 'string',
		due: 'boolean',
		wallet_id: 'string',
		balance: 'string',
		floor: 'string',
	},
};
