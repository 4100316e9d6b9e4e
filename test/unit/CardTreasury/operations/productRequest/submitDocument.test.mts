import { FileReference } from '../../../../../nodes/CardTreasury/request/input.ts';
import { InvalidFieldError } from '../../../../../nodes/shared/fields/invalidField.ts';
import { refusalOf } from '../guarded.mts';
import { answerOf, callerOf, operationOf, requestOf, workOf } from '../reading.mts';

const NAME = 'productRequest: submitDocument';
const PNG = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1');
const SUBMISSION = {
	clientId: 'c',
	productRequestId: 'p',
	documentType: 'national_id',
	frontImageField: 'front',
	backImageField: 'back',
	metadata: { value: { number: 'X1' } },
};
const REQUEST = {
	id: 'p',
	status: 'pending_documentation',
	missing_requirements: {
		documents: [
			{
				id: 'identity',
				valid_documents: [
					{ id: 'passport', name: 'Passport' },
					{
						id: 'national_id',
						name: 'National ID',
						require_back_image: true,
						metadata: [
							{ id: 'number', name: 'Number', required: true },
							{ id: 'country', required: true },
							{ id: 'note' },
						],
					},
				],
			},
		],
	},
};
const COMPLETE = { ...SUBMISSION, metadata: { value: { number: 'X1', country: 'DO' } } };

async function checkAgainst(requests: object[], parameters: Record<string, unknown>) {
	const { precheck } = await workOf(NAME, { parameters, files: { front: PNG, back: PNG } });
	return precheck?.check(answerOf({ json: requests }));
}

it('one file for both images is refused', async () => {
	const parameters = { ...COMPLETE, backImageField: 'front' };
	expect(await refusalOf({ parameters, files: { front: PNG } }, NAME)).toBe(
		'Back Image Field holds the same file as Front Image Field',
	);
});

it("the precheck reads the client's product requests before it sends", async () => {
	const { precheck } = await workOf(NAME, {
		parameters: COMPLETE,
		files: { front: PNG, back: PNG },
	});
	expect(precheck).toMatchObject({
		request: { method: 'GET', path: '/management/clients/individuals/c/products' },
		profile: { effect: 'read', answer: 'array', level: 1 },
	});
});

it.each<[string, object[], object]>([
	['all is there', [REQUEST], COMPLETE],
	[
		'the request does not say what is missing',
		[{ ...REQUEST, missing_requirements: null }],
		SUBMISSION,
	],
	[
		'a document that is no longer missing is replaced',
		[REQUEST],
		{ ...SUBMISSION, documentType: 'visa', options: { replace: true } },
	],
	[
		'the type needs one image',
		[REQUEST],
		{ ...SUBMISSION, documentType: 'passport', backImageField: '' },
	],
])('the document is sent if %s', async (_, requests, parameters) => {
	await expect(checkAgainst(requests, parameters as never)).resolves.toBeUndefined();
});

it.each<[string, object[], object, string, string, string | undefined]>([
	[
		"another client's request",
		[{ ...REQUEST, id: 'q' }],
		COMPLETE,
		'Product Request does not belong to this client',
		'Choose it from the list, or check that Client ID and Product Request belong together.',
		undefined,
	],
	[
		'a request in review',
		[{ ...REQUEST, status: 'in_kyc' }],
		COMPLETE,
		'Product Request is in_kyc, but takes documents only while it is pending_documentation',
		'Choose one that is waiting for documents: Get Missing Requirements lists them.',
		'it is not asked for now. If you were asked for it, please answer our email.',
	],
	[
		'a type that is not asked for',
		[REQUEST],
		{ ...COMPLETE, documentType: 'visa' },
		'Document Type is "visa", which this product request does not ask for',
		'It asks for: Passport (passport), National ID (national_id). To send a document of the same type again, turn on Replace in the options.',
		'it is not asked for now. If you were asked for it, please answer our email.',
	],
	[
		'a request that asks for data only',
		[{ ...REQUEST, missing_requirements: { documents: [] } }],
		COMPLETE,
		'Document Type is "national_id", which this product request does not ask for',
		'It asks for no documents. To send a document of the same type again, turn on Replace in the options.',
		'it is not asked for now. If you were asked for it, please answer our email.',
	],
	[
		'no back image where one is needed, also to replace one',
		[REQUEST],
		{ ...COMPLETE, backImageField: '', options: { replace: true } },
		'Back Image Field is empty, but National ID needs a back image',
		'Enter the name of the binary field that holds it.',
		'National ID needs a back image. Send both images.',
	],
	[
		'required metadata left out, also to replace it',
		[REQUEST],
		{ ...SUBMISSION, options: { replace: true } },
		'Metadata lacks country (country), which National ID requires',
		'Enter it, or check the expression that gives it.',
		'country is missing. Enter what is missing, and send the document again.',
	],
	[
		'two required fields left out',
		[REQUEST],
		{ ...SUBMISSION, metadata: {} },
		'Metadata lacks Number (number), country (country), which National ID requires',
		'Enter it, or check the expression that gives it.',
		'Number and country are missing. Enter what is missing, and send the document again.',
	],
])('the precheck refuses %s', async (_, requests, parameters, message, fix, plain) => {
	const error: unknown = await checkAgainst(requests, parameters as never).catch(
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(InvalidFieldError);
	expect(error).toMatchObject({ message, fix, plain });
});

it('the images are read only when the request is sent', () => {
	let whole = 0;
	const file = (field: string) =>
		new FileReference(field, PNG.length, PNG, async () => {
			whole++;
			return PNG;
		});
	const item = {
		parameters: COMPLETE,
		file,
		json: {},
		isEmpty: false,
		evaluate: () => undefined,
	};
	const work = operationOf(NAME).readWork(item, callerOf({ parameters: COMPLETE }));
	expect(whole).toBe(0);
	expect(work.fingerprint).toEqual(expect.any(String));
	expect(work.request.body).toMatchObject({
		document: { image_front: { field: 'front', type: 'image/png' } },
	});
});

it.each([
	['image/jpeg', '\xff\xd8\xff\xe0'],
	['image/png', '\x89PNG\r\n\x1a\n'],
	['image/webp', 'RIFF\0\0\0\0WEBPVP8'],
	['image/heic', '\0\0\0\x18ftypheic'],
	['image/heic', '\0\0\0\x18ftypmif1'],
	['image/tiff', 'II*\0'],
	['image/tiff', 'MM\0*'],
	['application/pdf', '%PDF-1.7'],
	// A scanner's, with a byte order mark, and an iPhone's.
	['application/pdf', '\xef\xbb\xbf%PDF-1.7'],
	['image/heic', '\0\0\0\x18ftyphevc'],
])('the type %s is detected by the first bytes', async (type, head) => {
	const parameters = { ...COMPLETE, backImageField: '' };
	const files = { front: Buffer.from(head, 'latin1') };
	const { request } = await workOf(NAME, { parameters, files });
	expect(request.body).toMatchObject({ document: { image_front: { type } } });
});

it.each<[string, object, string, string]>([
	[
		'an empty file',
		{ front: Buffer.alloc(0) },
		'Front Image Field holds an empty file',
		'the front image is an empty file. Choose it again and send it.',
	],
	[
		'a text',
		{ front: PNG, back: Buffer.from('text') },
		'Back Image Field holds a file that is not an image in a known format',
		'the back image is not an image in a format that we can read. Send JPEG, PNG, WebP, HEIC or PDF.',
	],
	[
		'no file',
		{},
		'Front Image Field is "front", but the item has no file of that name',
		'the front image is missing or an empty file. Choose it again and send it.',
	],
])(
	'%s instead of an image is refused, also in words for the client',
	async (_, files, message, plain) => {
		const item = { parameters: COMPLETE, files: files as Record<string, Buffer> };
		const error: unknown = await workOf(NAME, item).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ message, plain });
	},
);

