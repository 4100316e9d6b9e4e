import lodash from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Editor } from '../../nodes/CardTreasury/fields/field.ts';
import {
	BINARY,
	eachRow,
	given,
	operationOf,
	itemOf as readItem,
	refusalOf,
	replyOf,
	sampleOf,
	table,
} from './reading.mts';

type Json = Record<string, unknown>;

const [[IDENTITY], [ADDRESS], [REQUEST]] = table<[Json]>(`
	{"id":"identity","name":"Proof of <identity>","description":"d","required":true,"valid_documents":[{"id":"passport","name":"Passport","metadata":[{"id":"number","name":"Number","data_type":"STRING","required":true},{"id":"phone","data_type":"PHONE"}]},{"id":"visa","name":"","require_back_image":true}]}
	{"id":"address","required":false,"fields":[{"key":"street"},{"key":"city"}]}
	{"id":"p2","product":"cards_individuals","status":"pending_documentation","created_at":"2026-05-10T12:00:00Z","updated_at":"2026-05-17T12:00:01Z"}
`) as [[Json], [Json], [Json]];
const PENDING = { ...REQUEST, missing_requirements: { documents: [IDENTITY], data: [ADDRESS] } };
const ENABLED = { ...PENDING, id: 'p1', product: 'constructor', status: 'enabled' };
const SILENT = { ...PENDING, id: 'p3', product: 'ramps_pix', missing_requirements: undefined };

const NOW = Date.parse('2026-05-20T12:00:00Z');
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));

describe('missing requirements', () => {
	const itemOf = async (json: unknown): Promise<IDataObject> => {
		const name = 'productRequest: getMissingRequirements';
		const { items } = operationOf(name).output(replyOf({ json }), await given(name));
		expect(items).toHaveLength(1);
		return items[0]!;
	};

	it('a pending request that does not say what is missing leaves the counts open', async () => {
		const updated_at = '2026-05-20T13:00:00Z';
		const later = { product: 'constructor', updated_at, missing_requirements: { documents: null } };
		const odd = { product: 'new', missing_requirements: { documents: IDENTITY, data: [] } };
		const unsaid = 'the service did not say what is missing';
		expect(await itemOf([SILENT, { ...SILENT, ...later }, { ...SILENT, ...odd }])).toMatchObject({
			summary: `• Ramps: Pix: ${unsaid}\n• constructor: ${unsaid}\n• new: ${unsaid}`,
			...{ client_id: 'cl-0001', count: null, required_count: null, waiting_days: 2 },
			requirements: [],
		});
	});

	const REJECTED = {
		...{ ...PENDING, status: 'rejected', rejection_code: 'R1' },
		rejection_description: 'The image could not be <read>.',
	};
	const UNEXPLAINED = { ...REJECTED, rejection_description: null };
	const IN_KYC = { ...SILENT, product: 'cards_individuals', status: 'in_kyc' };
	const COMPLETE = { ...PENDING, missing_requirements: { documents: [], data: [] } };

	it.each<[name: string, requests: object[], summary: string, status: string | null]>([
		['without requests', [], 'no product request.', null],
		['that is enabled', [ENABLED], 'enabled.', 'enabled'],
		['that was rejected', [REJECTED], 'rejected, The image could not be ‹read›.', 'rejected'],
		['rejected without a reason', [UNEXPLAINED], 'rejected.', 'rejected'],
		[
			'with a rejected product',
			[ENABLED, REJECTED],
			'constructor enabled; Cards for Individuals rejected, The image could not be ‹read›.',
			'rejected',
		],
		['in review after a rejection', [IN_KYC, REJECTED], 'nothing is missing (In KYC).', 'in_kyc'],
		[
			'that has given all',
			[COMPLETE, ENABLED],
			'Cards for Individuals nothing is missing (Pending Documentation); constructor enabled.',
			'pending_documentation',
		],
	])('a client %s has nothing missing', async (_, requests, summary, status) => {
		expect(await itemOf(requests)).toMatchObject({
			...{ summary: `Client cl-0001: ${summary}`, client_id: 'cl-0001', status },
			...{ count: 0, required_count: 0, waiting_days: null, requirements: [] },
		});
	});

	it('a rejection is told beside what is missing, and an older request of its product is history', async () => {
		const rejected = { ...REJECTED, id: 'p9', product: 'ramps_pix', status: 'Rejected' };
		const description = REJECTED.rejection_description;
		const about = { product: 'ramps_pix', product_request_id: 'p9', code: 'R1', description };
		const shown = { status: 'rejected', rejections: [about], count: 2 };
		expect(await itemOf([PENDING, rejected, SILENT])).toMatchObject(shown);
		const bare = { product: 'ramps_pix', status: 'rejected' };
		const empty = { ...bare, product_request_id: null, code: null, description: null };
		expect((await itemOf([bare])).rejections).toEqual([lodash.omit(empty, 'status')]);
	});

	it('statuses mean the same in any letter case', async () => {
		const each: Json[] = [PENDING, ENABLED, { ...REJECTED, id: 'p4', product: 'ramps_cards' }];
		const upper = (status: unknown) => String(status).toUpperCase();
		const shouted = each.map((request) => ({ ...request, status: upper(request.status) }));
		expect(await itemOf(shouted)).toEqual(await itemOf(each));
		const silent = { ...SILENT, status: 'PENDING_DOCUMENTATION' };
		expect(await itemOf([silent])).toMatchObject({ count: null, required_count: null });
	});

	it.each<[request: object, days: number | null]>([
		[{ updated_at: null }, 10],
		[{ updated_at: '2026-05-20T14:00:00Z' }, 0],
		[{ updated_at: 'soon' }, null],
	])('a request with %j waits %j days', async (more, days) => {
		expect(await itemOf([{ ...PENDING, ...more }])).toMatchObject({ waiting_days: days });
	});
});

