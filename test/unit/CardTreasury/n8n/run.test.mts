import { getEventListeners } from 'node:events';
import type { IDataObject } from 'n8n-workflow';

import type { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { byId, image, PNG, RECIPIENT, transferOf } from '../../../harness/fixtures.mts';
import { Notes } from '../../../harness/notes.mts';
import { loadWithout } from '../../shared/otherHost.mts';
import { N8nExecution, type Run } from './execution.mts';

const PAY: Run = { resource: 'wallet', operation: 'transfer' };
const FREEZE: Run = { resource: 'card', operation: 'freeze', parameters: { cardId: 'c1' } };
const GET: Run = { resource: 'card', operation: 'get', parameters: { cardId: 'c1' } };
const POST: Run = {
	resource: 'endpoint',
	operation: 'request',
	parameters: { method: 'POST', path: '/any', jsonBody: '{}' },
};
const SUBMIT: Run = {
	resource: 'productRequest',
	operation: 'submitDocument',
	parameters: {
		clientId: 'cli-1',
		productRequestId: byId('pr-1'),
		documentType: { __rl: true, mode: 'list', value: 'passport', cachedResultName: 'Passport' },
		frontImageField: 'data',
	},
	binary: { data: image() },
};
const keyOf = ({ headers = {} }: { headers?: IDataObject }) =>
	Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];

describe('n8n that cannot run writes', () => {
	let older: CardTreasury;

	beforeAll(async () => {
		const { CardTreasury: Older } = await loadWithout(
			['WorkflowExpression'],
			async () => await import('../../../../nodes/CardTreasury/CardTreasury.node.ts'),
		);
		older = new Older();
	});

	const HOSTS: Array<[string, () => Partial<Run>, string]> = [
		['n8n before 2.20', () => ({ nodeType: older }), 'This n8n is too old for writes'],
		["n8n's Engine 2.0", () => ({ context: null }), "This workflow uses n8n's Engine 2.0"],
		[
			'a workflow set to Engine 2.0',
			() => ({ engineType: 'v2' }),
			"This workflow uses n8n's Engine 2.0",
		],
	];
	const WRITES: Run[] = [{ ...PAY, parameters: transferOf('1') }, FREEZE, SUBMIT, POST];

	it.each(HOSTS)('%s refuses every write', async (_, host, message) => {
		for (const write of WRITES) {
			const execution = new N8nExecution();
			await expect(execution.run({ ...write, ...host() })).rejects.toThrow(message);
			expect(execution.sent).toEqual([]);
		}
	});

	it.each(HOSTS)('%s sends a read', async (_, host) => {
		const execution = new N8nExecution();
		await execution.run({ ...GET, ...host() });
		expect(execution.sent).toHaveLength(1);
	});
});

describe("agent's tools in one execution", () => {
	const tool = (name: string) => ({ node: { name, type: 'cardTreasuryTool' } });

	it('transfers count towards the limits of all tools', async () => {
		const execution = new N8nExecution();
		const options = { maximumAmount: '9', allowedRecipients: RECIPIENT, maximumTransfers: 1 };
		await execution.run({ ...PAY, parameters: transferOf('5', options), ...tool('Pay') });
		await expect(
			execution.run({ ...PAY, parameters: transferOf('4', options), ...tool('Pay as well') }),
		).rejects.toThrow('Maximum Transfers is 1, and this run has 2 transfers');
		expect(execution.sent).toHaveLength(1);
	});

	it("a second tool re-sends a payment of unknown outcome under the first one's key", async () => {
		const execution = new N8nExecution();
		const credential = { idempotencyWindowHours: 24 };
		const context = { establishedAt: Date.now() };
		const parameters = transferOf('5', {
			maximumAmount: '9',
			allowedRecipients: RECIPIENT,
			maxAttempts: 1,
		});
		const answer = () => {
			throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
		};
		const pay = { ...PAY, parameters, credential, context };
		await expect(execution.run({ ...pay, answer, ...tool('Pay') })).rejects.toThrow(
			'Outcome unknown. The service could not be reached',
		);
		const [item] = await execution.run({ ...pay, ...tool('Pay as well') });
		expect(item?.json).toMatchObject({ amount: '5' });
		const [again] = await execution.run({ ...pay, ...tool('Pay') });
		expect(again?.json).toMatchObject({ repeated: true, amount: '5' });
		expect(execution.sent).toHaveLength(2);
		expect(new Set(execution.sent.map(keyOf)).size).toBe(1);
	});
});

