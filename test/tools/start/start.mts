import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { OWNER } from '../../harness/n8n/n8n.mts';
import { openEveryWorkflow, RUNS } from '../../harness/workflows/everyWorkflow.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { bringUp, plannedAddress, runningAddress } from './bringUp.mts';
import { DEMOS } from './demo.mts';
import { labelOf, runOperation } from './operations.mts';
import { startProgress } from './progress.mts';
import { report, type Outcome, type Say } from './report.mts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '.demo');
const say: Say = (line) => process.stdout.write(`${line}\n`);

const USAGE = `npm start             starts n8n, the simulator and its console, until Ctrl-C
npm start -- --fresh  begins anew, without the workflows of earlier runs
npm start -- --once   runs every operation and workflow once`;

/** Starts the demo and shows its page until Ctrl-C. */
async function main(isFresh: boolean): Promise<number> {
	const running = await runningAddress(FOLDER);
	if (running) {
		say(`The demo is running already: ${running}. To start it anew, stop that one with Ctrl-C.`);
		return 1;
	}
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const progress = startProgress(process.stdout);
	const address = await plannedAddress(FOLDER);
	const at = address === undefined ? 'soon, at an address shown below' : `at ${address}`;
	say(`The console will open ${at} (Ctrl-C stops it; no real money moves).`);
	const { harness, isKept } = await bringUp(FOLDER, timeZone, progress.say, isFresh).finally(
		progress.end,
	);
	const { url } = harness.simulator;
	say(
		isKept
			? 'Your workflows of the last run are here. "npm start -- --fresh" begins anew.'
			: 'n8n keeps its workflows in .demo/ for the next run.',
	);
	say(`n8n: ${harness.scenario.n8n.url} (${OWNER.email} / ${OWNER.password})`);
	say(`\nConsole: ${url}\n`);
	openBrowser(url);
	try {
		await new Promise<void>((resolve) => {
			process.once('SIGINT', resolve);
			process.once('SIGTERM', resolve);
		});
		say('\nStopping. Your workflows are kept in .demo/.');
	} finally {
		await harness.close();
	}
	return 0;
}

/** Runs every operation and workflow once, in an n8n of its own, and reports failures by its exit code. */
async function runOnce(): Promise<number> {
	// The runs of the workflows take today's date in UTC.
	const harness = await startWorkflowHarness({ GENERIC_TIMEZONE: 'UTC' });
	try {
		const { n8n } = harness.scenario;
		const operations = DEMOS.map((demo): [string, () => Promise<Outcome>] => [
			labelOf(demo),
			async () => await runOperation(n8n, harness.credentials.cardTreasuryApi!, demo),
		]);
		let failures = await report('Operation', 'First item', operations, say);
		// The workflows start with the documented state of the simulator, not with the one that the operations left.
		harness.simulator.reset();
		const flows = await openEveryWorkflow(harness);
		const runs = RUNS.map(([name, run]): [string, () => Promise<Outcome>] => [
			name,
			async () => await run(harness, flows).then(() => ({ ok: true, text: '' })),
		]);
		failures += await report('Workflow', '', runs, say);
		say(
			failures === 0
				? '\nEvery operation and workflow ran.'
				: `\n${failures} failed: see FAILED above.`,
		);
		return failures === 0 ? 0 : 1;
	} finally {
		await harness.close();
	}
}

/** Opens the page where a person can see it. Without a browser, its address has been printed. */
function openBrowser(url: string): void {
	if (!process.stdout.isTTY || process.env.CI) return;
	const [command, ...args] =
		process.platform === 'darwin'
			? ['open']
			: process.platform === 'win32'
				? ['cmd', '/c', 'start', '']
				: ['xdg-open'];
	spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
		.on('error', () => undefined)
		.unref();
}

/** @returns the exit code */
async function run(options: string[]): Promise<number> {
	const unknown = options.find((option) => !['--fresh', '--once', '--help'].includes(option));
	if (unknown !== undefined || options.includes('--help')) {
		say(unknown === undefined ? USAGE : `Unknown option ${unknown}.\n\n${USAGE}`);
		return unknown === undefined ? 0 : 2;
	}
	return await (options.includes('--once') ? runOnce() : main(options.includes('--fresh')));
}

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
