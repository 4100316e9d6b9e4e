import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import lodash from 'lodash';

import { OWNER } from '../../harness/n8n/n8n.mts';
import { RUNS } from '../../harness/workflows/runCase.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { bringUp, runningAddress } from './bringUp.mts';
import { DEMOS, runOperation } from './operations.mts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '.demo');

async function main(isFresh: boolean): Promise<void> {
	const running = await runningAddress(FOLDER);
	if (running)
		throw new Error(
			`The demo is running already: ${running}. To start it anew, stop that one with Ctrl-C.`,
		);
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const { harness, isKept } = await bringUp(FOLDER, timeZone, console.log, {
		isFresh,
		onPage: (url) => console.log(`Console: ${url} (Ctrl-C stops it; no real money moves)`),
	});
	const { url } = harness.simulator;
	console.log(
		isKept
			? 'Everything of the last run is here. "npm start -- --fresh" begins anew.'
			: 'n8n and the service keep everything in .demo/ for the next run.',
	);
	console.log(`n8n: ${harness.scenario.n8n.url} (${OWNER.email} / ${OWNER.password})`);
	console.log(`\nReady: ${url}\n`);
	openBrowser(url);
	try {
		await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
		console.log('\nStopping. Everything is kept in .demo/.');
	} finally {
		await harness.close();
	}
}

/** Runs every operation and workflow once, in an n8n of its own. @throws if one of them fails */
async function runOnce(): Promise<void> {
	// The runs of the workflows take today's date in UTC.
	const harness = await startWorkflowHarness({ GENERIC_TIMEZONE: 'UTC' });
	let failures = 0;
	async function report(name: string, run: () => Promise<string>): Promise<void> {
		const began = Date.now();
		let failure: string | undefined;
		const text = await run().catch((error: unknown) => (failure = String(error)));
		if (failure !== undefined) failures += 1;
		const [end, length] =
			failure === undefined ? (['ok', 110] as const) : (['FAILED', 400] as const);
		const shown = lodash.truncate(text.replace(/\s*\n\s*/g, ' · '), { length, omission: '…' });
		const ms = String(Date.now() - began).padStart(6);
		console.log(`${name.padEnd(42)}${end.padEnd(8)}${ms} ms  ${shown}`);
	}
	try {
		const { n8n } = harness.scenario;
		console.log('\nOperations, each with its first item');
		const credential = harness.credentials.cardTreasuryApi!;
		for (const demo of DEMOS) {
			const name = `${demo.resource}: ${demo.operation}`;
			await report(name, async () => await runOperation(n8n, credential, demo));
		}
		// The workflows start with the documented state of the simulator, not with the one that the operations left.
		harness.simulator.reset();
		console.log('\nWorkflows');
		for (const [name, run] of RUNS)
			await report(name, async () => await run(harness).then(() => ''));
		if (failures > 0) throw new Error(`${failures} failed: see FAILED above.`);
		console.log('\nEvery operation and workflow ran.');
	} finally {
		await harness.close();
	}
}

/** Opens the page where a person can see it. Without a browser, its address has been printed. */
function openBrowser(url: string): void {
	if (!process.stdout.isTTY || process.env.CI) return;
	const programs: Partial<Record<NodeJS.Platform, string[]>> = {
		darwin: ['open'],
		win32: ['cmd', '/c', 'start', ''],
	};
	const [command = '', ...args] = programs[process.platform] ?? ['xdg-open'];
	spawn(command, [...args, url], { stdio: 'ignore', detached: true })
		.on('error', () => undefined)
		.unref();
}

try {
	const { values } = parseArgs({
		options: { fresh: { type: 'boolean', default: false }, once: { type: 'boolean' } },
	});
	await (values.once ? runOnce() : main(values.fresh));
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
