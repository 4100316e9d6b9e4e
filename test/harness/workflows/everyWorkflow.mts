import assert from 'node:assert/strict';
import lodash from 'lodash';

import { IDS, sampleEvent } from '../../simulator/index.mts';
import { IMAGE } from '../../tools/start/operations.mts';
import { RECIPIENT } from '../fixtures.mts';
import { eventually } from '../n8n/scenario.mts';
import { readTable, writeTable } from './dataTables.mts';
import { lastPage, openForm, readPage, sendPage } from './form.mts';
import { runFrom } from './imported.mts';
import { withOptions, withParameters, withWorkflows, type WorkflowFile } from './workflowFiles.mts';
import { APPROVER, type WorkflowHarness } from './workflowHarness.mts';

export const ANA = { client_id: IDS.client, name: 'Ana Souza', email: 'ana.souza@example.com' };

export type EveryWorkflow = Awaited<ReturnType<typeof openEveryWorkflow>>;

/**
 * Opens each workflow of `docs/workflows`, set up for the simulator.
 * @param asks parameters of the nodes that ask in Slack
 * @param change of each file
 */
export async function openEveryWorkflow(
	harness: WorkflowHarness,
	asks: object = { approvers: [APPROVER.id] },
	change = (file: WorkflowFile) => file,
) {
	const open = async (name: string, fillIn = (file: WorkflowFile) => file) =>
		await harness.open(name, (file) => change(fillIn(file)));
	/** Takes the last steps of the note: allows the recipient and turns *Dry Run* off. */
	const live = (file: WorkflowFile) =>
		withOptions(file, 'Transfer', { allowedRecipients: RECIPIENT, dryRun: false });

	const card = await open('card-blocked-by-velocity.json', (file) =>
		withParameters(file, 'Ask in Slack', asks),
	);
	const confirmations = await open('treasury-confirmations.json');
	const sweep = await open('treasury-sweep.json', live);
	const approval = await open('treasury-sweep-with-approval.json', (file) =>
		withParameters(live(file), 'Ask', asks),
	);
	const invoices = await open('pay-invoices.json', (file) =>
		withParameters(withOptions(live(file), 'Check', { allowedRecipients: RECIPIENT }), 'Ask', asks),
	);
	const status = await open('kyc-status-changed.json');
	const upload = await open('kyc-upload.json');
	const form = `${harness.scenario.n8n.url}/form/kyc-document`;
	const reminders = await open('kyc-reminders.json', (file) =>
		withParameters(file, 'Upload form', { url: form }),
	);
	const router = await open('event-router.json', (file) =>
		withWorkflows(file, {
			'Card blocked by velocity': card,
			'Treasury confirmations': confirmations,
			'KYC status changed': status,
		}),
	);
	return { card, sweep, approval, invoices, confirmations, reminders, upload, status, router };
}

/** Runs each workflow of `docs/workflows` to its end. @throws Error that names the failing one */
export async function runEveryWorkflow(harness: WorkflowHarness): Promise<void> {
	const flows = await openEveryWorkflow(harness);
	for (const [name, run] of RUNS)
		await run(harness, flows).catch((error: Error) => {
			throw new Error(`${name}: ${error.message}`, { cause: error });
		});
	await harness.ended(flows.router, 3);
}

/** Runs of the workflows, each from a reset harness. */
export const RUNS = Object.entries({
	'Card blocked by velocity': unblockACard,
	'KYC reminders and upload': remindAClient,
	'KYC status changed': tellAStatus,
	'Treasury confirmations': confirmAPayment,
	'Treasury sweep': sweepAWallet,
	'Treasury sweep with approval': sweepWithApproval,
	'Pay invoices from a table': payAnInvoice,
}).map(([name, run]): [name: string, run: typeof unblockACard] => [
	name,
	async (harness, flows) => {
		harness.reset();
		await run(harness, flows);
	},
]);

/** Asks a person in Slack and unblocks the card after a click. */
async function unblockACard(
	harness: WorkflowHarness,
	{ router, card }: EveryWorkflow,
): Promise<void> {
	const { simulator } = harness;
	const data = { card_id: IDS.blockedCard };
	await harness.send(router, sampleEvent('cards.card_blocked_by_velocity', { data }));
	const [question] = await harness.messages('#card-blocks', 1);
	assert.equal(simulator.state.card(IDS.blockedCard).blocked, true);
	// The router has ended, because the person may take a day.
	assert.equal((await harness.ended(router, 1)).at(-1)!.status, 'success');
	await harness.click(card, question!, 'Unblock the card');
	const [, outcome] = await harness.messages('#card-blocks', 2);
	assert.ok(outcome!.text.includes('Sent: '), outcome!.text);
	assert.equal(simulator.state.card(IDS.blockedCard).blocked, false);
}

