import type { IDataObject } from 'n8n-workflow';

import { serviceOperation } from '../../operation';
import { fillPath } from '../../parameters/path';
import { readId } from '../../parameters/reader';
import { idempotencyKeyOption, idField } from '../fields';
import { unknownCard } from './refusals';

const PATH = '/api/cards/{cardId}/unblock';

export const unblock = serviceOperation({
	value: 'unblock',
	displayName: 'Unblock',
	action: 'Unblock card',
	description: 'Unblock a card that a velocity rule blocked, and reset its velocity counter',
	section: '4.10',
	endpoint: { method: 'PATCH', path: PATH },
	effect: 'keyed write',
	answer: 'object or nothing',
	timeoutMs: 20_000,
	refusals: [unknownCard],
	properties: [idField('cardId', 'Card ID', 'e.g. crd_123')],
	options: [idempotencyKeyOption],
	fields: (parameters) => ({ cardId: readId(parameters, 'cardId', 'Card ID') }),
	request: ({ cardId }) => ({ method: 'PATCH', path: fillPath(PATH, { cardId }) }),
	items: ({ json, traceId }, { cardId }) => [
		{
			json: {
				card_id: cardId,
				unblocked: true,
				...(json as IDataObject | undefined),
				trace_id: traceId,
			},
		},
	],
});
