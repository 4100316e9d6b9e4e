import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n } from '../n8n/install.mts';
import { packPack, startN8n, type RunningN8n } from '../n8n/n8n.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY, IDS, startSimulator } from '../simulator/index.mts';
import { startBrowser } from './browser.mts';
import { Editor } from './editor.mts';

/** Makes the pictures in `docs/images/` anew, from the real editor. `npm run screenshots -- <part of a name>` makes some. */

const PROJECT = join(import.meta.dirname, '..', '..');
const IMAGES = join(PROJECT, 'docs', 'images');
const WORKFLOWS = join(PROJECT, 'docs', 'workflows');
const ACTION = { type: 'n8n-nodes-card-treasury.cardTreasury', typeVersion: 1 };
const TRIGGER = { type: 'n8n-nodes-card-treasury.cardTreasuryTrigger', typeVersion: 2 };

interface Studio {
	n8n: RunningN8n;
	editor: Editor;
	credentials: object;
}

/** A picture: sets the scene and gives what is to be seen; nothing = the canvas. */
const PICTURES: Record<string, (studio: Studio) => Promise<string | undefined>> = {
	'find-the-nodes': async (studio) => {
		const { editor } = studio;
		await openNodes(studio, [manual]);
		await editor.searchNodes('KYC');
		await editor.found().first().click();
		await editor.found().filter({ hasText: /^Freeze card$/ }).waitFor();
		return '[data-test-id="node-creator"]';
	},
	'transfer': async (studio) => {
		await openNodes(studio, [manual, action('Sweep to cold wallet', TRANSFER)]);
		await studio.editor.openNode('Sweep to cold wallet');
		const list = await studio.editor.openList('tokenAddress');
		await list.search('usdc');
		return '[data-test-id="ndv"]';
	},
	'submit-document': async (studio) => {
		await openNodes(studio, [manual, action('Submit document', { resource: 'productRequest', operation: 'submitDocument', clientId: IDS.client })]);
		await studio.editor.openNode('Submit document');
		const requests = await studio.editor.openList('productRequestId');
		await requests.pick(0);
		const types = await studio.editor.openList('documentType');
		await types.pick(0);
		await studio.editor.parameter('number').locator('input').fill('X1234567');
		return '[data-test-id="ndv"]';
	},
	'trigger-rules': async (studio) => {
		await openNodes(studio, [{ ...trigger(['cards.authorization', 'cards.card_blocked_by_velocity', 'treasury.transfer'], RULES) }]);
		await studio.editor.openNode('Card Treasury Trigger');
		return '[data-test-id="ndv"]';
	},
	'trigger-outputs': async (studio) => {
		const next = ['Log decision', 'Ask a person', 'Chase the client', 'Confirm the sweep'];
		const events = ['cards.authorization', 'cards.card_blocked_by_velocity', 'company_activity.client_status', 'treasury.transfer'];
		const nodes = next.map((name, index) => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {}, position: [420, index * 170 - 255] }));
		const wires = { 'Card Treasury Trigger': { main: next.map((node) => [{ node, type: 'main', index: 0 }]) } };
		await openNodes(studio, [trigger(events), ...nodes], wires);
		return undefined;
	},
};

const TRANSFER = { resource: 'wallet', operation: 'transfer', accountId: IDS.account, walletId: IDS.wallet, to: '0x52908400098527886E0F7030069857D2E4169EE7', amount: '1250.50', options: { maximumAmount: '5000' } };
const RULES = { rules: { rule: [{ name: 'Small purchases', amountTo: '250.00', currencies: 'USD', responseCode: '00' }] } };

const manual = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {}, position: [0, 0] };
const action = (name: string, parameters: object) => ({ name, ...ACTION, parameters, position: [240, 0] });
const trigger = (events: string[], more: object = {}) => ({ name: 'Card Treasury Trigger', ...TRIGGER, parameters: { events, ...more }, position: [0, 0], webhookId: 'card-treasury' });

async function openNodes({ n8n, editor, credentials }: Studio, nodes: Array<{ name: string; type: string }>, connections: object = {}): Promise<void> {
	const complete = nodes.map((node) => ({ id: node.name, ...node, ...(node.type.includes('card-treasury') ? { credentials } : {}) }));
	const wires = nodes.length === 2 && Object.keys(connections).length === 0 ? { Start: { main: [[{ node: nodes[1]!.name, type: 'main', index: 0 }]] } } : connections;
	const { id } = await n8n.rest('POST', '/rest/workflows', { name: 'Card Treasury', active: false, settings: {}, nodes: complete, connections: wires });
	await editor.openWorkflow(String(id));
}

/** Each workflow of the docs as it looks after the import, with the credential chosen. */
async function openWorkflow({ n8n, editor, credentials }: Studio, file: string): Promise<void> {
	const { name, nodes, connections, settings } = JSON.parse(readFileSync(join(WORKFLOWS, file), 'utf8')) as Record<string, any>;
	const complete = nodes.map((node: { type: string }) => (node.type.includes('card-treasury') ? { ...node, credentials } : node));
	const { id } = await n8n.rest('POST', '/rest/workflows', { name, active: false, settings: settings ?? {}, nodes: complete, connections });
	await editor.openWorkflow(String(id));
}

async function main(): Promise<void> {
	const wanted = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';
	const theme = process.argv.includes('--dark') ? 'dark' : 'light';
	const folder = theme === 'light' ? IMAGES : mkdtempSync(join(tmpdir(), 'card-treasury-dark-'));
	mkdirSync(folder, { recursive: true });
	const temporary = mkdtempSync(join(tmpdir(), 'card-treasury-pack-'));
	const simulator = await startSimulator();
	const browser = await startBrowser();
	let n8n: RunningN8n | undefined;
	try {
		n8n = await startN8n(await installN8n((line) => process.stdout.write(`${line}\n`)), await packPack(temporary));
		const { id } = await n8n.rest('POST', '/rest/credentials', {
			name: 'Card Treasury account', type: 'cardTreasuryApi',
			data: { environment: 'sandbox', baseUrl: simulator.url, apiKey: API_KEYS[3], webhookKey: DEFAULT_WEBHOOK_KEY, previousWebhookKey: '', allowedHttpRequestDomains: 'all' },
		});
		const credentials = { cardTreasuryApi: { id: String(id), name: 'Card Treasury account' } };
		const pictures = { ...PICTURES };
		for (const file of readdirSync(WORKFLOWS).filter((name) => name.endsWith('.json'))) {
			pictures[`workflow-${file.replace('.json', '')}`] = async (studio) => {
				await openWorkflow(studio, file);
				return undefined;
			};
		}
		for (const [name, compose] of Object.entries(pictures).filter(([each]) => each.includes(wanted))) {
			const editor = await Editor.open(browser, n8n, { theme, width: name.startsWith('workflow-') ? 1600 : 1280, scale: name.startsWith('workflow-') ? 1.5 : 1, height: name === 'trigger-rules' ? 1250 : 950 });
			const part = await compose({ n8n, editor, credentials });
			await editor.photograph(join(folder, `${name}.png`), part);
			await editor.close();
			process.stdout.write(`${join(folder, name)}.png\n`);
		}
	} finally {
		await browser.close();
		await n8n?.stop();
		await simulator.close();
		rmSync(temporary, { recursive: true, force: true });
	}
}

await main();
