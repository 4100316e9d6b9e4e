import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { OWNER } from '../../harness/n8n/n8n.mts';
import { RUNS } from '../../harness/workflows/runCase.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { bringUp, runningAddress } from './bringUp.mts';
import { DEMOS } from './demo.mts';
import { runOperation } from './operations.mts';
import { showProgress } from './progress.mts';
import { report, type Outcome, type Say } from './report.mts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '.demo');
const say: Say = (line) => process.stdout.write(`${line}\n`);

const USAGE = `npm start             starts n8n, the simulator and its console, until Ctrl-C
npm start -- --fresh  begins anew, without what earlier runs have left
npm start -- --once   runs every operation and workflow once`;

/** Starts the demo and shows its page until Ctrl-C. */
async function main(isFresh: boolean): Promise<number> {
	const running = await runningAddress(FOLDER);
	if (running) {
		say(`The demo is running already: ${running}. To start it anew, stop that one with Ctrl-C.`);
		return 1;
	}
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const progress = showProgress(process.stdout);
	const { harness, isKept } = await bringUp(FOLDER, timeZone, progress.say, {
		isFresh,
		onPage: (url) => say(`Console: ${url} (Ctrl-C stops it; no real money moves)`),
	}).finally(progress.end);
	const { url } = harness.simulator;
	say(
		isKept
			? 'Everything of the last run is here. "npm start -- --fresh" begins anew.'
			: 'n8n and the service keep everything in .demo/ for the next run.',
	);
	say(`n8n: ${harness.scenario.n8n.url} (${OWNER.email} / ${OWNER.password})`);
	say(`\nReady: ${url}\n`);
	openBrowser(url);
	try {
		await new Promise<void>((resolve) => {
			for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
		});
		say('\nStopping. Everything is kept in .demo/.');
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
		const credential = harness.credentials.cardTreasuryApi!;
		const operations = DEMOS.map((demo): [string, () => Promise<Outcome>] => [
			`${demo.resource}: ${demo.operation}`,
			async () => await runOperation(n8n, credential, demo),
		]);
		let failures = await report('Operations, each with its first item', operations, say);
		// The workflows start with the documented state of the simulator, not with the one that the operations left.
		harness.simulator.reset();
		const runs = RUNS.map(([name, run]): [string, () => Promise<Outcome>] => [
			name,
			async () => await run(harness).then(() => ({ ok: true, text: '' })),
		]);
		failures += await report('Workflows', runs, say);
		say(
			failures ? `\n${failures} failed: see FAILED above.` : '\nEvery operation and workflow ran.',
		);
		return failures === 0 ? 0 : 1;
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
