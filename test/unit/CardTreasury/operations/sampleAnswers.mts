import type { Item } from './reading.mts';

export const SEARCH: Item = { parameters: { cardId: 'c', splitMovements: true } };
export const PENDING = {
	id: 'p1',
	product: 'ramps_pix',
	status: 'pending_documentation',
	missing_requirements: {
		documents: [
			{
				id: 'd',
				name: 'Identity',
				description: 'An ID',
				required: true,
				valid_documents: [{ id: 'passport' }],
			},
		],
		data: [{ id: 'address', name: 'Address', required: false, fields: [{ id: 'street' }] }],
	},
};
