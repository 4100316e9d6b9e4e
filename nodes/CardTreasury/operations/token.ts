import { listLimit } from '../fields/kinds';
import { operation } from './operation';
import { asItem, listIn } from './reply';
import { LIST_PATH } from './wallet/token';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many tokens',
	description: 'List the tokens of the company with their prices',
	effect: 'read',
	level: 1,
	fields: listLimit,
	request: () => ({ method: 'GET', path: LIST_PATH }),
	output: (reply, { limit }) => ({ items: listIn(reply).slice(0, limit).map(asItem) }),
});
