import { N8N_VERSION } from '../../harness/n8n/install.mts';
import { RUNS } from '../../harness/workflows/everyWorkflow.mts';
import { startWorkflowHarness } from '../../harness/workflows/workflowHarness.mts';
import { DEFAULT_WEBHOOK_KEY } from '../../simulator/index.mts';
import { DEMOS } from './demo.mts';
import { labelOf, runOperation } from './operations.mts';
import { report, sayMail, sayMessage, type Outcome, type Say } from './report.mts';
import { welcome } from './welcome.mts';
import { bringUpWorkflows } from './workflows.mts';

/**
 * Starts the real n8n with the package and the workflows against the simulator, runs every operation, and leaves the
 * editor open.
 */
async function main(): Promise<number> {
	const once = process.argv.includes('--once');
	const say: Say = (line) => process.stdout.write(`${line}\n`);
	// The runs of the workflows take today's date in UTC.
	const timeZone = once ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
	say(`Building and packing the nodes, and starting n8n ${N8N_VERSION} with them installed …`);
	const harness = await startWorkflowHarness(
		{ GENERIC_TIMEZONE: timeZone },
		(message) => once || sayMessage(message, say),
		(mail) => once || sayMail(mail, say),
	);
	const { simulator, credentials } = harness;
	const { n8n } = harness.scenario;
	try {
		const operations = DEMOS.map((demo): [string, () => ReturnType<typeof runOperation>] => [
			labelOf(demo),
			async () => await runOperation(n8n, credentials.cardTreasuryApi!, demo),
		]);
		let failures = await report('Operation', 'First item', operations, say);
		// The workflows start with the documented state of the simulator, not with the one that the operations left.
		simulator.reset();

		say('\nImporting the workflows of docs/workflows …');
		const flows = await bringUpWorkflows(harness, timeZone);
		if (once) {
			const runs = RUNS.map(([name, run]): [string, () => Promise<Outcome>] => [
				name,
				async () => await run(harness, flows).then(() => ({ ok: true, text: '' })),
			]);
			failures += await report('Workflow', '', runs, say);
		}
		say(
			failures === 0
				? `\nEvery operation${once ? ' and workflow' : ''} ran.`
				: `\n${failures} failed: see FAILED above.`,
		);
		if (!once) {
			simulator.events.subscription = { url: flows.router.url, webhookKey: DEFAULT_WEBHOOK_KEY };
			for (const line of welcome(n8n.url, simulator.url, flows)) say(line);
			await new Promise<void>((resolve) => {
				process.once('SIGINT', resolve);
				process.once('SIGTERM', resolve);
			});
		}
		return failures === 0 ? 0 : 1;
	} finally {
		await harness.close();
	}
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
