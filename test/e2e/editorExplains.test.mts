import type { Locator } from 'playwright-core';

import { editor, open, useEditor } from '../harness/editor/useEditor.mts';
import { byId, transferOf } from '../harness/fixtures.mts';
import { createWorkflow, eventually } from '../harness/n8n/scenario.mts';
import { credential, scenario } from '../harness/n8n/useN8n.mts';
import { EVENT_NAMES, IDS } from '../simulator/index.mts';
import { amounts, simulator } from '../simulator/useSimulator.mts';

useEditor({ height: 1300 });

const START = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const transfer = (parameters: object = {}) => ({
	id: 'transfer',
	name: 'Transfer',
	type: 'n8n-nodes-card-treasury.cardTreasury',
	typeVersion: 1,
	position: [240, 0],
	parameters: {
		...transferOf('12.50'),
		tokenAddress: byId('native'),
		...parameters,
	},
	credentials: { cardTreasuryApi: credential },
});

const EDIT_FIELDS = {
	id: 'edit',
	name: 'Edit Fields',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	position: [480, 0],
	parameters: {},
};

const sent = () => simulator.requests.filter(({ method }) => method === 'POST');

async function openRow(nodes: Array<{ name: string }>, pinData?: object): Promise<void> {
	const links = nodes
		.slice(1)
		.map(({ name }, index) => [
			nodes[index]!.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	await open(nodes, Object.fromEntries(links), pinData);
}

it('the editor cuts no output label, even with all events chosen', async () => {
	const events = [...EVENT_NAMES, 'other'];
	const { id } = await createWorkflow(scenario.n8n, credential, { events });
	await editor.openWorkflow(id);
	const labels = editor.outputLabels('Trigger');
	await eventually(async () => (await labels.count()) === events.length);
	expect(new Set(await labels.allInnerTexts()).size).toBe(events.length);
	const cut = async () => {
		const measured = await Promise.all((await labels.all()).map(isCut));
		return (await labels.allInnerTexts()).filter((_, index) => measured[index]);
	};
	expect(await cut()).toEqual([]);
	// A long label is found to be cut.
	await labels.first().evaluate((label) => (label.textContent = 'cards.card_blocked_by_velocity'));
	expect(await cut()).toEqual(['cards.card_blocked_by_velocity']);
});

const isCut = async (label: Locator) =>
	await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

it('the editor previews the fields of a transfer before any money has moved', async () => {
	await openRow([START, transfer(), EDIT_FIELDS]);
	await editor.openNode('Edit Fields');
	const offered = editor.previewedFields();
	await offered.filter({ hasText: 'transaction_hash' }).waitFor();
	expect((await offered.allInnerTexts()).map((text) => text.trim())).toEqual(
		expect.arrayContaining([
			...['status', 'transaction_hash', 'wallet_id', 'to', 'token_address', 'amount'],
			...['payment_reference', 'idempotency_key', 'trace_id'],
		]),
	);
	expect(sent()).toEqual([]);
});

it('Execute step pressed twice pays once', async () => {
	await openRow([START, transfer()]);
	await editor.openNode('Transfer');
	await editor.execute();
	await editor.output().getByText('SUCCESS').waitFor();
	await editor.execute();
	await editor.output().getByText('ALREADY_SENT').first().waitFor();
	expect(await editor.output().innerText()).toContain(
		'accepted in an earlier execution, so nothing was sent',
	);
	expect(sent()).toHaveLength(1);
	expect(amounts()).toEqual(['12.50']);
});

it('a dry run shows the request and states that nothing was sent', async () => {
	await openRow([START, transfer({ options: { dryRun: true } })]);
	await editor.openNode('Transfer');
	await editor.execute();
	const shown = await editor.output().innerText();
	for (const field of ['dry_run', 'method', 'path', 'body', 'idempotency_key']) {
		expect(shown).toContain(field);
	}
	expect(shown).toContain('the requests are shown and nothing was sent.');
	expect(sent()).toEqual([]);
});

it('a batch that stops lists the outcome of its items by line', async () => {
	const wallets = [IDS.wallet, IDS.wallet, IDS.wallet, 'no-wallet'];
	const named = { walletId: '={{ $json.wallet }}', paymentReference: '={{ $json.name }}' };
	await openRow([START, transfer(named)], {
		Start: wallets.map((wallet, index) => ({ json: { wallet, name: `INV-${index}` } })),
	});
	await editor.openNode('Transfer');
	await editor.execute();
	const lines = (
		await editor.page.locator('[data-test-id="node-error-description"]').innerText()
	).split('\n');
	expect(lines.slice(1, 4)).toEqual([
		'Items 0 to 2 were accepted.',
		'Item 3 was rejected.',
		'(n8n counts items from 0.)',
	]);
	expect(sent()).toHaveLength(4);
});

it('a guard of a tool has no button that lets the model fill it in', async () => {
	const { type, ...tool } = transfer({ options: { dryRun: true } });
	const agent = {
		id: 'agent',
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 3,
		position: [0, 0],
		parameters: {},
	};
	await open([agent, { ...tool, type: `${type}Tool` }], {
		Transfer: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
	});
	await editor.openNode('Transfer');
	expect(await editor.fromAiButtons('amount').count()).toBe(1);
	expect(await editor.fromAiButtons('maximumAmount').count()).toBe(0);
	await editor.page.getByText('only with a Maximum Amount that you enter yourself').waitFor();
});

// triggerTestRuns.test.mts tests every event by the editor's requests.
it.each(['cards.authorization', 'company_activity.client_status'])(
	'Execute step on the trigger shows a sample of %s on its own output',
	async (event) => {
		const { id } = await createWorkflow(scenario.n8n, credential, {
			events: ['cards.cleared', event],
			testEvent: event,
		});
		await editor.openWorkflow(id);
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
