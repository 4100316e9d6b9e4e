import { IDS, sampleEvent } from '../../simulator/index.mts';
import { IMAGE } from '../../tools/start/operations.mts';
import { RECIPIENT } from '../fixtures.mts';
import { eventually, type TriggerWorkflow } from '../n8n/scenario.mts';
import { readTable, writeTable } from './dataTables.mts';
import { lastPage, openForm, readPage, sendPage } from './form.mts';
import { runFrom } from './imported.mts';
import { withOptions, withParameters, type WorkflowFile } from './workflowFiles.mts';
import { APPROVER, type WorkflowHarness } from './workflowHarness.mts';

export const MONDAY = 'Every Monday at 9:00';
export const ANA = { client_id: IDS.client, name: 'Ana Souza', email: 'ana.souza@example.com' };

interface Flows {
	router: TriggerWorkflow;
	card: TriggerWorkflow;
	reminders: TriggerWorkflow;
	sweep: TriggerWorkflow;
	approval: TriggerWorkflow;
}

/** Runs each workflow of `docs/workflows` to its end. @throws Error that names the failing one */
export async function runEveryWorkflow(harness: WorkflowHarness): Promise<void> {
	const card = await harness.open('card-blocked-by-velocity.json', (file) =>
		withParameters(file, 'Ask in Slack', { approvers: [APPROVER.id] }),
	);
	const router = await harness.openRouter({
		'Card blocked by velocity': card,
		'Treasury confirmations': await harness.open('treasury-confirmations.json'),
		'KYC status changed': await harness.open('kyc-status-changed.json'),
	});
	await harness.open('kyc-upload.json');
	const reminders = await harness.open('kyc-reminders.json');
	const live = (file: WorkflowFile) =>
		withOptions(file, 'Transfer', { allowedRecipients: RECIPIENT, dryRun: false });
	const sweep = await harness.open('treasury-sweep.json', live);
	const approval = await harness.open('treasury-sweep-with-approval.json', (file) =>
		withParameters(live(file), 'Ask', { approvers: [APPROVER.id] }),
	);
	for (const run of [
		unblockACard,
		remindAClient,
		tellAStatus,
		confirmASweep,
		sweepAWallet,
		sweepWithApproval,
	]) {
		harness.reset();
		await run(harness, { router, card, reminders, sweep, approval }).catch((error: Error) => {
			throw new Error(`${run.name}: ${error.message}`, { cause: error });
		});
	}
	await harness.ended(router, 3);
}

/** Asks a person in Slack and unblocks the card after a click. */
async function unblockACard(harness: WorkflowHarness, { router, card }: Flows): Promise<void> {
	const { simulator } = harness;
	const data = { card_id: IDS.blockedCard };
	await harness.send(router, sampleEvent('cards.card_blocked_by_velocity', { data }));
	const [question] = await harness.messages('#card-blocks', 1);
	expect(simulator.state.card(IDS.blockedCard).blocked).toEqual(true);
	// The router has ended, because the person may take a day.
	expect((await harness.ended(router, 1)).map(({ status }) => status)).toEqual(['success']);
	await harness.click(card, question!, 'Unblock the card');
	const [, outcome] = await harness.messages('#card-blocks', 2);
	expect(outcome!.text).toContain('*Unblocked:*');
	expect(simulator.state.card(IDS.blockedCard).blocked).toEqual(false);
}

/** Mails the missing documents; the client uploads one by the link, and it is submitted. */
async function remindAClient(harness: WorkflowHarness, { reminders }: Flows): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, 'KYC clients', [{ ...ANA, type: '', link: '', link_until: '' }]);
	await runFrom(n8n, reminders, MONDAY);
	expect((await harness.ended(reminders, 1)).at(-1)!.status).toEqual('success');
	expect(harness.smtp.mails.map(({ to }) => to)).toEqual([ANA.email]);
	const page = await openForm(n8n.url, linkIn(harness.smtp.mails[0]!.text));
	await readPage(page, 'Which document do you send?');
	await sendPage(page, ['Passport']);
	await readPage(page, 'Front image');
	await sendPage(page, [image(), '', 'No', 'X1234567']);
	await lastPage(page, 'Thank you. It has been sent.');
	expect(harness.simulator.ledger.map(({ operation }) => operation)).toEqual([
		'productRequest.submitDocument',
	]);
	const [, told] = await harness.messages('#kyc', 2);
	expect(told!.text).toContain('*Document of Ana Souza');
}

