import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n, N8N_VERSION } from '../../harness/n8n/install.mts';
import { packPack, startN8n, type RunningN8n } from '../../harness/n8n/n8n.mts';
import { createCredential, simulatorKeys } from '../../harness/n8n/scenario.mts';
import { DEFAULT_WEBHOOK_KEY, startSimulator } from '../../simulator/index.mts';
import { SLACK_CREDENTIAL, startSlackStandIn } from '../../harness/slack/slackStandIn.mts';
import { smtpCredential, startSmtpStandIn } from '../../harness/smtp/smtpStandIn.mts';
import { DEMOS } from './demo.mts';
import { runOperation } from './operations.mts';
import { report, sayMail, sayMessage, type Say } from './report.mts';
import { welcome } from './welcome.mts';
import { bringUpWorkflows, runsOfWorkflows } from './workflows.mts';

/** Brings up the real n8n with the pack and the workflows against the simulator, runs every operation, and leaves the editor open. */
async function main(): Promise<number> {
	const once = process.argv.includes('--once');
	const say: Say = (line) => process.stdout.write(`${line}\n`);
	const installation = await installN8n(say);
	const temporary = mkdtempSync(join(tmpdir(), 'card-treasury-pack-'));
	const simulator = await startSimulator();
	const slack = await startSlackStandIn((message) => once || sayMessage(message, say));
	const smtp = await startSmtpStandIn((mail) => once || sayMail(mail, say));
	const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	let n8n: RunningN8n | undefined;
	try {
		say('Building and packing the nodes …');
		const tarball = await packPack(temporary);
		say(`Starting n8n ${N8N_VERSION} with the pack installed …`);
		n8n = await startN8n(installation, tarball, {
			env: { ...slack.env, GENERIC_TIMEZONE: timeZone },
		});
		const credentials = {
			cardTreasuryApi: await createCredential(n8n, simulatorKeys(simulator), {
				name: 'Card Treasury simulator',
			}),
			slackApi: await createCredential(n8n, SLACK_CREDENTIAL, {
				type: 'slackApi',
				name: 'Slack stand-in',
			}),
			smtp: await createCredential(n8n, smtpCredential(smtp), {
				type: 'smtp',
				name: 'Mail stand-in',
			}),
		};
		const { cardTreasuryApi } = credentials;
		const running = n8n;
		const operations = DEMOS.map((demo): [string, () => ReturnType<typeof runOperation>] => [
			`${demo.resource}: ${demo.operation}`,
			async () => await runOperation(running, cardTreasuryApi, demo),
		]);
		let failures = await report('Operation', 'First item', operations, say);
		// The workflows find the simulator as it is described, not as the operations have left it.
		simulator.reset();

		say('\nImporting the workflows of docs/workflows …');
		const flows = await bringUpWorkflows(n8n, credentials, timeZone);
		simulator.events.subscription = { url: flows.router.url, webhookKey: DEFAULT_WEBHOOK_KEY };
		if (once)
			failures += await report(
				'Workflow',
				'Outcome',
				runsOfWorkflows(n8n, { slack, smtp }, flows),
				say,
			);
		say(
			failures === 0
				? `\nEvery operation${once ? ' and workflow' : ''} ran.`
				: `\n${failures} failed: see FAILED above.`,
		);
		if (!once) {
			for (const line of welcome(n8n.url, simulator.url, flows)) say(line);
			await new Promise<void>((resolve) => {
				process.once('SIGINT', resolve);
				process.once('SIGTERM', resolve);
			});
		}
		return failures === 0 ? 0 : 1;
	} finally {
		await n8n?.stop();
		await simulator.close();
		await slack.close();
		await smtp.close();
		rmSync(temporary, { recursive: true, force: true });
	}
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
