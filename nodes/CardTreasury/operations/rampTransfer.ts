import { shortened } from '../../shared/text';
import { option } from '../fields/field';
import { id } from '../fields/kinds';
import { amount, refuseAbove, SENT } from '../fields/money';
import { path } from '../service/request';
import { notFound, operation } from './operation';
import { asItem, contentOf } from './reply';

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
		amount: amount('Amount', { digits: SENT, description: 'The new amount of the ramp transfer' }),
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
	check: ({ amount: given, maximumAmount }) => refuseAbove(maximumAmount, given),
	request: ({ rampTransferId, amount: given }) => ({
		method: 'PATCH',
		path: path`/virtual-wallets/ramps/transfer/${rampTransferId}`,
		body: { amount: Number(given) },
	}),
	// All fields of §2.5, and the amount that was asked for.
	subject: ({ rampTransferId, amount: given }) => ({
		id: rampTransferId,
		amount: given,
		type: null,
		status: null,
		company_id: null,
		destination_wallet_id: null,
		client_id: null,
		origin_amount: null,
		origin_currency: null,
		origin_name: null,
	}),
	say: ({ rampTransferId, amount: given }) =>
		rampTransferId && given && `amount ${given} of ramp transfer ${shortened(rampTransferId, 60)}`,
	output: (reply) => ({ items: [asItem(contentOf(reply))] }),
});
