import type { Locator } from 'playwright-core';

import { WORDS } from '../../nodes/CardTreasury/run/words.ts';
import { editor, open, useEditor } from '../harness/editor/useEditor.mts';
import { byId, transferOf } from '../harness/fixtures.mts';
import { eventually } from '../harness/n8n/executions.mts';
import { cardTreasury, manualTrigger, noOp } from '../harness/n8n/nodes.mts';
import { credential, scenario } from '../harness/n8n/useN8n.mts';
import { createWorkflow, type ChainNode } from '../harness/n8n/workflows.mts';
import { EVENT_NAMES, IDS } from '../simulator/index.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

useEditor();

const node = (name: string, parameters: object) => cardTreasury(parameters, credential, { name });

const transfer = (parameters: object = {}) =>
	node('Transfer', { ...transferOf('12.50'), tokenAddress: byId('native'), ...parameters });

const sent = () => simulator.requests.filter(({ method }) => method === 'POST');

/** Opens a workflow of a manual start and these nodes in a row. */
async function openRow(nodes: ChainNode[], pinData?: object): Promise<void> {
	const row = [manualTrigger, ...nodes];
	const links = nodes.map(({ name }, index) => [
		row[index]!.name,
		{ main: [[{ node: name, type: 'main', index: 0 }]] },
	]);
	await open(row, Object.fromEntries(links), pinData);
}

/** Opens a workflow of the trigger and the nodes at its outputs. */
async function openTrigger(parameters: object, branches?: ChainNode[][]): Promise<string> {
	const { id } = await createWorkflow(scenario.n8n, credential, parameters, branches);
	await editor.openWorkflow(id);
	return id;
}

