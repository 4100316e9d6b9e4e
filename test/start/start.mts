import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n, N8N_VERSION } from '../n8n/install.mts';
import { OWNER, packPack, startN8n, type RunningN8n } from '../n8n/n8n.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY, startSimulator } from '../simulator/index.mts';
import { DEMOS } from './demo.mts';

/** Brings up the real n8n with the pack against the simulator, runs every operation, and leaves the editor open. */
async function main(): Promise<number> {
	const once = process.argv.includes('--once');
	const say = (line: string) => process.stdout.write(`${line}\n`);
	const installation = await installN8n(say);
	const temporary = mkdtempSync(join(tmpdir(), 'card-treasury-pack-'));
	const simulator = await startSimulator();
	let n8n: RunningN8n | undefined;
	try {
		say('Building and packing the nodes …');
		const tarball = await packPack(temporary);
		say(`Starting n8n ${N8N_VERSION} with the pack installed …`);
		n8n = await startN8n(installation, tarball);
		const credential = await n8n.rest('POST', '/rest/credentials', {
			name: 'Card Treasury simulator',
			type: 'cardTreasuryApi',
			data: {
				environment: 'sandbox',
				baseUrl: simulator.url,
				apiKey: API_KEYS[3],
				webhookKey: DEFAULT_WEBHOOK_KEY,
				previousWebhookKey: '',
				allowedHttpRequestDomains: 'all',
			},
		});
		const failures = await runDemos(n8n, String(credential.id), say);
		say(failures === 0 ? '\nEvery operation ran.' : `\n${failures} operation(s) did not run.`);
		if (!once) {
			say(`\nEditor:    ${n8n.url}\nSign in:   ${OWNER.email} / ${OWNER.password}\nSimulator: ${simulator.url}\nStop with Ctrl-C.`);
			await new Promise<void>((resolve) => {
				process.once('SIGINT', resolve);
				process.once('SIGTERM', resolve);
			});
		}
		return failures === 0 ? 0 : 1;
	} finally {
		await n8n?.stop();
		await simulator.close();
		rmSync(temporary, { recursive: true, force: true });
	}
}

async function runDemos(n8n: RunningN8n, credentialId: string, say: (line: string) => void): Promise<number> {
	let failures = 0;
	say(`\n${'Operation'.padEnd(42)}${'Result'.padEnd(8)}${'ms'.padStart(6)}  First item`);
	for (const demo of DEMOS) {
		const name = `${demo.resource}: ${demo.operation}`;
		const began = Date.now();
		const { ok, text } = await runDemo(n8n, credentialId, demo).catch((error: unknown) => ({ ok: false, text: String(error) }));
		if (!ok) failures += 1;
		say(`${name.padEnd(42)}${(ok ? 'ok' : 'FAILED').padEnd(8)}${String(Date.now() - began).padStart(6)}  ${text.slice(0, ok ? 90 : 400)}`);
	}
	return failures;
}

/** A workflow of a webhook and the node; calling the webhook runs it and answers with its first item. */
async function runDemo(n8n: RunningN8n, credentialId: string, { resource, operation, parameters }: (typeof DEMOS)[number]) {
	const path = `demo-${resource}-${operation}`;
	const workflow = await n8n.rest('POST', '/rest/workflows', {
		name: `Demo: ${resource} ${operation}`,
		active: false,
		settings: {},
		nodes: [
			{
				id: 'a', name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], webhookId: path,
				parameters: { path, responseMode: 'lastNode', options: {} },
			},
			{
				id: 'b', name: 'Card Treasury', type: 'n8n-nodes-card-treasury.cardTreasury', typeVersion: 1, position: [240, 0],
				parameters: { resource, operation, ...parameters },
				credentials: { cardTreasuryApi: { id: credentialId, name: 'Card Treasury simulator' } },
			},
		],
		connections: { Webhook: { main: [[{ node: 'Card Treasury', type: 'main', index: 0 }]] } },
	});
	await n8n.rest('POST', `/rest/workflows/${String(workflow.id)}/activate`, { versionId: workflow.versionId });
	// n8n registers the webhook a moment after it reports the workflow active.
	for (let tries = 1; ; tries++) {
		const answer = await fetch(`${n8n.url}/webhook/${path}`);
		const text = await answer.text();
		if (answer.status !== 404 || tries >= 20) return { ok: answer.status === 200, text };
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
