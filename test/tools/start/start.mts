import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { OWNER } from '../../harness/n8n/n8n.mts';
import { openEveryWorkflow, RUNS } from '../../harness/workflows/everyWorkflow.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { bringUp } from './bringUp.mts';
import { DEMOS } from './demo.mts';
import { labelOf, runOperation } from './operations.mts';
import { startProgress } from './progress.mts';
import { report, type Outcome, type Say } from './report.mts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '.demo');
const say: Say = (line) => process.stdout.write(`${line}\n`);

/** Starts the demo and shows its page until Ctrl-C. */
async function main(): Promise<number> {
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const progress = startProgress(process.stdout);
	// On a first run the page appears at this address, unless another program uses it.
	say('The console will open at http://127.0.0.1:4010 (Ctrl-C stops it; no real money moves).');
	const isFresh = process.argv.includes('--fresh');
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

process.exitCode = await (process.argv.includes('--once') ? runOnce() : main()).catch(
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		return 1;
	},
);
