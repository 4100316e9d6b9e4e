import { editor, open, useEditor } from '../harness/editor/useEditor.mts';
import { byId, transferOf } from '../harness/fixtures.mts';
import { cardTreasury, manualTrigger } from '../harness/n8n/nodes.mts';
import { credential, scenario } from '../harness/n8n/useN8n.mts';
import { createWorkflow, inARow } from '../harness/n8n/workflows.mts';
import { IDS } from '../simulator/index.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

useEditor();

const node = (name: string, parameters: object) => cardTreasury(parameters, credential, { name });

const transfer = (parameters: object = {}) =>
	node('Transfer', { ...transferOf('12.50'), tokenAddress: byId('native'), ...parameters });

const sent = () => simulator.requests.filter(({ method }) => method === 'POST');

describe("n8n's editor", () => {
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
		const [saved] = await savedNodes(id);
		expect(saved.parameters.tokenAddress).toMatchObject({
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
		const [saved] = await savedNodes(id);
		expect(saved.parameters).toMatchObject({
			productRequestId: { value: IDS.pendingProductRequest },
			documentType: { value: 'passport' },
			metadata: { value: { number: 'X1234567' } },
		});
	});

	it('the fields of a transfer are previewed before any money has moved', async () => {
		const edit = { name: 'Edit', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: {} };
		const nodes = [manualTrigger, transfer(), edit];
		await open(nodes, inARow(nodes));
		await editor.openNode('Edit');
		const previewed = editor.page.locator('.pill--preview');
		for (const field of ['outcome', 'summary', 'transaction_hash', 'payment_reference'])
			await previewed.filter({ hasText: field }).waitFor();
	});

	it('Execute step pressed twice pays once', async () => {
		await open([manualTrigger, transfer()], inARow([manualTrigger, transfer()]));
		await editor.openNode('Transfer');
		await editor.execute();
		await editor.output().getByText('done').first().waitFor();
		await editor.execute();
		await editor.output().getByText('already_sent').first().waitFor();
		await editor.output().getByText('Already sent: 12.5 of the native coin').first().waitFor();
		expect(sent()).toHaveLength(1);
		expect(amounts()).toEqual(['12.5']);
	});

	it.each(['cards.authorization', 'company_activity.client_status'])(
		'Execute step on the trigger shows a sample of %s on its own output',
		async (event) => {
			const parameters = { events: ['cards.cleared', event], testEvent: event };
			const { id } = await createWorkflow(scenario.n8n, credential, parameters);
			await editor.openWorkflow(id);
			await editor.openNode('Trigger');
			await editor.page.getByTestId('node-execute-button').first().click();
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

/** Reads the nodes of the workflow once the editor has saved it. */
async function savedNodes(id: string) {
	const stored = editor.page.waitForResponse(
		(response) => response.request().method() === 'PATCH' && response.url().includes(id),
	);
	await editor.page.keyboard.press('Control+s');
	await stored;
	return (await scenario.n8n.rest('GET', `/rest/workflows/${id}`)).nodes;
}
