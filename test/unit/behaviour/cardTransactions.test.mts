import { InvalidFieldError } from '../../../nodes/shared/fields/invalidField.ts';
import { itemsOf, operationOf, workOf } from '../CardTreasury/operations/reading.mts';
import { SEARCH } from '../CardTreasury/operations/sampleAnswers.mts';

it('a statement is a file with a name that is valid in any file system', async () => {
	const parameters = {
		cardId: '../a:b',
		fromDate: '2026-01-01',
		toDate: '2026-01-31',
		binaryPropertyName: 'pdf',
	};
	const name = 'cardTransaction: downloadStatement';
	expect(await itemsOf(name, { parameters }, {})).toEqual([
		{ card_id: '../a:b', from_date: '2026-01-01', to_date: '2026-01-31', trace_id: 'trace-1' },
	]);
	const fileOf = async (more: object) => (await workOf(name, { parameters: more as never })).file;
	expect(await fileOf(parameters)).toEqual({
		property: 'pdf',
		fileName: 'statement_.._a_b_2026-01-01_2026-01-31.pdf',
		mimeType: 'application/pdf',
	});
	expect(await fileOf({ cardId: 'c', options: { fileName: 'x.pdf' } })).toMatchObject({
		property: 'data',
		fileName: 'x.pdf',
	});
	expect(await fileOf({ cardId: 'c', options: { fileName: 7 } })).toMatchObject({ fileName: '7' });
	expect(await fileOf({ cardId: 'c' })).toMatchObject({ fileName: 'statement_c.pdf' });
	expect(await itemsOf(name, { parameters: { cardId: 'c' } }, {})).toEqual([
		{ card_id: 'c', from_date: null, to_date: null, trace_id: 'trace-1' },
	]);
});

it('an answer without exactly one list of movements is returned unchanged', async () => {
	for (const json of [
		{ total_elements: 2 },
		{ items: ['x'] },
		{ items: [{ operation: 'PURCHASE' }, 'x'] },
		{ a: [{ operation: 1 }], b: [{ operation: 2 }] },
	]) {
		await expect(itemsOf('cardTransaction: search', SEARCH, { json })).rejects.toThrow(
			new InvalidFieldError(
				'One Item per Transaction',
				'needs exactly one list of transactions in the answer',
				'',
			),
		);
	}
});

it('an empty list next to the movements is ignored', async () => {
	const json = { notices: [], items: [{ operation: 'PURCHASE' }], total_elements: 1 };
	expect(await itemsOf('cardTransaction: search', SEARCH, { json })).toEqual([
		{ operation: 'PURCHASE', total_elements: 1 },
	]);
});

it.each([
	['fromDate', /time zone in which the service counts days is not documented/],
	['toDate', /workflow's time zone\. Whether the service includes it is not documented/],
])('the field %s of a statement mentions what the document leaves open (§4.9)', (name, said) => {
	const field = operationOf('cardTransaction: downloadStatement').fields[name]!;
	expect(field.property(name, '')).toMatchObject({ description: expect.stringMatching(said) });
});