export const linkIn = (mail: string) => /http\S+\/form\/kyc-document\?link=\S+/.exec(mail)![0];

export const image = (marker = '') =>
	new File([Buffer.concat([Buffer.from(IMAGE, 'base64'), Buffer.from(marker)])], 'passport.png', {
		type: 'image/png',
	});

/** Writes to the officer at the address from the table. */
async function tellAStatus(harness: WorkflowHarness, { router }: Flows): Promise<void> {
	await harness.send(router, sampleEvent('company_activity.client_status'));
	const [told] = await harness.messages('#kyc', 1);
	expect(told!.text).toContain('*Client rejected:*');
}

/** Confirms a sweep by the event of its transfer. */
async function confirmASweep(harness: WorkflowHarness, { router }: Flows): Promise<void> {
	const event = sampleEvent('treasury.transfer');
	const { wallet_id, transaction_hash } = event.data as Record<string, string>;
	await writeTable(harness.scenario.n8n, 'Treasury sweeps', [
		sweepRow({ wallet_id: wallet_id!, transaction_hash: transaction_hash! }),
	]);
	await harness.send(router, event);
	await eventually(async () => {
		const [row] = await readTable(harness.scenario.n8n, 'Treasury sweeps');
		return row?.confirmation === 'success';
	});
}

/** Sends what a wallet holds above its floor. */
async function sweepAWallet(harness: WorkflowHarness, { sweep }: Flows): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, 'Treasury wallets', [walletRow(IDS.wallet, '1000.10')]);
	await runFrom(n8n, sweep, 'Every day at 18:00');
	expect((await harness.ended(sweep, 1)).at(-1)!.status).toEqual('success');
	const [told] = await harness.messages('#treasury', 1);
	expect(told!.text).toContain(`• ${IDS.wallet}: swept 999.8`);
	expect(harness.simulator.ledger.map(({ amountText }) => amountText)).toEqual(['999.8']);
}

/** Asks first, and sends what the question showed. */
async function sweepWithApproval(harness: WorkflowHarness, { approval }: Flows): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, 'Wallets to sweep with approval', [walletRow(IDS.secondWallet, '2500.30')]);
	await runFrom(n8n, approval, 'Every day at 17:00');
	const [question] = await harness.messages('#treasury-approvals', 1);
	expect(harness.simulator.ledger).toEqual([]);
	await harness.click(approval, question!, 'Send');
	const [told] = await harness.messages('#treasury', 1);
	expect(told!.text).toContain(`• ${IDS.secondWallet}: SUCCESS 2500`);
	expect(harness.simulator.ledger.map(({ amountText }) => amountText)).toEqual(['2500']);
}

/** Row of the table of wallets, with a balance of today. */
export const walletRow = (wallet_id: string, balance: string) => ({
	account_id: IDS.account,
	wallet_id,
	token_address: 'native',
	to: RECIPIENT,
	floor: '0.30',
	balance,
	balance_day: new Date().toISOString().slice(0, 10),
});

/** Row of the log, as a sweep writes it. */
export const sweepRow = (differences: Record<string, string> = {}) => ({
	day: new Date().toISOString().slice(0, 10),
	wallet_id: IDS.wallet,
	token_address: 'native',
	to: '0x1111111111111111111111111111111111111111',
	amount: '1.5',
	outcome: 'swept',
	note: '',
	decided_by: '',
	transaction_hash: '',
	trace_id: '',
	confirmation: 'awaited',
	...differences,
});
