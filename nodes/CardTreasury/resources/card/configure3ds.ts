import { serviceOperation } from '../../operation';
import { fillPath } from '../../parameters/path';
import { readChoice, readId } from '../../parameters/reader';
import { idempotencyKeyOption, idField } from '../fields';
import { unknownCard } from './refusals';

const PATH = '/cards/virtual-cards/{cardId}/3ds-configuration';

export const configure3ds = serviceOperation({
	value: 'configure3ds',
	displayName: 'Configure 3DS',
	action: 'Configure 3DS of a card',
	description: 'Choose how the codes of 3DS challenges are delivered',
	section: '4.8',
	endpoint: { method: 'POST', path: PATH },
	level: 2,
	effect: 'keyed write',
	answer: 'object or nothing',
	timeoutMs: 20_000,
	refusals: [unknownCard],
	properties: [
		idField('cardId', 'Card ID', 'e.g. crd_123'),
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{ name: 'SMS', value: 'sms', description: 'To the card holder by text message' },
				{
					name: 'Webhook',
					value: 'webhook',
					description: 'To your trigger, as notification_3ds_authorization',
				},
			],
			default: 'sms',
		},
	],
	options: [idempotencyKeyOption],
	fields: (parameters) => ({
		cardId: readId(parameters, 'cardId', 'Card ID'),
		type: readChoice(parameters, 'type', 'Type', ['sms', 'webhook'] as const),
	}),
	request: ({ cardId, type }) => ({
		method: 'POST',
		path: fillPath(PATH, { cardId }),
		body: JSON.stringify({ type }),
	}),
	items: ({ json, traceId }, { cardId, type }) => {
		const echoed = (json as { type?: unknown } | undefined)?.type;
		return [
			{
				json: {
					card_id: cardId,
					type: typeof echoed === 'string' ? echoed : type,
					trace_id: traceId,
				},
			},
		];
	},
});
