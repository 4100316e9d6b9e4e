import { compareDecimals } from '../../../shared/decimal';
import { optional, readFields } from '../../../shared/fields/field';
import { InvalidFieldError, orInvalid } from '../../../shared/fields/invalidField';
import { id, named } from '../../../shared/fields/text';
import { shortened, summaryLine } from '../../../shared/plainLine';
import type { Caller, InputItem, JsonObject } from '../../request/input';
import { approvalAbove } from '../approval';
import { maximumAmount, refuseAbove } from '../guards';
import { optionsOf, sourceOf, type ItemSource } from '../itemFields';
import type { Calculation, OutputShape } from '../operation';
import { readToken, unitOf } from '../token/tokens';
import { balanceDay, sweepAmount, sweepFields, sweepOptions } from './sweepAmount';

const fields = {
	walletId: id('Wallet ID', 'e.g. wal-0001', 'The wallet that the balance is of'),
	...sweepFields,
	balanceDay,
};

const options = {
	assetAddress: named(
		optional<string | null, ItemSource>(
			'Token',
			{
				placeholder: 'e.g. native',
				description:
					'The token of the balance, which the summary names: its contract address, or <b>native</b>',
			},
			readToken,
		),
	),
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
		const given = orInvalid(() => readFields(options, optionsOf(item, caller), () => undefined));
		const of = given instanceof InvalidFieldError ? '' : ofToken(given.assetAddress);
		return `sweep${of}${walletId === undefined ? '' : ` from ${shortened(walletId, 60)}`}`;
	},
	output: OUTPUT,
	otherOutput: { when: 'with Approval Above', shape: { ...OUTPUT, approval: 'string' } },
};

const ofToken = (token: string | null | undefined): string =>
	token === undefined ? '' : ` ${unitOf({ token_address: token })}`;

function sweepOf(item: InputItem, caller: Caller): JsonObject {
	const { walletId, balance, floor } = readFields(fields, sourceOf(item, caller));
	const {
		maximumAmount: maximum,
		approvalAbove: limit,
		assetAddress: token,
		...limits
	} = readFields(options, optionsOf(item, caller));
	const due = sweepAmount({ balance, floor, ...limits });
	if (due !== undefined) refuseAbove(due, maximum, balance);
	const of = ofToken(token);
	const sweep = due === undefined ? `No sweep${of} is due` : `Sweep of ${due}${of}`;
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