it.each(['\xff\xd8', 'RIFF\0\0\0\0WAVE', 'ftypheic'])('the bytes %j are no image', async (head) => {
	const files = { front: Buffer.from(head, 'latin1') };
	await expect(
		workOf(NAME, { parameters: { ...COMPLETE, backImageField: '' }, files }),
	).rejects.toThrow('Front Image Field holds a file that is not an image in a known format');
});

it.each(['AB\u200b123', '   ', 'null', '={{ $json.number }}'])(
	'metadata typed as %j is refused, also in words for the client',
	async (number) => {
		const item = {
			parameters: { ...SUBMISSION, metadata: { value: { number } } },
			raw: { metadata: { value: '={{ $json }}' } },
			files: { front: PNG, back: PNG },
		};
		const error: unknown = await workOf(NAME, item).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({
			field: 'Metadata',
			plain:
				'one of its values has no text that we can read. Type it again, and send the document again.',
		});
	},
);

it('one expression for all metadata may leave fields empty', async () => {
	const request = await requestOf(NAME, {
		parameters: {
			...SUBMISSION,
			metadata: { value: { number: 'X1', country: null, note: '' } },
		},
		raw: { metadata: { value: '={{ $json }}' } },
		files: { front: PNG, back: PNG },
	});
	const { document } = JSON.parse(String(request.body)) as { document: { metadata: object } };
	expect(document.metadata).toEqual({ number: 'X1' });
});

it.each(['text', 5, ['X1'], { number: 'X1' }, { value: 'X1' }, { value: ['X1'] }])(
	'metadata that is %j is refused',
	async (metadata) => {
		const item = { parameters: { ...SUBMISSION, metadata }, files: { front: PNG, back: PNG } };
		await expect(workOf(NAME, item)).rejects.toThrow('Metadata is not a set of fields');
	},
);

it('the document omits metadata of an earlier type', async () => {
	const metadata = {
		value: { number: 5, valid: true, parts: { a: 1 }, old: 'x' },
		schema: [{ id: 'number' }, { id: 'valid' }, { id: 'parts' }],
	};
	const { fingerprint, request } = await workOf(NAME, {
		parameters: { ...SUBMISSION, metadata },
		files: { front: PNG, back: PNG },
	});
	expect(fingerprint).toEqual(expect.any(String));
	expect(request.body).toMatchObject({
		document: { metadata: { number: '5', valid: true, parts: { text: '{"a":1}' } } },
	});
	expect(request.body).not.toHaveProperty('document.metadata.old');
});

it.each([
	undefined,
	{},
	{ value: null },
	{ mappingMode: 'defineBelow' },
	{ value: { number: undefined } },
])('the document has no metadata for %j', async (metadata) => {
	const { body } = await requestOf(NAME, {
		parameters: { ...SUBMISSION, metadata },
		files: { front: PNG, back: PNG },
	});
	const { document } = JSON.parse(String(body)) as { document: object };
	expect(Object.keys(document)).toEqual(['document_type', 'image_front', 'image_back']);
});

it.each<[unknown, true | undefined]>([
	[' Yes ', true],
	['TRUE', true],
	[true, true],
	['no', undefined],
	['FALSE', undefined],
])('Replace takes the answer %j of a form', async (replace, sent) => {
	const { request } = await workOf(NAME, {
		parameters: { ...COMPLETE, options: { replace } },
		files: { front: PNG, back: Buffer.concat([PNG, PNG]) },
	});
	expect(request.body).toMatchObject({ document: { replace: sent } });
});
