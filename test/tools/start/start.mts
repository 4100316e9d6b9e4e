import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n, N8N_VERSION } from '../../harness/n8n/install.mts';
import { OWNER, packPack, startN8n, type RunningN8n } from '../../harness/n8n/n8n.mts';
import { createCredential, simulatorKeys } from '../../harness/n8n/scenario.mts';
import {
	DEFAULT_WEBHOOK_KEY,
	IDS,
	startSimulator,
	type Simulator,
} from '../../simulator/index.mts';
import { SLACK_CREDENTIAL, startSlackStandIn } from '../../harness/slack/slackStandIn.mts';
import { DEMOS } from './demo.mts';
import { runOperation } from './operations.mts';
import { report, sayMessage, type Say } from './report.mts';
import { bringUpWorkflows, runsOfWorkflows, type BroughtUp } from './workflows.mts';

/** Brings up the real n8n with the pack and the workflows against the simulator, runs every operation, and leaves the editor open. */
async function main(): Promise<number> {
	const once = process.argv.includes('--once');
	const say: Say = (line) => process.stdout.write(`${line}\n`);
	const installation = await installN8n(say);
	const temporary = mkdtempSync(join(tmpdir(), 'card-treasury-pack-'));
	const simulator = await startSimulator();
	const slack = await startSlackStandIn((message) => once || sayMessage(message, say));
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
				'What came of it',
				runsOfWorkflows(n8n, slack, flows),
				say,
			);
		say(
			failures === 0
				? `\nEvery operation${once ? ' and workflow' : ''} ran.`
				: `\n${failures} of them did not run.`,
		);
		if (!once) {
			for (const line of welcome(n8n, simulator, flows)) say(line);
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
		rmSync(temporary, { recursive: true, force: true });
	}
}

function welcome({ url }: RunningN8n, simulator: Simulator, flows: BroughtUp): string[] {
	const editor = ({ id }: { id: string }) => `${url}/workflow/${id}`;
	const emit = `npm run simulator -- emit cards.card_blocked_by_velocity --to ${flows.router.url} --set data.card_id=${IDS.blockedCard}`;
	return [
		'',
		`Editor:     ${url}`,
		`Sign in:    ${OWNER.email} / ${OWNER.password}`,
		`Simulator:  ${simulator.url}`,
		'',
		'Workflows',
		`  KYC follow-up             ${editor(flows.kyc)}`,
		`  Card blocked by velocity  ${editor(flows.velocity)}`,
		`  Scheduled treasury sweep  ${editor(flows.sweep)}`,
		`  Event router              ${editor(flows.router)}`,
		'',
		'Try it: let a velocity rule block a card. In a second terminal, in this folder:',
		'',
		`  ${emit}`,
		'',
		'The message that would be in Slack appears here. Open one of its links in a browser to decide (from anything else',
		'n8n takes it for a preview of the link); run the command again for the note on a second block within a day.',
		'The other two: open the workflow, click the arrow next to Execute workflow and choose its schedule (from Every …).',
		'',
		'Stop with Ctrl-C.',
	];
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	return 1;
});
