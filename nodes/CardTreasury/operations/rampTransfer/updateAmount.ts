import { amount } from '../../../shared/fields/amount';
import { id } from '../../../shared/fields/text';
import { shortened } from '../../../shared/plainLine';
import { notFound, objectOf, RawJson } from '../../request/request';
import { maximumAmount, refuseAbove, toolNotice } from '../guards';
import { operation, patch } from '../operation';
import { repliedInstead } from '../reply';

export const updateAmount = operation({
	name: 'Update Amount',
	action: 'Update ramp transfer amount',
	description: 'Change the amount of a ramp transfer that is still pending',
	section: '4.4',
	searchHint: 'correct a fiat-to-crypto ramp. For agents, set Maximum Amount in the options.',
	endpoint: patch('/virtual-wallets/ramps/transfer/{rampTransferId}'),
	level: 1,
	effect: 'keyed write',
	answer: 'object',
	timeoutMs: 30_000,
	fields: {
		toolNotice: toolNotice(
			'An AI agent can use this only if you set a Maximum Amount in the options yourself.',
		),
		rampTransferId: id(
			'Ramp Transfer ID',
			'e.g. ramp-0001',
			'ID of a ramp transfer that is PENDING',
		),
		amount: amount('Amount', { description: 'The new amount of the ramp transfer' }),
	},
	options: { maximumAmount: maximumAmount('In the unit of Amount, whatever its currency.') },
	errors: [
		{
			status: 400,
			code: 'APP_ERROR',
			message: 'The amount can only be changed while the ramp transfer is PENDING',
			fix: 'The ramp transfer has moved on, so nothing was changed.',
		},
		notFound('Ramp transfer', 'Ramp Transfer ID'),
	],
	check: ({ amount: given, maximumAmount: maximum }) => refuseAbove(given, maximum),
	unique: ({ rampTransferId }) => ({
		value: rampTransferId,
		why: (items) => [
			'Ramp Transfer ID',
			`is the same for items ${items}: the last one to arrive would decide`,
			'Update a ramp transfer once in a run: remove the duplicate items before this node.',
		],
	}),
	body: ({ amount: given }) => ({ amount: new RawJson(given) }),
	subject: ({ rampTransferId, amount: given }) => ({
		...(rampTransferId !== undefined && { id: rampTransferId }),
		...(given !== undefined && { amount: given }),
	}),
	names: ({ id: ramp, amount: given }) => [
		`amount${given ? ` ${given}` : ''} of ramp transfer ${ramp ? shortened(ramp, 60) : '?'}`,
	],
	became: ({ outcome, status, ...others }) =>
		outcome === 'done' && typeof status === 'string'
			? `The status is ${status}`
			: repliedInstead({ outcome, answer: others }),
	items: (answer, { amount: given }) => [{ amount: given, ...objectOf(answer) }],
	output: {
		amount: 'string',
		status: 'string',
		id: 'string',
		type: 'string',
		company_id: 'string',
		destination_wallet_id: 'string',
		client_id: 'string',
		origin_amount: 'number',
		origin_currency: 'string',
		origin_name: 'string',
	},
});
