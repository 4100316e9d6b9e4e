import type { IDataObject } from 'n8n-workflow';

import type { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { TO } from '../batch/batches.mts';
import { N8nExecution, type Run } from './execution.mts';

const transfer = (amount: string, options: IDataObject = {}): IDataObject => ({
	accountId: 'acc-1',
	walletId: 'wal-1',
	to: TO,
	tokenAddress: { __rl: true, mode: 'list', value: 'native' },
	amountMode: 'fixed',
	amount,
	options,
});
const PAY: Run = { resource: 'wallet', operation: 'transfer' };
const FREEZE: Run = { resource: 'card', operation: 'freeze', parameters: { cardId: 'c1' } };
const GET: Run = { resource: 'card', operation: 'get', parameters: { cardId: 'c1' } };
const POST: Run = {
	resource: 'endpoint',
	operation: 'request',
	parameters: { method: 'POST', path: '/any', jsonBody: '{}' },
};
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(91)]);
const SUBMIT: Run = {
	resource: 'productRequest',
	operation: 'submitDocument',
	parameters: {
		clientId: 'cli-1',
		productRequestId: { __rl: true, mode: 'id', value: 'pr-1' },
		documentType: { __rl: true, mode: 'list', value: 'passport', cachedResultName: 'Passport' },
		frontImageField: 'data',
	},
	binary: { data: { data: PNG.toString('base64'), mimeType: 'image/png' } },
};
const keyOf = ({ headers = {} }: { headers?: IDataObject }) =>
	Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];

describe('an n8n before 2.20', () => {
	let nodeType: CardTreasury;

	beforeAll(async () => {
		await jest.isolateModulesAsync(async () => {
			jest.doMock('n8n-workflow', () => {
				const { WorkflowExpression: _, ...older } = jest.requireActual('n8n-workflow');
				return older;
			});
			const loaded = await import('../../../../nodes/CardTreasury/CardTreasury.node.ts');
			nodeType = new loaded.CardTreasury();
			jest.dontMock('n8n-workflow');
		});
	});

	it.each<[string, Run]>([
		['a transfer', { ...PAY, parameters: transfer('1') }],
		['a state change', FREEZE],
		['a write without a key', SUBMIT],
		['any write', POST],
	])('refuses %s, and says what to do', async (_, run) => {
		const execution = new N8nExecution();
		await expect(execution.run({ ...run, nodeType })).rejects.toMatchObject({
			message: 'This n8n is too old for writes',
			description: expect.stringContaining('Update n8n.'),
		});
		expect(execution.sent).toEqual([]);
	});

	it('reads', async () => {
		const execution = new N8nExecution();
		await execution.run({ ...GET, nodeType });
		expect(execution.sent).toHaveLength(1);
	});
});

describe('what an agent has done in an execution', () => {
	const tool = (name: string) => ({ node: { name, type: 'cardTreasuryTool' } });

	it('is known to its other tool of this kind too: one key is one payment', async () => {
		const execution = new N8nExecution();
		const parameters = transfer('5', {
			maximumAmount: '9',
			allowedRecipients: TO,
			idempotencyKey: 'invoice-7',
		});
		const first = await execution.run({ ...PAY, parameters, ...tool('Pay') });
		const again = await execution.run({ ...PAY, parameters, ...tool('Pay as well') });
		expect(execution.sent.map(keyOf)).toEqual(['invoice-7']);
		expect([first[0]?.json.repeated, again[0]?.json.repeated]).toEqual([undefined, true]);
	});

	it('counts towards the limits of its other tools', async () => {
		const execution = new N8nExecution();
		const options = { maximumAmount: '9', allowedRecipients: TO, maximumTransfers: 1 };
		await execution.run({ ...PAY, parameters: transfer('5', options), ...tool('Pay') });
		await expect(
			execution.run({ ...PAY, parameters: transfer('4', options), ...tool('Pay as well') }),
		).rejects.toThrow('Maximum Transfers is 1, and this run has 2 transfers');
		expect(execution.sent).toHaveLength(1);
	});

	it('is not known to another execution', async () => {
		const options = { maximumAmount: '9', allowedRecipients: TO, maximumTransfers: 1 };
		for (let count = 0; count < 2; count++) {
			const execution = new N8nExecution();
			await execution.run({ ...PAY, parameters: transfer('5', options), ...tool('Pay') });
			expect(execution.sent).toHaveLength(1);
		}
	});
});

describe('the business keys', () => {
	it('are set also when the run ends in an error', async () => {
		const execution = new N8nExecution();
		const answer = (): unknown => {
			throw Object.assign(new Error('reset'), { code: 'ECONNREFUSED' });
		};
		const options = { maxAttempts: 1 };
		const parameters = { cardId: 'c1', options };
		await expect(execution.run({ ...FREEZE, parameters, answer })).rejects.toThrow();
		expect(execution.customData).toEqual({ card_id: 'c1' });
	});

	it('are the card of the first item and the latest trace', async () => {
		const execution = new N8nExecution();
		const parameters = [{ cardId: 'c1' }, { cardId: 'c2' }];
		await execution.run({ ...FREEZE, parameters });
		expect(execution.customData).toEqual({ card_id: 'c1', trace_id: 'trace-1' });
	});
});

describe('what is read of an item', () => {
	it('is the value of a list, not the name that the editor keeps with it', async () => {
		const tokenAddress = { __rl: true, mode: 'list', value: 'native', cachedResultName: 'Coin' };
		const [item] = await new N8nExecution().run({
			...PAY,
			parameters: { ...transfer('1'), tokenAddress },
		});
		expect(item?.json).toMatchObject({ token_address: null, amount: '1' });
		const [shown] = await new N8nExecution().run({
			...SUBMIT,
			parameters: { ...(SUBMIT.parameters as IDataObject), options: { dryRun: true } },
			answer: () => [{ id: 'pr-1', status: 'pending_documentation' }],
		});
		expect(shown?.json).toMatchObject({
			path: '/management/clients/individuals/cli-1/products/pr-1/documentation',
			body: { document: { document_type: 'passport' } },
		});
	});

	it('is the size of a file in bytes', async () => {
		const [item] = await new N8nExecution().run({
			...SUBMIT,
			parameters: { ...(SUBMIT.parameters as IDataObject), options: { dryRun: true } },
			answer: () => [{ id: 'pr-1', status: 'pending_documentation' }],
		});
		expect(PNG.length).toBe(99);
		expect(JSON.stringify(item?.json.body)).toContain('99');
		expect(JSON.stringify(item?.json.body)).not.toContain('132');
	});
});

it('a run leaves nothing with the signal of its execution, which outlives it', async () => {
	const { signal } = new AbortController();
	const counts = { addEventListener: 0, removeEventListener: 0 };
	for (const name of ['addEventListener', 'removeEventListener'] as const) {
		const original = signal[name].bind(signal);
		jest.spyOn(signal, name).mockImplementation((...given: Parameters<typeof original>) => {
			counts[name]++;
			original(...given);
		});
	}
	await new N8nExecution().run({ ...FREEZE, signal });
	await expect(
		new N8nExecution().run({ ...FREEZE, parameters: { cardId: '' }, signal }),
	).rejects.toThrow('Card ID');
	expect(counts.addEventListener).toBeGreaterThanOrEqual(2);
	expect(counts.removeEventListener).toBe(counts.addEventListener);
});
