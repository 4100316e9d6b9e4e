import { serviceOperation } from '../../operation';
import { fillPath } from '../../parameters/path';
import { readId } from '../../parameters/reader';
import { idField } from '../fields';
import { asItem } from '../items';
import { unknownCard } from './refusals';

const PATH = '/cards/individual-cards/{cardId}';

export const get = serviceOperation({
	value: 'get',
	displayName: 'Get',
	action: 'Get card',
	description: 'Get an individual card with its status and limits',
	section: '4.6',
	endpoint: { method: 'GET', path: PATH },
	level: 1,
	effect: 'read',
	answer: 'object',
	timeoutMs: 15_000,
	refusals: [unknownCard],
	properties: [idField('cardId', 'Card ID', 'e.g. crd_123')],
	fields: (parameters) => ({ cardId: readId(parameters, 'cardId', 'Card ID') }),
	request: (ids) => ({ method: 'GET', path: fillPath(PATH, ids) }),
	items: asItem,
});
