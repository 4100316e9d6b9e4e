import type { IDataObject } from 'n8n-workflow';

import { serviceOperation } from '../../operation';
import { readAmount } from '../../parameters/amount';
import { fillPath } from '../../parameters/path';
import { readId } from '../../parameters/reader';
import { idempotencyKeyOption, idField } from '../fields';

const PATH = '/virtual-wallets/ramps/transfer/{rampTransferId}';

export const updateAmount = serviceOperation({
	value: 'updateAmount',
	displayName: 'Update Amount',
	action: 'Update the amount of a ramp transfer',
	description: 'Change the amount of a ramp transfer that is still pending',
	section: '4.4',
	endpoint: { method: 'PATCH', path: PATH },
	level: 1,
	effect: 'keyed write',
	answer: 'object',
	timeoutMs: 30_000,
	refusals: [
		{
			status: 400,
			code: 'APP_ERROR',
			message: 'The amount can only be changed while the ramp transfer is PENDING',
			fix: 'It has moved on, so nothing was changed. Look at its status before you go on.',
		},
		{
			status: 404,
			message: 'The service does not know this ramp transfer',
			fix: 'Check Ramp Transfer ID, and that it belongs to the environment of the credential.',
		},
	],
	properties: [
		idField('rampTransferId', 'Ramp Transfer ID', 'e.g. rmp_123'),
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 1250.50',
			description: 'The new amount, in the currency of the ramp transfer',
		},
	],
	options: [idempotencyKeyOption],
	fields: (parameters) => ({
		rampTransferId: readId(parameters, 'rampTransferId', 'Ramp Transfer ID'),
		amount: readAmount(parameters, 'amount', 'Amount'),
	}),
	request: ({ rampTransferId, amount }) => ({
		method: 'PATCH',
		path: fillPath(PATH, { rampTransferId }),
		body: `{"amount":${amount}}`,
	}),
	items: ({ json, traceId }) => [{ json: { ...(json as IDataObject), trace_id: traceId } }],
});