describe("n8n's editor", () => {
	describe('node panel', () => {
		/** Searches and checks that each word finds one of the nodes. */
		async function expectFoundBy(words: string[]): Promise<void> {
			for (const word of words) expect(await editor.searchNodes(word)).toContain('Card Treasury');
		}

		it('finds the trigger by words for its purpose while the workflow has no trigger', async () => {
			await editor.newWorkflow();
			await expectFoundBy(['KYC', '3DS', 'ramp', 'velocity', 'authorization', 'refund']);
			await editor.page.keyboard.press('Escape');
		});

		it('finds the node by words for its purpose and lists its operations', async () => {
			await openRow([]);
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

	it('a token is chosen from a list of symbols, chains and prices', async () => {
		const id = await open([node('Transfer', { resource: 'wallet', operation: 'transfer' })]);
		await editor.openNode('Transfer');
		const list = await editor.openList('tokenAddress');
		await list.search('usdc polygon');
		expect(await list.items()).toEqual([
			expect.stringMatching(/^USDC on POLYGON · USD Coin · \$\d/),
		]);
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
		expect((await requests.items())[0]).toMatch(
			/^Cards for Individuals · Pending Documentation · /,
		);
		await requests.pick(0);
		const types = await editor.openList('documentType');
		expect(await types.items()).toContain('National identity card · front and back image');
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
		expect(await list.problem()).toMatch(/Client not found \(HTTP 404\).*Check Client ID/s);
	});

	it('adding a third event keeps the first two connections', async () => {
		const events = ['cards.refund', 'cards.card_blocked_by_velocity'];
		const id = await openTrigger({ events }, [[noOp('Refunds')], [noOp('Blocked')]]);
		expect(await editor.outputs('Trigger')).toEqual(['Refund', 'Blocked']);
		const before = await editor.wires('Trigger');
		expect(before).toHaveLength(2);
		await editor.openNode('Trigger');
		// The list shows this event above the other two. Sorted outputs would shift their connections.
		await editor.choose('events', 'Card Authorized');
		await editor.closeNode();
		await eventually(async () => (await editor.outputs('Trigger')).length === 3);
		expect(await editor.outputs('Trigger')).toEqual(['Refund', 'Blocked', 'Authorized']);
		expect(await editor.wires('Trigger')).toEqual(before);
		const { nodes, connections } = await saved(id);
		expect(nodes.find(({ name }) => name === 'Trigger')!.parameters.events).toEqual([
			...events,
			'cards.authorized',
		]);
		expect(connections).toEqual({
			Trigger: {
				main: ['Refunds', 'Blocked'].map((name) => [{ node: name, type: 'main', index: 0 }]),
			},
		});
	});

	it('the trigger warns that removing an event shifts outputs, and that answers must be in time', async () => {
		const conditions = { amountTo: '5.00', currencies: 'USD' };
		await openTrigger({
			events: ['cards.authorization'],
			rules: { rule: [{ name: 'small', decision: 'approve', conditions }] },
		});
		const text = (words: string) => editor.page.getByText(words);
		await editor.openNode('Trigger');
		await text('Removing one shifts the outputs below it').waitFor();
		await text('Answers must arrive within 1.2 seconds').waitFor();
		expect(await editor.parameter('amountTo').locator('input').inputValue()).toBe('5.00');
	});

	it('no output label of the trigger is cut, even with all events chosen', async () => {
		const events = [...EVENT_NAMES, 'other'];
		await openTrigger({ events });
		const labels = editor.outputLabels('Trigger');
		await eventually(async () => (await labels.count()) === events.length);
		expect(new Set(await labels.allInnerTexts()).size).toBe(events.length);
		const cut = async () => {
			const measured = await Promise.all((await labels.all()).map(isCut));
			return (await labels.allInnerTexts()).filter((_, index) => measured[index]);
		};
		expect(await cut()).toEqual([]);
		// A long label is found to be cut.
		await labels
			.first()
			.evaluate((label) => (label.textContent = 'cards.card_blocked_by_velocity'));
		expect(await cut()).toEqual(['cards.card_blocked_by_velocity']);
	});

	const isCut = async (label: Locator) =>
		await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

	it('the fields of a transfer are previewed before any money has moved', async () => {
		const edit = { name: 'Edit', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} };
		await openRow([transfer(), edit]);
		await editor.openNode('Edit');
		const previewed = editor.page.locator('.pill--preview');
		for (const field of ['outcome', 'summary', 'transaction_hash', 'payment_reference'])
			await previewed.filter({ hasText: field }).waitFor();
	});

	it('Execute step pressed twice pays once', async () => {
		await openRow([transfer()]);
		await editor.openNode('Transfer');
		await editor.execute();
		await editor.output().getByText('done').first().waitFor();
		await editor.execute();
		await editor.output().getByText('already_sent').first().waitFor();
		await editor
			.output()
			.getByText(`${WORDS.already_sent[0]}: 12.5 of the native coin`)
			.first()
			.waitFor();
		expect(sent()).toHaveLength(1);
		expect(amounts()).toEqual(['12.5']);
	});

	it('a dry run shows the request and that nothing was sent', async () => {
		await openRow([transfer({ options: { dryRun: true } })]);
		await editor.openNode('Transfer');
		await editor.execute();
		const shown = await editor.output().innerText();
		for (const field of ['dry_run', `${WORDS.dry_run[0]}: `, 'request', 'method', 'path', 'body'])
			expect(shown).toContain(field);
		expect(shown).toContain('nothing was sent');
		expect(sent()).toEqual([]);
	});

	it('the error of a run that stops ends with its count', async () => {
		const wallets = [IDS.wallet, IDS.wallet, IDS.wallet, 'no-wallet'];
		const named = {
			...{ walletId: '={{ $json.wallet }}', paymentReference: '={{ $json.name }}' },
			// Equal payments are refused.
			amount: '={{ $itemIndex + 1 }}',
		};
		await openRow([transfer(named)], {
			Start: wallets.map((wallet, index) => ({ json: { wallet, name: `INV-${index}` } })),
		});
		await editor.openNode('Transfer');
		await editor.execute();
		const described = editor.page.locator('[data-test-id="node-error-description"]');
		const lines = (await described.innerText()).split('\n');
		expect(lines.at(-1)).toBe('3 done, 1 rejected.');
	});

	it.each(['cards.authorization', 'company_activity.client_status'])(
		'Execute step on the trigger shows a sample of %s on its own output',
		async (event) => {
			await openTrigger({ events: ['cards.cleared', event], testEvent: event });
			await editor.openNode('Trigger');
			await editor.page.locator('[data-test-id="node-execute-button"]').first().click();
			const branch = event === 'cards.authorization' ? 'Authorization' : 'Client Status';
			await editor.output().getByText(`${branch} Branch (1 item)`).click();
			await editor
				.output()
				.getByText(/sample-[0-9a-f]{8}/)
				.first()
				.waitFor();
		},
	);
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
