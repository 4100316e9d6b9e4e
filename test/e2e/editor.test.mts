import { editor, open, useEditor } from '../harness/editor/useEditor.mts';
import { eventually } from '../harness/n8n/scenario.mts';
import { credential, scenario } from '../harness/n8n/useN8n.mts';
import { IDS } from '../simulator/index.mts';
import { simulator } from '../simulator/useSimulator.mts';

useEditor();

const node = (name: string, parameters: object) => ({
	id: name,
	name,
	type: 'n8n-nodes-card-treasury.cardTreasury',
	typeVersion: 1,
	position: [300, 0],
	parameters,
	credentials: { cardTreasuryApi: credential },
});

describe('node panel', () => {
	/** Searches and checks that each word finds one of the nodes. */
	async function expectFoundBy(words: string[]): Promise<void> {
		for (const word of words) expect(await editor.searchNodes(word)).toContain('Card Treasury');
	}

	it('finds the trigger by purpose while the workflow has none', async () => {
		await editor.newWorkflow();
		await expectFoundBy(['KYC', '3DS', 'ramp', 'velocity', 'authorization', 'refund']);
		await editor.page.keyboard.press('Escape');
	});

	it('finds the node and lists its operations', async () => {
		await open([
			{
				id: 'a',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
		]);
		await expectFoundBy(['passport', 'sweep', 'payout', 'freeze card', '3DS', 'stablecoin']);
		await editor.found().first().click();
		// The list fills in parts, so the test waits for each.
		for (const action of [
			'Freeze card',
			'Transfer tokens from wallet',
			'Submit document for KYC product request',
		]) {
			await editor
				.found()
				.filter({ hasText: new RegExp(`^\\s*${action}\\s*$`) })
				.waitFor();
		}
		await editor.page.getByText(/^Triggers \(\d+\)/).click();
		await editor
			.found()
			.filter({ hasText: /^On card blocked by velocity$/ })
			.waitFor();
	});
});

it('a token is chosen from the list with symbol, chain and price', async () => {
	const id = await open([node('Transfer', { resource: 'wallet', operation: 'transfer' })]);
	await editor.openNode('Transfer');
	const list = await editor.openList('tokenAddress');
	await list.search('usdc polygon');
	expect(await list.items()).toEqual([expect.stringMatching(/^USDC on Polygon · USD Coin · \$\d/)]);
	await list.pick(0);
	const token = simulator.state.records.tokens.find(
		({ symbol, blockchain }) => symbol === 'USDC' && blockchain === 'POLYGON',
	)!;
	const { nodes } = await saved(id);
	expect(nodes[0]!.parameters.tokenAddress).toMatchObject({
		__rl: true,
		mode: 'list',
		value: token.address,
	});
});

it('choosing a product request and a document type shows the fields of the document', async () => {
	const id = await open([
		node('Document', {
			resource: 'productRequest',
			operation: 'submitDocument',
			clientId: IDS.client,
		}),
	]);
	await editor.openNode('Document');
	const requests = await editor.openList('productRequestId');
	expect((await requests.items())[0]).toMatch(/^Cards for Individuals · Pending Documentation · /);
	await requests.pick(0);
	const types = await editor.openList('documentType');
	expect(await types.items()).toContain(
		'National identity card · front and back image · Proof of identity',
	);
	await types.search('passport');
	await types.pick(0);
	await editor.parameter('number').locator('input').fill('X1234567');
	expect(await editor.parameter('expiration_date').count()).toBe(1);
	const { nodes } = await saved(id);
	expect(nodes[0]!.parameters).toMatchObject({
		productRequestId: { value: IDS.pendingProductRequest },
		documentType: { value: 'passport' },
		metadata: { value: { number: 'X1234567' } },
	});
});

it('a list shows why it cannot load', async () => {
	const parameters = {
		resource: 'productRequest',
		operation: 'submitDocument',
		clientId: 'nobody',
	};
	await open([node('Document', parameters)]);
	await editor.openNode('Document');
	const list = await editor.openList('productRequestId');
	expect(await list.problem()).toMatch(/Client not found.*Check Client ID/s);
});

it('adding a third event keeps the first two connections', async () => {
	const noOp = (name: string, y: number) => ({
		id: name,
		name,
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [320, y],
		parameters: {},
	});
	const wires = {
		Trigger: {
			main: ['Refunds', 'Blocked'].map((name) => [{ node: name, type: 'main', index: 0 }]),
		},
	};
	const id = await open(
		[
			{
				id: 'trigger',
				name: 'Trigger',
				type: 'n8n-nodes-card-treasury.cardTreasuryTrigger',
				typeVersion: 2,
				position: [0, 0],
				webhookId: 'wired',
				parameters: { events: ['cards.refund', 'cards.card_blocked_by_velocity'] },
				credentials: { cardTreasuryApi: credential },
			},
			noOp('Refunds', 0),
			noOp('Blocked', 200),
		],
		wires,
	);
	expect(await editor.outputs('Trigger')).toEqual(['Refund', 'Blocked']);
	const before = await editor.wires('Trigger');
	expect(before).toHaveLength(2);
	await editor.openNode('Trigger');
	// The list shows this event above the other two. Sorted outputs would shift their connections.
	await editor.choose('events', 'Cards: Authorized');
	await editor.closeNode();
	await eventually(async () => (await editor.outputs('Trigger')).length === 3);
	expect(await editor.outputs('Trigger')).toEqual(['Refund', 'Blocked', 'Authorized']);
	expect(await editor.wires('Trigger')).toEqual(before);
	const { nodes, connections } = await saved(id);
	expect(nodes.find(({ name }) => name === 'Trigger')!.parameters.events).toEqual([
		'cards.refund',
		'cards.card_blocked_by_velocity',
		'cards.authorized',
	]);
	expect(connections).toEqual(wires);
});

it('the trigger warns of outputs that shift and of amounts in any currency', async () => {
	const conditions = { amountTo: '5.00' };
	await open([
		{
			id: 'trigger',
			name: 'Trigger',
			type: 'n8n-nodes-card-treasury.cardTreasuryTrigger',
			typeVersion: 2,
			position: [0, 0],
			webhookId: 'rules',
			parameters: {
				events: ['cards.authorization'],
				rules: { rule: [{ name: 'small', decision: 'approve', conditions }] },
			},
			credentials: { cardTreasuryApi: credential },
		},
	]);
	const text = (words: string) => editor.page.getByText(words);
	await editor.openNode('Trigger');
	await text('Removing one shifts the outputs below it').waitFor();
	await text('unless the rule has the condition Currencies').waitFor();
	expect(await editor.parameter('amountTo').locator('input').inputValue()).toBe('5.00');
});

/** Reads the workflow once the editor has saved it. */
async function saved(id: string) {
	const stored = editor.page.waitForResponse(
		(response) => response.request().method() === 'PATCH' && response.url().includes(id),
	);
	await editor.page.keyboard.press('Control+s');
	await stored;
	type Saved = {
		nodes: Array<{ name: string; parameters: Record<string, any> }>;
		connections: object;
	};
	return (await scenario.n8n.rest('GET', `/rest/workflows/${id}`)) as unknown as Saved;
}
