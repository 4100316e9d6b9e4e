import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';

import { readItem } from '../../../../nodes/CardTreasury/n8n/readItems.ts';
import { findOperation } from '../../../../nodes/CardTreasury/operations/index.ts';

it('readItem evaluates a part of an expression for its own item', async () => {
	const n8n = {
		getInputData: () => [{ json: { id: 'INV-1' } }, { json: { id: 'INV-2' } }],
		getNodeParameter: (name: string, index: number) => `${name} ${index}`,
		evaluateExpression: (part: string, index: number) => `${part} of item ${index}`,
	} as unknown as IExecuteFunctions;
	const item = await readItem(n8n, findOperation('card', 'get')!, 1);
	expect(item.evaluate('{{ $json.id }}')).toBe('{{ $json.id }} of item 1');
	expect(item.parameters).toMatchObject({ cardId: 'cardId 1' });
	expect(item.json).toEqual({ id: 'INV-2' });
});

describe('files of one item', () => {
	const PNG = Buffer.from(
		'\x89PNG\r\n\x1a\n and more than the head of the file, to the end',
		'latin1',
	);
	const other = Buffer.concat([PNG.subarray(0, -1), Buffer.from('!')]);
	const PDF = Buffer.from('%PDF-1.7 with both sides');

	/** Name under which each field's file is stored, and how often a whole file was read. */
	async function storedAs(front: Buffer, back: Buffer, ids = ['id-1', 'id-2']) {
		const files: Record<string, Buffer> = { front, back };
		let whole = 0;
		const n8n = {
			getInputData: () => [
				{ json: {}, binary: { front: { id: ids[0], data: 'f' }, back: { id: ids[1], data: 'f' } } },
			],
			getNodeParameter: (name: string) => name.replace('ImageField', ''),
			helpers: {
				getBinaryMetadata: async (id: string) => ({
					fileSize: (id === ids[0] ? front : back).length,
				}),
				getBinaryStream: async function (id: string, length: number) {
					return Readable.from([(id === ids[0] ? front : back).subarray(0, length)]);
				},
				getBinaryDataBuffer: async (_: number, field: string) => {
					whole++;
					return files[field]!;
				},
			},
		} as unknown as IExecuteFunctions;
		const item = await readItem(n8n, findOperation('productRequest', 'submitDocument')!, 0);
		expect(item.isEmpty).toBe(false);
		return { stored: ['front', 'back'].map((field) => item.file(field)!.stored), whole };
	}

	it.each<[string, Buffer, Buffer, string[] | undefined, object]>([
		['one image in two places', PNG, PNG, undefined, { stored: ['id-1', 'id-1'], whole: 2 }],
		['images of one size', PNG, other, undefined, { stored: ['id-1', 'id-2'], whole: 2 }],
		[
			'images of two sizes',
			PNG,
			PNG.subarray(1),
			undefined,
			{ stored: ['id-1', 'id-2'], whole: 0 },
		],
		['one image in one place', PNG, PNG, ['id-1', 'id-1'], { stored: ['id-1', 'id-1'], whole: 0 }],
		['a PDF of both sides', PDF, PDF, undefined, { stored: ['id-1', 'id-2'], whole: 0 }],
	])('readItem knows %s', async (_, front, back, ids, expected) => {
		expect(await storedAs(front, back, ids)).toEqual(expected);
	});
});

it.each([
	[{ json: {} }, true],
	[{ json: { a: 1 } }, false],
	[{ json: {}, binary: {} }, false],
])('readItem takes %j for empty: %j', async (given, isEmpty) => {
	const n8n = { getInputData: () => [given], getNodeParameter: () => 'x' };
	const operation = findOperation('card', 'get')!;
	expect(await readItem(n8n as unknown as IExecuteFunctions, operation, 0)).toMatchObject({
		isEmpty,
	});
});