/** Mails the missing documents; the client uploads one by the link, and it is submitted. */
async function remindAClient(
	harness: WorkflowHarness,
	{ reminders }: EveryWorkflow,
): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, 'KYC clients', [{ ...ANA, type: '', link: '', link_until: null }]);
	await runFrom(n8n, reminders, 'Every Monday at 9:00');
	assert.equal((await harness.ended(reminders, 1)).at(-1)!.status, 'success');
	assert.deepEqual(lodash.map(harness.smtp.mails, 'to'), [ANA.email]);
	const page = await openForm(n8n.url, linkIn(harness.smtp.mails[0]!.text));
	await readPage(page, 'Which document do you send?');
	await sendPage(page, ['Passport']);
	await readPage(page, 'Passport');
	await sendPage(page, ['X1234567']);
	await readPage(page, 'Front image');
	await sendPage(page, [image(), '', 'No']);
	await lastPage(page, 'We have your document. Still missing: Proof of address');
	assert.deepEqual(lodash.map(harness.simulator.ledger, 'operation'), [
		'productRequest.submitDocument',
	]);
	const [, told] = await harness.messages('#kyc', 2);
	assert.ok(told!.text.startsWith('*KYC document*\nSent: '), told!.text);
}

const linkIn = (mail: string) => /http\S+\/form\/kyc-document\?link=\S+/.exec(mail)![0];

export const image = (marker = '') =>
	new File([Buffer.concat([Buffer.from(IMAGE, 'base64'), Buffer.from(marker)])], 'passport.png', {
		type: 'image/png',
	});

/** Tells the officer. */
async function tellAStatus(harness: WorkflowHarness, { router }: EveryWorkflow): Promise<void> {
	await harness.send(router, sampleEvent('company_activity.client_status'));
	const [told] = await harness.messages('#kyc', 1);
	assert.ok(told!.text.includes('is rejected'), told!.text);
}

/** Confirms a payment by the event of its transfer. */
async function confirmAPayment(harness: WorkflowHarness, { router }: EveryWorkflow): Promise<void> {
	const event = sampleEvent('treasury.transfer');
	const { wallet_id, transaction_hash } = event.data as Record<string, string>;
	const payments = [paymentRow({ wallet_id, transaction_hash })];
	await writeTable(harness.scenario.n8n, PAYMENTS, payments);
	await harness.send(router, event);
	await eventually(async () => {
		const [row] = await readTable(harness.scenario.n8n, PAYMENTS);
		return row?.confirmation === 'success';
	});
}

/** Pays what is due, after a click. */
async function payAnInvoice(harness: WorkflowHarness, { invoices }: EveryWorkflow): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, PAYMENTS, [invoiceRow('INV-1', 12.5)]);
	await runFrom(n8n, invoices, 'Every morning at 9:00');
	const [question] = await harness.messages('#treasury-approvals', 1);
	assert.deepEqual(harness.simulator.ledger, []);
	await harness.click(invoices, question!, 'Pay them');
	const [told] = await harness.messages('#treasury', 1);
	assert.ok(told!.text.includes('Sent: INV-1, 12.5'), told!.text);
	assert.deepEqual(lodash.map(harness.simulator.ledger, 'amountText'), ['12.5']);
}

/** Sends what a wallet holds above its floor. */
async function sweepAWallet(harness: WorkflowHarness, { sweep }: EveryWorkflow): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, 'Treasury wallets', [walletRow(IDS.wallet, '1000.10')]);
	await runFrom(n8n, sweep, 'Every day at 18:00');
	assert.equal((await harness.ended(sweep, 1)).at(-1)!.status, 'success');
	const [told] = await harness.messages('#treasury', 1);
	assert.match(told!.text, /^Sent: .*999\.8 /m);
	assert.deepEqual(lodash.map(harness.simulator.ledger, 'amountText'), ['999.8']);
}

/** Asks first, and sends what the question showed. */
async function sweepWithApproval(
	harness: WorkflowHarness,
	{ approval }: EveryWorkflow,
): Promise<void> {
	const { n8n } = harness.scenario;
	await writeTable(n8n, PAYMENTS, []);
	await writeTable(n8n, 'Wallets to sweep with approval', [walletRow(IDS.secondWallet, '2500.30')]);
	await runFrom(n8n, approval, 'Every day at 17:00');
	const [question] = await harness.messages('#treasury-approvals', 1);
	assert.deepEqual(harness.simulator.ledger, []);
	await harness.click(approval, question!, 'Send');
	const [told] = await harness.messages('#treasury', 1);
	assert.match(told!.text, /^Sent: .*2500 /m);
	assert.deepEqual(lodash.map(harness.simulator.ledger, 'amountText'), ['2500']);
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

/** Table of all payments, made by *Treasury confirmations*. */
export const PAYMENTS = 'Treasury payments';

/** Row of a payment, as a workflow writes it. */
export const paymentRow = (differences: object = {}) => ({
	reference: 'INV-7',
	day: '2026-01-01',
	wallet_id: IDS.wallet,
	token_address: 'native',
	to: '0x1111111111111111111111111111111111111111',
	amount: 1.5,
	outcome: 'done',
	summary: 'Sent: INV-7',
	...differences,
});

/** Row of an invoice, as a user writes it. */
export const invoiceRow = (reference: string, amount: number, differences: object = {}) => ({
	reference,
	due_day: '2026-01-01',
	account_id: IDS.account,
	wallet_id: IDS.wallet,
	token_address: 'native',
	to: RECIPIENT,
	amount,
	...differences,
});
