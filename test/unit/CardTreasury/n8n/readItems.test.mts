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
