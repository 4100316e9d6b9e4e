import { serviceOperation } from '../../operation';
import { fillPath } from '../../parameters/path';
import { readId } from '../../parameters/reader';
import { idempotencyKeyOption, idField } from '../fields';
import { unknownCard } from './refusals';

const PATH = '/cards/individual-cards/{cardId}/frozen';

/** Freeze and unfreeze are one endpoint with one switch (§4.7). */
export function setFrozen(
	frozen: boolean,
	face: { value: string; displayName: string; action: string; description: string },
) {
	return serviceOperation({
		...face,
		section: '4.7',
		endpoint: { method: 'PATCH', path: PATH },
		level: 2,
		effect: 'keyed write',
		answer: 'object or nothing',
		timeoutMs: 20_000,
		refusals: [unknownCard],
		properties: [idField('cardId', 'Card ID', 'e.g. crd_123')],
		options: [idempotencyKeyOption],
		fields: (parameters) => ({ cardId: readId(parameters, 'cardId', 'Card ID') }),
		request: ({ cardId }) => ({
			method: 'PATCH',
			path: fillPath(PATH, { cardId }),
			body: JSON.stringify({ freeze: frozen }),
		}),
		items: ({ traceId }, { cardId }) => [{ json: { card_id: cardId, frozen, trace_id: traceId } }],
	});
}