describe('business keys', () => {
	it('business keys are set even if the run ends in an error', async () => {
		const execution = new N8nExecution();
		const answer = (): unknown => {
			throw Object.assign(new Error('reset'), { code: 'ECONNREFUSED' });
		};
		const options = { maxAttempts: 1 };
		const parameters = { cardId: 'c1', options };
		await expect(execution.run({ ...FREEZE, parameters, answer })).rejects.toThrow();
		expect(execution.customData).toEqual({ card_id: 'c1' });
	});
});

describe('output', () => {
	it('a file is in the chosen field', async () => {
		const parameters = {
			cardId: 'c1',
			fromDate: '2026-01-01',
			toDate: '2026-01-31',
			binaryPropertyName: 'pdf',
		};
		const bytes = Buffer.from('%PDF-1.7 %%EOF');
		const [item] = await new N8nExecution().run({
			resource: 'cardTransaction',
			operation: 'downloadStatement',
			parameters,
			answer: () => bytes,
		});
		expect(item).toMatchObject({
			binary: { pdf: { data: bytes.toString('base64'), mimeType: 'application/pdf' } },
			pairedItem: { item: 0 },
		});
		const [frozen] = await new N8nExecution().run(FREEZE);
		expect(Object.keys(frozen!)).toEqual(['json', 'pairedItem']);
	});

	it('hints are shown, and after Stop a warning without items', async () => {
		const dry = new N8nExecution();
		await dry.run({ ...PAY, parameters: transferOf('5', { dryRun: true }) });
		expect(dry.hints).toEqual([
			{
				message: 'Dry run: the requests are shown and nothing was sent.',
				location: 'outputPane',
			},
		]);
		const stopped = new N8nExecution();
		expect(await stopped.run({ ...FREEZE, signal: AbortSignal.abort() })).toEqual([]);
		expect(stopped.hints).toEqual([
			{ message: '1 of 1 was not sent: item 1.', location: 'outputPane', type: 'warning' },
		]);
	});

	it('sent items are shown even if Stop made one fail', async () => {
		const stop = new AbortController();
		const answer = () => {
			stop.abort();
			throw Object.assign(new Error('cancelled'), { code: 'ECONNRESET' });
		};
		const [item] = await new N8nExecution().run({ ...FREEZE, answer, signal: stop.signal });
		expect(item?.json).toMatchObject({ outcome: 'unknown' });
	});
});

describe('input', () => {
	it("a list's value is read, not the name that the editor stores with it", async () => {
		const tokenAddress = { __rl: true, mode: 'list', value: 'native', cachedResultName: 'Coin' };
		const [item] = await new N8nExecution().run({
			...PAY,
			parameters: { ...transferOf('1'), tokenAddress },
		});
		expect(item?.json).toMatchObject({ token_address: null, amount: '1' });
		const [shown] = await new N8nExecution().run({
			...SUBMIT,
			parameters: { ...(SUBMIT.parameters as IDataObject), options: { dryRun: true } },
			answer: () => [{ id: 'pr-1', status: 'pending_documentation' }],
		});
		expect(shown?.json).toMatchObject({
			outcome: 'dry_run',
			request: {
				path: '/management/clients/individuals/cli-1/products/pr-1/documentation',
				body: { document: { document_type: 'passport' } },
			},
		});
	});

	it("a file's size is in bytes", async () => {
		const [item] = await new N8nExecution().run({
			...SUBMIT,
			parameters: { ...(SUBMIT.parameters as IDataObject), options: { dryRun: true } },
			answer: () => [{ id: 'pr-1', status: 'pending_documentation' }],
		});
		const shown = JSON.stringify(item?.json.request);
		expect(shown).toContain(`${PNG.length}`);
		expect(shown).not.toContain(`${PNG.toString('base64').length}`);
	});
});

