import { InvalidFieldError } from '../../../../../nodes/shared/fields/invalidField.ts';
import { editorOf } from '../editor.mts';
import { operationOf } from '../reading.mts';

const PASSPORT = {
	id: 'passport',
	name: 'Passport',
	metadata: [
		{ id: 'number', name: 'Passport number', data_type: 'STRING', required: true },
		{ id: 'phone', name: 'Phone', data_type: 'PHONE' },
		{ id: 'until', data_type: 'DATE' },
	],
};
const NATIONAL_ID = { id: 'national_id', name: 'National ID', require_back_image: true };
const documents = [
	{
		id: 'identity',
		name: 'Proof of identity',
		required: true,
		valid_documents: [PASSPORT, NATIONAL_ID],
	},
	{ id: 'income', valid_documents: [{ id: 'payslip', name: '' }] },
];
const PENDING = { status: 'pending_documentation', created_at: '2026-11-18T01:00:00Z' };
const REQUESTS = [
	{ id: 'p1', product: 'ramps_pix', status: 'rejected', created_at: '2026-10-12T01:00:00Z' },
	{ id: 'p2', product: 'cards_individuals', ...PENDING, missing_requirements: { documents } },
	{ id: 'p3', product: 'new', ...PENDING },
];

const { fields } = operationOf('productRequest: submitDocument');
const list = async (name: string, editor: ReturnType<typeof editorOf>) =>
	await fields[name]!.list!(editor);
const CHOSEN = { clientId: 'c/1', productRequestId: 'p2' };

it('the list of Product Request begins with those that accept documents', async () => {
	const editor = editorOf({ clientId: 'c/1' }, REQUESTS);
	expect(await list('productRequestId', editor)).toEqual([
		{ name: 'Cards for Individuals · Pending Documentation · 2026-11-18', value: 'p2' },
		{ name: 'new · Pending Documentation · 2026-11-18', value: 'p3' },
		{ name: 'Ramps: Pix · Rejected · 2026-10-12', value: 'p1' },
	]);
	expect(editor.loaded).toEqual([
		[
			{ method: 'GET', path: '/management/clients/individuals/c%2F1/products' },
			[expect.objectContaining({ status: 404, message: 'Client not found' })],
		],
	]);
});

it('document types are listed with the images they need', async () => {
	expect(await list('documentType', editorOf(CHOSEN, REQUESTS))).toEqual([
		{ name: 'Passport · front image · Proof of identity', value: 'passport' },
		{ name: 'National ID · front and back image · Proof of identity', value: 'national_id' },
		{ name: 'payslip · front image · income (optional)', value: 'payslip' },
	]);
	const other = { ...CHOSEN, productRequestId: 'p3' };
	expect(await list('documentType', editorOf(other, REQUESTS))).toEqual([]);
});

it.each<[string, Record<string, string>, string]>([
	['productRequestId', {}, 'Client ID has no value yet'],
	['documentType', { clientId: 'c' }, 'Product Request has no value yet'],
	[
		'documentType',
		{ ...CHOSEN, productRequestId: 'p9' },
		'Product Request does not belong to this client',
	],
	[
		'documentType',
		{ ...CHOSEN, productRequestId: 'p1' },
		'Product Request takes no documents: it is Rejected',
	],
])('the list of %s with %j names what to correct first', async (name, values, message) => {
	const error: unknown = await list(name, editorOf(values, REQUESTS)).catch((thrown) => thrown);
	expect(error).toBeInstanceOf(InvalidFieldError);
	expect(error).toMatchObject({ message });
});

it("fields of the document type are mapped as text, with the requirement's marks", async () => {
	const shown = { defaultMatch: false, display: true, type: 'string' };
	const editor = editorOf({ ...CHOSEN, documentType: 'passport' }, REQUESTS);
	expect(await fields.metadata!.mapper!(editor)).toEqual({
		fields: [
			{ id: 'number', displayName: 'Passport number', required: true, ...shown },
			{ id: 'phone', displayName: 'Phone (phone number)', required: false, ...shown },
			{ id: 'until', displayName: 'until (date, as text)', required: false, ...shown },
		],
	});
});

it.each([
	[{}, 'depends on the Client ID'],
	[{ clientId: 'c' }, 'depends on the Product Request'],
	[CHOSEN, 'depends on the Document Type'],
	[{ ...CHOSEN, documentType: 'national_id' }, 'National ID needs no further fields'],
	[{ ...CHOSEN, documentType: 'visa' }, 'does not ask for this document type'],
])('the panel explains why there are no fields for %j', async (values, why) => {
	expect(await fields.metadata!.mapper!(editorOf(values, REQUESTS))).toEqual({
		fields: [],
		emptyFieldsNotice: expect.stringContaining(why),
	});
});
