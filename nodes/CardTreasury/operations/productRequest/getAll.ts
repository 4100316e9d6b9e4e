import { listLimit } from '../../fields/kinds';
import { operation } from '../operation';
import { asItem, listIn } from '../reply';
import { clientId, listPath, unknownClient } from './request';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many KYC product requests',
	description:
		'List the product enablement requests (KYC) of a client, newest first, including rejected ones',
	effect: 'read',
	level: 1,
	fields: { clientId, ...listLimit },
	errors: [unknownClient],
	request: ({ clientId: client }) => ({ method: 'GET', path: listPath(client) }),
	output: (reply, { limit }) => ({ items: listIn(reply).slice(0, limit).map(asItem) }),
});