describe('several items', () => {
	it('each item sends its own file as the document of its own client', async () => {
		const files = ['Alice', 'Bob', 'Carol'].map((name) => Buffer.concat([PNG, Buffer.from(name)]));
		const execution = new N8nExecution();
		const items = await execution.run({
			...SUBMIT,
			parameters: files.map((_, index) => ({
				...(SUBMIT.parameters as IDataObject),
				clientId: `client-${index}`,
			})),
			binary: files.map((file) => ({
				data: { data: file.toString('base64'), mimeType: 'image/png' },
			})),
			answer: (_count, { method }) =>
				method === 'GET' ? [{ id: 'pr-1', status: 'pending_documentation' }] : { product: {} },
		});
		const posted = execution.sent.filter(({ method }) => method === 'POST');
		expect(posted).toHaveLength(3);
		for (const [index, file] of files.entries()) {
			const { body } = posted.find(({ url }) => url.includes(`/client-${index}/`))!;
			expect(String(body)).toContain(file.toString('base64'));
		}
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('each item has its own outcome and place under Continue On Fail', async () => {
		const execution = new N8nExecution();
		const parameters = ['c0', '', 'c2', 'c3'].map((cardId) => ({
			cardId,
			options: { maxAttempts: 1 },
		}));
		const answer = (_count: number, { url }: { url: string }) => {
			if (url.includes('/c2/')) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
			return {};
		};
		const items = await execution.run({ ...FREEZE, parameters, answer, continueOnFail: true });
		expect(items.map(({ json, pairedItem }) => [json.card_id, json.outcome, pairedItem])).toEqual([
			['c0', 'done', { item: 0 }],
			[null, 'not_sent', { item: 1 }],
			['c2', 'unknown', { item: 2 }],
			['c3', 'done', { item: 3 }],
		]);
		expect(items.map(({ json }) => json.trace_id)).toEqual([
			'trace-0',
			null,
			null,
			expect.stringMatching(/^trace-/),
		]);
	});

	it('the one that ends the run is named by its number', async () => {
		const parameters = ['c0', 'c1', ''].map((cardId) => ({ cardId }));
		await expect(new N8nExecution().run({ ...FREEZE, parameters })).rejects.toMatchObject({
			message: '1 of 3 is refused, so none was sent: item 3: Card ID is empty',
			context: { itemIndex: 2 },
		});
	});

	it('each item keeps its outcome if the node cannot run in the retry', async () => {
		const execution = new N8nExecution();
		const parameters = ['c0', 'c1', 'c2'].map((cardId) => ({
			cardId,
			options: { maxAttempts: 1 },
		}));
		const answer = (_count: number, { url }: { url: string }) => {
			if (url.includes('/c1/')) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
			return {};
		};
		await execution.run({ ...FREEZE, parameters, answer, continueOnFail: true });
		for (const broken of [{ credential: { apiKey: '' } }, { operation: 'none' }]) {
			const retry: Run = { ...FREEZE, parameters, mode: 'retry', ...broken };
			const items = await execution.run({ ...retry, continueOnFail: true });
			expect(items.map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
				['accepted', { item: 0 }],
				['unknown', { item: 1 }],
				['accepted', { item: 2 }],
			]);
		}
		// One message for all of them says the worst.
		await expect(
			execution.run({ ...FREEZE, parameters, mode: 'retry', operation: 'none' }),
		).rejects.toThrow('Outcome unknown. Operation "none" does not exist');
		expect(execution.sent).toHaveLength(3);
	});
});

it('operations that differ between items are refused', async () => {
	const execution = new N8nExecution();
	const parameters = ['unfreeze', 'freeze'].map((operation) => ({ cardId: 'c1', operation }));
	const node = { parameters: { resource: 'card', operation: '={{ $json.do }}' } };
	await expect(execution.run({ ...FREEZE, parameters, node })).rejects.toThrow(
		'Operation is not the same for all items',
	);
	expect(execution.sent).toEqual([]);
});

describe("node that n8n's AI assistant runs alone", () => {
	const alone = {
		mode: 'manual' as const,
		workflowName: 'Execute node n8n-nodes-card-treasury.cardTreasury',
	};

	it('the node is guarded like a tool whose fields are all filled in by an agent', async () => {
		const execution = new N8nExecution();
		const options = { maximumAmount: '5', allowedRecipients: RECIPIENT };
		await expect(
			execution.run({ ...PAY, parameters: transferOf('1', options), ...alone }),
		).rejects.toThrow('Maximum Amount is filled in by the AI agent');
		expect(execution.sent).toEqual([]);
	});

	it.each<[string, Partial<Run>]>([
		['runs the workflow in the editor', { mode: 'manual' }],
		['has named a published workflow so', { ...alone, mode: 'trigger' }],
		['has named it after another node', { ...alone, workflowName: 'Execute node other' }],
	])('a node is not alone if a person %s', async (_, more) => {
		const execution = new N8nExecution();
		await execution.run({ ...PAY, parameters: transferOf('1'), ...more });
		expect(execution.sent).toHaveLength(1);
	});
});

describe('advice on an unknown outcome', () => {
	const WAIT = 'Wait for the treasury.transfer event or ask the provider';
	const window = { idempotencyWindowHours: 24 };

	it.each<[string, Partial<Run>, string]>([
		['of a workflow', { credential: window }, 'Open Executions, this run, Retry.'],
		['without a window', { credential: { idempotencyWindowHours: null } }, WAIT],
		['that goes on', { continueOnFail: true, credential: window }, WAIT],
		['of a sub-workflow', { mode: 'integrated', credential: window }, WAIT],
	])(
		'the advice on an unknown outcome names the next step for a run %s',
		async (_, more, advice) => {
			const answer = (): unknown => {
				throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
			};
			const parameters = transferOf('1', { maxAttempts: 1 });
			const context = { establishedAt: Date.now() };
			const told = await new N8nExecution()
				.run({ ...PAY, parameters, answer, context, ...more })
				.then(([item]) => item?.json.description)
				.catch(({ description }: { description: string }) => description);
			expect(told).toMatch(new RegExp(`^The money may have left. ${advice}`));
		},
	);
});

describe('memory', () => {
	const pay = { ...PAY, parameters: transferOf('5') };

	it('the memory is separate for each node', async () => {
		const notes = new Notes();
		await new N8nExecution(notes).run(pay);
		const copy = new N8nExecution(notes);
		await copy.run({ ...pay, node: { id: 'node-2' } });
		expect(copy.sent).toHaveLength(1);
	});

	it('an unsaved workflow has no memory', async () => {
		const notes = new Notes();
		for (let count = 0; count < 2; count++) {
			const execution = new N8nExecution(notes);
			await execution.run({ ...pay, workflowId: null });
			expect(execution.sent).toHaveLength(1);
		}
		expect(notes.of('node-1')).toEqual([]);
	});

	it('the memory is used in an execution without an ID that has a context', async () => {
		const notes = new Notes();
		const outside = { ...pay, executionId: null };
		await new N8nExecution(notes).run(outside);
		const again = new N8nExecution(notes);
		expect((await again.run(outside))[0]?.json).toMatchObject({ status: 'ALREADY_SENT' });
		const own = new N8nExecution(notes);
		await own.run({ ...outside, hasContext: false });
		expect(own.sent).toHaveLength(1);
	});
});

it('a dry run in the retry of an execution that has sent something is refused', async () => {
	const execution = new N8nExecution();
	await execution.run({ ...PAY, parameters: transferOf('1') });
	const dry = { ...PAY, parameters: transferOf('1', { dryRun: true }) };
	await expect(execution.run({ ...dry, mode: 'retry' })).rejects.toThrow('Dry Run is on');
	expect((await execution.run(dry))[0]?.json).toMatchObject({ outcome: 'dry_run' });
	expect(execution.sent).toHaveLength(1);
});

it('a run leaves no listener on the signal of its execution', async () => {
	const { signal } = new AbortController();
	const listening = () => getEventListeners(signal, 'abort').length;
	const during: number[] = [];
	const answer = () => {
		during.push(listening());
		return {};
	};
	await new N8nExecution().run({ ...FREEZE, signal, answer });
	await expect(
		new N8nExecution().run({ ...FREEZE, parameters: { cardId: '' }, signal }),
	).rejects.toThrow('Card ID');
	expect(during[0]).toBeGreaterThan(0);
	expect(listening()).toBe(0);
});
