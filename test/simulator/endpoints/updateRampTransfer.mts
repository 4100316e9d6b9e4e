import { Rejected, invalid, json, notFound } from '../answer.mts';
import { bodyObject, exactAmount } from '../body.mts';
import type { Endpoint } from '../endpoint.mts';

export const updateRampTransfer: Endpoint = {
	section: '4.4',
	method: 'PATCH',
	path: '/virtual-wallets/ramps/transfer/{id}',
	level: 1,
	idempotent: true,
	handle(request) {
		const transfer = request.state.records.rampTransfers.find(({ id }) => id === request.params.id);
		if (!transfer) throw notFound('Ramp transfer', request.params.id!);
		bodyObject(request.body);
		const amountText = exactAmount(request.bodyText);
		// The document gives no range for this amount; nothing but a positive number makes sense.
		if (Number(amountText) <= 0) throw invalid('amount must be greater than 0');
		if (transfer.status !== 'PENDING') {
			throw new Rejected(
				400,
				'APP_ERROR',
				`The amount can be updated only in PENDING; the ramp transfer is ${transfer.status}`,
			);
		}
		// Which field shows the new amount is not shown (§4.4): assumed.
		transfer.origin_amount = Number(amountText);
		request.execute({ operation: 'rampTransfer.updateAmount', amountText });
		return json(200, transfer);
	},
};
