import type { EditorSource } from '../../../nodes/CardTreasury/operations/itemFields.ts';
import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { operationOf } from '../CardTreasury/operations/reading.mts';

const TOKENS = [
	{ symbol: 'USDC', name: 'USD Coin', blockchain: 'POLYGON', usd_price: 1, address: '0x1' },
	{ symbol: 'ABC', name: 'New', blockchain: 'SOLANA', usd_price: null, address: 'So1' },
];
const PASSPORT = {
	id: 'passport',
	name: 'Passport',
	metadata: [
		{ id: 'number', name: 'Passport number', data_type: 'STRING', required: true },
		{ id: 'phone', name: 'Phone', data_type: 'PHONE' },
		{ id: 'until', data_type: 'DATE' },
	],
};
const REQUESTS = [
	{ id: 'p1', product: 'ramps_pix', status: 'rejected', created_at: '2026-10-12T01:00:00Z' },
	{
		id: 'p2',
		product: 'cards_individuals',
		status: 'pending_documentation',
		created_at: '2026-11-18T01:00:00Z',
		missing_requirements: {
			documents: [
				{
					id: 'identity',
					name: 'Proof of identity',
					required: true,
					valid_documents: [
						PASSPORT,
						{ id: 'national_id', name: 'National ID', require_back_image: true },
					],
				},
				{ id: 'income', valid_documents: [{ id: 'payslip', name: '' }] },
			],
		},
	},
	{ id: 'p3', product: 'new', status: 'pending_documentation', created_at: '2026-11-19T01:00:00Z' },
];

const loaded: unknown[] = [];
const editorOf = (values: Record<string, string>, rows: object[]): EditorSource => ({
	current: (name) => values[name],
	load: async (...args) => {
		loaded.push(args);
		return rows as Array<Record<string, unknown>>;
	},
});
const { fields: submission } = operationOf('productRequest: submitDocument');
const list = async (name: string, values: Record<string, string>, rows = REQUESTS as object[]) =>
	await submission[name]!.list!(editorOf(values, rows));
const metadata = async (values: Record<string, string>) =>
	await submission.metadata!.mapper!(editorOf(values, REQUESTS));
const chosen = { clientId: 'c/1', productRequestId: 'p2' };

beforeEach(() => void loaded.splice(0));

it("the native coin comes first, then the service's tokens in order", async () => {
	const { tokenAddress } = operationOf('wallet: transfer').fields;
	expect(await tokenAddress!.list!(editorOf({}, TOKENS))).toEqual([
		{ name: 'Native coin of the wallet', value: 'native' },
		{ name: 'USDC on Polygon · USD Coin · $1', value: '0x1' },
		{ name: 'ABC on SOLANA · New', value: 'So1' },
	]);
	expect(loaded).toEqual([[{ method: 'GET', path: '/mpc/tokens/list' }]]);
});

it('product requests that accept documents come first', async () => {
	expect(await list('productRequestId', { clientId: 'c/1' })).toEqual([
		{ name: 'Cards for Individuals · Pending Documentation · 2026-11-18', value: 'p2' },
		{ name: 'new · Pending Documentation · 2026-11-19', value: 'p3' },
		{ name: 'Ramps: Pix · Rejected · 2026-10-12', value: 'p1' },
	]);
	expect(loaded).toEqual([
		[
			{ method: 'GET', path: '/management/clients/individuals/c%2F1/products' },
			[expect.objectContaining({ status: 404, message: 'Client not found' })],
		],
	]);
});

it('document types are listed with the images they need', async () => {
	expect(await list('documentType', chosen)).toEqual([
		{ name: 'Passport · front image · Proof of identity', value: 'passport' },
		{ name: 'National ID · front and back image · Proof of identity', value: 'national_id' },
		{ name: 'payslip · front image · income (optional)', value: 'payslip' },
	]);
	expect(await list('documentType', { ...chosen, productRequestId: 'p3' })).toEqual([]);
});

it.each<[string, Record<string, string>, string, string]>([
	[
		'productRequestId',
		{},
		'Client ID has no value yet',
		'Enter it first. If it is an expression, run the nodes before this one, so that it has a value. Or enter the ID here instead of choosing from the list.',
	],
	[
		'documentType',
		{ clientId: 'c' },
		'Product Request has no value yet',
		'Choose it first. If it is an expression, run the nodes before this one, so that it has a value.',
	],
	[
		'documentType',
		{ ...chosen, productRequestId: 'p9' },
		'Product Request does not belong to this client',
		'Check that Client ID and Product Request belong together.',
	],
	[
		'documentType',
		{ ...chosen, productRequestId: 'p1' },
		'Product Request takes no documents: it is Rejected',
		'Documents can be submitted only while it is Pending Documentation. Choose one that is: they come first in the list.',
	],
])('the list of %s with %j names what to fill in first', async (name, values, message, fix) => {
	const error: unknown = await list(name, values).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(InvalidFieldError);
	expect(error).toMatchObject({ message, fix });
});

it("fields of the document type are mapped as text, with the requirement's marks", async () => {
	const shown = { defaultMatch: false, display: true, type: 'string' };
	expect(await metadata({ ...chosen, documentType: 'passport' })).toEqual({
		fields: [
			{ id: 'number', displayName: 'Passport number', required: true, ...shown },
			{ id: 'phone', displayName: 'Phone (phone number)', required: false, ...shown },
			{ id: 'until', displayName: 'until (date, as text)', required: false, ...shown },
		],
	});
});

it.each<[Record<string, string>, string]>([
	[{}, 'The metadata depends on the Client ID, which has no value yet.'],
	[{ clientId: 'c' }, 'The metadata depends on the Product Request, which has no value yet.'],
	[chosen, 'The metadata depends on the Document Type, which has no value yet.'],
	[{ ...chosen, documentType: 'national_id' }, 'National ID needs no further fields.'],
	[
		{ ...chosen, documentType: 'visa' },
		'The product request does not ask for this document type, so its fields are not known.',
	],
])('the error names why there are no fields for %j', async (values, emptyFieldsNotice) => {
	expect(await metadata(values)).toEqual({ fields: [], emptyFieldsNotice });
});
