import { shortened, textOf } from '../../shared/text';
import { option } from '../fields/field';
import { id } from '../fields/kinds';
import { amount, refuseAbove } from '../fields/money';
import { path } from '../service/request';
import { notFound, operation } from './operation';
import { asItem, contentOf, objectOf } from './reply';

export const updateAmount = operation({
	name: 'Update Amount',
	action: 'Update ramp transfer amount',
	description: 'Change the amount of a ramp transfer that is still pending',
	effect: 'set',
	level: 1,
	movesMoney: true,
	fields: {
		rampTransferId: id(
			'Ramp Transfer ID',
			'e.g. ramp-0001',
			'ID of a ramp transfer that is PENDING',
		),
		amount: amount('Amount', {
			isNumber: true,
			description: 'The new amount of the ramp transfer',
		}),
		maximumAmount: option(
			amount('Maximum Amount', {
				placeholder: 'e.g. 5000',
				description: 'In the unit of Amount. A larger amount is refused before anything is sent.',
			}),
		),
	},
	errors: [
		{
			status: 400,
			code: 'APP_ERROR',
			message: 'The amount can only be changed while the ramp transfer is PENDING',
			fix: 'If it has moved on, nothing was changed.',
		},
		notFound('Ramp transfer', 'Ramp Transfer ID'),
	],
	check: ({ amount: wanted, maximumAmount }) => refuseAbove(maximumAmount, wanted),
	request: ({ rampTransferId, amount: wanted }) => ({
		method: 'PATCH',
		path: path`/virtual-wallets/ramps/transfer/${rampTransferId}`,
		body: { amount: Number(wanted) },
	}),
	// All fields of §2.5, and the amount.
	subject: ({ rampTransferId, amount: wanted }) => ({
		id: rampTransferId,
		amount: wanted,
		...{ type: null, status: null, company_id: null, destination_wallet_id: null },
		...{ client_id: null, origin_amount: null, origin_currency: null, origin_name: null },
	}),
	say: ({ rampTransferId, amount: wanted }, { amount: set = wanted, status } = {}) =>
		rampTransferId &&
		wanted &&
		[`amount ${textOf(set)} of ramp transfer ${shortened(rampTransferId, 60)}`, status]
			.filter(Boolean)
			.map(textOf)
			.join(', '),
	output: (reply) => {
		const { amount: set, origin_amount: origin, status } = objectOf(reply.json);
		const echoed = set ?? origin;
		const item = asItem(contentOf(reply));
		return {
			items: [echoed === undefined ? item : { ...item, amount: textOf(echoed) }],
			outcome: status === 'FAILED' ? 'failed' : undefined,
		};
	},
});
