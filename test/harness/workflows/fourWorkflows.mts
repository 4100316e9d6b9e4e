import lodash from 'lodash';

import { IDS, sampleEvent } from '../../simulator/index.mts';
import { RECIPIENT } from '../fixtures.mts';
import type { TriggerWorkflow } from '../n8n/scenario.mts';
import { readTable, writeTable } from './dataTables.mts';
import { runFrom } from './imported.mts';
import { withOptions, withParameters } from './workflowFiles.mts';
import { APPROVER, type WorkflowHarness } from './workflowHarness.mts';

/** The other three, with the router that hands the events over to them. */
interface Flows {
	router: TriggerWorkflow;
	velocity: TriggerWorkflow;
	kyc: TriggerWorkflow;
	sweep: TriggerWorkflow;
}

/** Runs each workflow of `docs/workflows` to its end. @throws Error that names the one that does not work */
export async function runTheFourWorkflows(harness: WorkflowHarness): Promise<void> {
	const velocity = await harness.open('card-blocked-by-velocity.json', (file) =>
		withParameters(file, 'Ask a person', { approvers: [APPROVER.id] }),
	);
	const kyc = await harness.open('kyc-follow-up.json');
	const sweep = await harness.open('treasury-sweep.json', (file) =>
		withOptions(file, 'Transfer', { allowedRecipients: RECIPIENT, dryRun: false }),
	);
	const router = await harness.openRouter({
		'Card blocked by velocity': velocity,
		'KYC follow-up': kyc,
		'Treasury sweep': sweep,
	});
	for (const run of [unblockACard, followUpAClient, sweepAWallet]) {
		harness.reset();
		await run(harness, { router, velocity, kyc, sweep }).catch((error: Error) => {
			throw new Error(`${run.name}: ${error.message}`, { cause: error });
		});
	}
	await harness.ended(router, 3);
}

/** Asks a person in Slack, and unblocks the card on a click. */
async function unblockACard(harness: WorkflowHarness, flows: Flows): Promise<void> {
	const { simulator } = harness;
	const data = { card_id: IDS.blockedCard };
	await harness.send(flows.router, sampleEvent('cards.card_blocked_by_velocity', { data }));
	const [question] = await harness.messages('#card-blocks', 1);
	expect(simulator.state.card(IDS.blockedCard).blocked).toEqual(true);
	// The router has ended: the person may take a day.
	expect((await harness.ended(flows.router, 1)).map(({ status }) => status)).toEqual(['success']);
	await harness.click(flows.velocity, question!, 'Unblock the card');
	await harness.messages('#card-blocks', 2);
	expect((await harness.ended(flows.velocity, 1)).map(({ status }) => status)).toEqual(['success']);
	expect(simulator.state.card(IDS.blockedCard).blocked).toEqual(false);
	const [decision] = await readTable(harness.scenario.n8n, 'Card velocity blocks');
	expect(decision?.decision).toEqual('unblocked');
}

/** Makes its tables, says once what is missing, and hands a rejection to a person. */
async function followUpAClient(harness: WorkflowHarness, flows: Flows): Promise<void> {
	const follow = async () => await told(harness, flows.kyc, 'Every weekday at 9:00');
	expectTold(await follow(), ['@kyc-officer *There are no clients to follow yet.*']);
	await writeTable(harness.scenario.n8n, 'KYC clients to follow', [
		{ client_id: IDS.client, name: 'Ana Souza' },
	]);
	expectTold(await follow(), ['#kyc *Still missing:* Ana Souza']);
	expectTold(await follow(), []);
	const rejected = sampleEvent('company_activity.client_status');
	const event = await harness.during(
		flows.kyc,
		async () => await harness.send(flows.router, rejected),
	);
	expectTold(event.told, ['@kyc-officer *Client rejected:* Ana Souza']);
}

/** Shows a dry run, sweeps once, moves nothing at a second run of the day, and takes the confirmation. */
async function sweepAWallet(harness: WorkflowHarness, flows: Flows): Promise<void> {
	const { n8n } = harness.scenario;
	const imported = await harness.open('treasury-sweep.json', (file) =>
		withOptions(file, 'Transfer', { allowedRecipients: RECIPIENT }),
	);
	const today = new Date().toISOString().slice(0, 10);
	const run = async (workflow = flows.sweep) => await told(harness, workflow, 'Every day at 18:00');
	const sent = () => harness.simulator.ledger.map(({ amountText }) => amountText);
	// What was told is sorted, and the line that counts is told last.
	const line = `#treasury *Sweep of ${today}:* `;
	expectTold(await run(), [`${line}the table "Treasury sweep wallets" has no wallets yet`]);
	await writeTable(n8n, 'Treasury sweep wallets', [
		{
			account_id: IDS.account,
			wallet_id: IDS.wallet,
			token_address: 'native',
			to: RECIPIENT,
			floor: '0.30',
			maximum: '5000',
			balance: '1000.10',
			ask_above: '',
			balance_day: today,
		},
	]);
	expectTold(await run(imported), [
		'#treasury *Dry run:* 999.8 of the native coin from wallet wal-0001',
		`${line}1 row looked at: 1 in a dry run.`,
	]);
	expect(sent()).toEqual([]);
	expectTold(await run(), [
		`${line}1 row looked at: 1 swept.`,
		'#treasury Swept 999.8 of the native coin from wallet wal-0001',
	]);
	expectTold(await run(), [`${line}1 row looked at: 1 already swept today.`]);
	expect(sent()).toEqual(['999.8']);

	const [entry] = await readTable(n8n, 'Treasury sweep log');
	const confirmation = sampleEvent('treasury.transfer', {
		data: { wallet_id: IDS.wallet, transaction_hash: entry!.transaction_hash },
	});
	const event = await harness.during(
		flows.sweep,
		async () => await harness.send(flows.router, confirmation),
	);
	expectTold(event.told, ['#treasury Confirmed: 999.8 of the native coin from wallet wal-0001']);
	expectTold(await run(), [`${line}1 row looked at: 1 already swept today.`]);
	expect(sent()).toEqual(['999.8']);
}

async function told(
	harness: WorkflowHarness,
	workflow: TriggerWorkflow,
	trigger: string,
): Promise<string[]> {
	const ran = await harness.during(
		workflow,
		async () => void (await runFrom(harness.scenario.n8n, workflow, trigger)),
	);
	expect(ran.status).toEqual('success');
	return ran.told;
}

function expectTold(found: string[], beginnings: string[]): void {
	expect(found).toEqual(
		beginnings.map((beginning) =>
			expect.stringMatching(new RegExp(`^${lodash.escapeRegExp(beginning)}`)),
		),
	);
}
