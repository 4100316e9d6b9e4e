import { byId } from '../harness/fixtures.mts';
import { IDS } from '../simulator/ids.mts';
import { DRY_RUN, LIST, no, refusals, RIGHT, type OperationSample } from './operation.mts';

const NO_CLIENT = `404: Client not found | Check Client ID, ${RIGHT}`;
const CLIENT_ID = { clientId: no.id('Client ID') };
/** Type of a document (§2.3). */
const PASSPORT = {
	...{ id: 'passport', name: 'Passport', description: 'With photo', required: true },
	...{ require_image: true, require_back_image: false },
	metadata: [{ id: 'number', name: 'Number', data_type: 'STRING', required: true }],
};
const IDENTITY = { id: 'identity', name: 'Identity', description: 'By the state', required: true };
const TIMES = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
/** Product request (§2.2) that waits for a document and a data field. */
const WAITING = {
	id: IDS.pendingProductRequest,
	...{ client_id: IDS.client, product: 'ramps_cards', status: 'pending_documentation' },
	missing_requirements: {
		documents: [{ ...IDENTITY, valid_documents: [PASSPORT] }],
		data: [
			{
				...{ id: 'contact', name: 'Contact', description: 'By phone', required: false },
				fields: [{ key: 'phone', data_type: 'PHONE', required: true }],
			},
		],
	},
	...TIMES,
};
const REJECTED = {
	...{ id: 'pr-9', client_id: IDS.client, product: 'ramps_pix', status: 'rejected' },
	...{ rejection_code: 'R1', rejection_description: 'Cannot be read', ...TIMES },
};
const REJECTED_ITEM = { type: 'document', key: 'passport', reason: 'blurred' };
const NO_FILE =
	'Image Field is "none", but the item has no file of that name | Check the name, and whether the previous node passes the file on. n8n\'s form drops an empty file.';
const OF_WAITING = { product: 'ramps_cards', product_request_id: IDS.pendingProductRequest };

export const CLIENTS: Record<string, OperationSample> = {
	'productRequest: getAll': {
		is: 'read 1',
		parameters: 'clientId returnAll=false limit=50',
		given: { clientId: IDS.client },
		request: ['GET /management/clients/individuals/{clientId}/products'],
		// All fields of §2.2, so that each can be dragged before a run.
		reply: [{ ...REJECTED, ...WAITING }],
		item: { ...REJECTED, ...WAITING },
		errors: [NO_CLIENT],
		refused: { ...CLIENT_ID, ...LIST },
	},
	'productRequest: getMissingRequirements': {
		is: 'read 1',
		parameters: 'clientId',
		given: { clientId: IDS.client },
		request: ['GET /management/clients/individuals/{clientId}/products'],
		reply: [WAITING, REJECTED],
		item: {
			summary: '• Identity (Ramps: Cards): Passport\n• Contact (Ramps: Cards, optional): phone',
			...{ client_id: IDS.client, status: 'rejected' },
			rejections: [
				{
					...{ product: 'ramps_pix', product_request_id: 'pr-9' },
					...{ code: 'R1', description: 'Cannot be read' },
				},
			],
			...{ count: 2, required_count: 1, waiting_days: 30 },
			requirements: [
				{ ...OF_WAITING, kind: 'document', ...IDENTITY, accepted: [PASSPORT] },
				{
					...{ ...OF_WAITING, kind: 'data', id: 'contact', name: 'Contact' },
					...{ description: 'By phone', required: false },
					fields: [{ key: 'phone', data_type: 'PHONE', required: true }],
				},
			],
		},
		errors: [NO_CLIENT],
		refused: CLIENT_ID,
	},
	'productRequest: submitDocument': {
		is: 'once 3',
		parameters:
			'clientId productRequestId documentType frontImageField=data backImageField metadata +replace=true +dryRun=true',
		given: {
			...{ clientId: IDS.client, productRequestId: byId(IDS.pendingProductRequest) },
			...{ documentType: byId('passport'), frontImageField: 'data' },
			metadata: { mappingMode: 'defineBelow', value: { number: 'X1' } },
		},
		request: [
			'POST /management/clients/individuals/{clientId}/products/{productRequestId}/documentation',
			{
				document: {
					document_type: 'passport',
					image_front: 'data:image/png;base64,iVBORw0KGgo=',
					metadata: { number: 'X1' },
				},
			},
		],
		reply: { product: WAITING, rejected_items: [REJECTED_ITEM] },
		item: {
			outcome: 'done',
			summary: `Sent: document passport of client ${IDS.client}, of which the service rejected a part: blurred.`,
			...{ document_type: 'passport', product: WAITING, rejected_items: [REJECTED_ITEM] },
			...{ product_request_id: IDS.pendingProductRequest, client_id: IDS.client },
			trace_id: 'trace-1',
		},
		errors: [
			`404: Client or product request not found | Check Client ID and Product Request, ${RIGHT}`,
			'409 VAL: This product request is not waiting for documents | It takes documents only while it is pending_documentation: check with Get Many.',
		],
		refused: {
			...{ ...CLIENT_ID, productRequestId: no.id('Product Request') },
			documentType: no.id('Document Type'),
			...refusals(`
				frontImageField | none | Front ${NO_FILE}
				backImageField | none | Back ${NO_FILE}
				metadata | {"value":{"number":[]}} | Metadata has number, which is a list, where one value is expected | Split it before this node, or name one entry: [0].
			`),
			replace: no.flag('Replace'),
			...DRY_RUN,
		},
	},
};