describe('Submit Document', () => {
	const NAME = 'productRequest: submitDocument';
	const PATH = '/management/clients/individuals/cl-0001/products/pr-0003/documentation';
	const mapper = (value: object | null, ...shown: string[]) => ({
		metadata: { mappingMode: 'defineBelow', value, schema: shown.map((id) => ({ id })) },
	});
	const BACK = { mimeType: 'image/jpeg', fileSize: '1 kB', data: 'BBBB' };

	const TYPED = { phone: '\u202a+34\u202c', memo: 'null and void', name: 'Null' };

	it.each<[more: IDataObject, document: object]>([
		[{}, {}],
		[{ options: { replace: true } }, { replace: true }],
		[{ options: { replace: false } }, {}],
		[{ backImageField: 'back' }, { image_back: 'data:image/jpeg;base64,BBBB' }],
		[mapper({ number: 7, ...TYPED, a: '', b: null }), { metadata: { number: '7', ...TYPED } }],
		[mapper({ number: 'X1', old: '5' }, 'number', 'phone'), { metadata: { number: 'X1' } }],
	])('with %j it sends %j', async (more, document) => {
		const values = await given(NAME, { ...mapper(null), ...more }, { ...BINARY, back: BACK });
		const { method, path, body, shown } = operationOf(NAME).request(values);
		expect([method, path]).toEqual(['POST', PATH]);
		const front = { image_front: 'data:image/png;base64,iVBORw0KGgo=' };
		const sent = { document_type: 'passport', ...front, ...document };
		const text = JSON.stringify(body instanceof Function && (await body()));
		expect(JSON.parse(text)).toEqual({ document: sent });
		const back = 'image_back' in document && { image_back: { size: '1 kB', type: 'image/jpeg' } };
		const images = { image_front: { size: '8 B', type: 'image/png' }, ...back };
		expect(JSON.parse(JSON.stringify(shown))).toEqual({ document: { ...sent, ...images } });
	});

	const [HEIC, WEBP] = ['\0\0\0\x18ftypheic', 'RIFF\0\0\0\0WEBPVP8 '];
	it.each<[content: string, mimeType: string | undefined, fileName: string, type: string]>([
		// By its content, by n8n, and by its name.
		['\x89PNG\r\n', 'image/jpeg', 'a.jpg', 'type image/png'],
		['\xff\xd8\xff\xe0', undefined, '', 'type image/jpeg'],
		[HEIC, 'application/octet-stream', 'photo', 'type image/heic'],
		[HEIC.replace('heic', 'mif1'), '', 'photo', 'type image/heic'],
		[WEBP, undefined, 'photo', 'type image/webp'],
		['%PDF-1.7', 'application/octet-stream', '', 'type application/pdf'],
		['II*\0', 'image/tiff', 'a.png', 'type image/tiff'],
		['?', undefined, 'A.HEIF', 'type image/heic'],
		['?', 'application/octet-stream', 'scan.JPEG', 'type image/jpeg'],
		['?', '', 'scan', 'Front Image Field is a file of an unknown type'],
		['?', 'application/octet-stream', 'jpg', 'Front Image Field is a file of an unknown type'],
		['', 'image/png', 'a.png', 'Front Image Field is an empty file'],
	])('the file %j of type %j, called %j, has %s', async (content, mimeType, fileName, told) => {
		const data = Buffer.from(content, 'latin1').toString('base64');
		const binary = { data: { mimeType, fileName, data } };
		const { values, result } = await readItem(NAME, sampleOf(NAME), binary);
		const file = values.frontImageField as IDataObject | undefined;
		expect(result?.problem?.message ?? `type ${String(file?.type)}`).toBe(told);
	});

	eachRow<[value: object, message: string]>(`
		{"number":7615917337495251231} | has number, which is the number 7615917337495251000, which has lost digits
		{"number":["X1"]} | has number, which is a list, where one value is expected
		{"number":{"a":1}} | has number, which is an object, where one value is expected
	`)('metadata %j is refused: it %s', async (value, message) => {
		const refusal = await refusalOf(NAME, sampleOf(NAME, mapper(value)), BINARY);
		expect(refusal?.message).toBe(`Metadata ${message}`);
	});

	const { productRequestId, documentType, metadata } = operationOf(NAME).fields;
	/** Editor in which these parameters are filled in, with the requests of the service. */
	const editor = (values: Record<string, string>): Editor => ({
		current: (name) => values[name],
		load: async (path) =>
			path === '/management/clients/individuals/c%2F1/products' ? [ENABLED, PENDING] : [],
	});
	const CHOSEN = { clientId: 'c/1', productRequestId: 'p2', documentType: 'passport' };

	it('its lists show what the service knows, and what takes documents first', async () => {
		expect(await productRequestId!.list!(editor(CHOSEN))).toEqual([
			{ name: 'Cards for Individuals · Pending Documentation · 2026-05-10', value: 'p2' },
			{ name: 'constructor · Enabled · 2026-05-10', value: 'p1' },
		]);
		expect(await documentType!.list!(editor(CHOSEN))).toEqual([
			{ name: 'Passport · front image', value: 'passport' },
			{ name: 'visa · front and back image', value: 'visa' },
		]);
		expect(await documentType!.list!(editor({ clientId: 'c/1' }))).toEqual([]);
		await expect(productRequestId!.list!(editor({}))).rejects.toThrow('Client ID has no value yet');
	});

	it('its metadata are the fields of the chosen document type', async () => {
		const look = { defaultMatch: false, display: true, type: 'string' };
		const fields = [
			{ id: 'number', displayName: 'Number', required: true, ...look },
			{ id: 'phone', displayName: 'phone (phone)', required: false, ...look },
		];
		expect(await metadata!.mapper!(editor(CHOSEN))).toMatchObject({ fields });
		const visa = { ...CHOSEN, documentType: 'visa' };
		expect(await metadata!.mapper!(editor(visa))).toMatchObject({ fields: [] });
		expect(await metadata!.mapper!(editor({ clientId: 'c/1' }))).toEqual({
			fields: [],
			emptyFieldsNotice: 'These fields depend on Product Request and Document Type.',
		});
	});
});
