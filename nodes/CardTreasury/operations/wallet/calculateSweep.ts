import { compareDecimals } from '../../../shared/decimal';
import { readFields } from '../../../shared/fields/field';
import { id } from '../../../shared/fields/text';
import { shortened, summaryLine } from '../../../shared/plainLine';
import type { Caller, InputItem, JsonObject } from '../../request/input';
import { approvalAbove, maximumAmount, refuseAbove } from '../guards';
import { optionsOf, sourceOf } from '../itemFields';
import type { Calculation, OutputShape } from '../operation';
import { balanceDay, sweepAmount, sweepFields, sweepOptions } from './sweepAmount';

const fields = {
	walletId: id('Wallet ID', 'e.g. wal-0001', 'The wallet that the balance is of'),
	...sweepFields,
	balanceDay,
};

const options = {
	...sweepOptions,
	maximumAmount: maximumAmount('In units of the token.'),
	approvalAbove: approvalAbove(
		'If more than this is due, the output field <b>approval</b> is <b>needed</b>, else <b>not_needed</b>',
	),
};

const OUTPUT: OutputShape = {
	summary: 'string',
	amount: 'string',
	due: 'boolean',
	wallet_id: 'string',
	balance: 'string',
	floor: 'string',
};

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
	calculate: sweepOf,
	nameOf: (item, caller) => {
		const { walletId } = readFields(fields, sourceOf(item, caller), () => undefined);
		return walletId === undefined ? 'sweep' : `sweep from ${shortened(walletId, 60)}`;
	},
	output: OUTPUT,
	otherOutput: { when: 'with Approval Above', shape: { ...OUTPUT, approval: 'string' } },
};

function sweepOf(item: InputItem, caller: Caller): JsonObject {
	const { walletId, balance, floor } = readFields(fields, sourceOf(item, caller));
	const {
		maximumAmount: maximum,
		approvalAbove: limit,
		...limits
	} = readFields(options, optionsOf(item, caller));
	const due = sweepAmount({ balance, floor, ...limits });
	if (due !== undefined) refuseAbove(due, maximum, balance);
	const sweep = due === undefined ? 'No sweep is due' : `Sweep of ${due}`;
	return {
		summary: summaryLine(`${sweep} from ${walletId} (balance ${balance}, floor ${floor}).`),
		amount: due ?? '0',
		due: due !== undefined,
		...(limit !== undefined && {
			approval: compareDecimals(due ?? '0', limit) > 0 ? 'needed' : 'not_needed',
		}),
		wallet_id: walletId,
		balance,
		floor,
	};
}
