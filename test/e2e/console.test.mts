import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';

import { startBrowser } from '../harness/editor/browser.mts';
import { transferOf } from '../harness/fixtures.mts';
import { endedExecutions, eventually, retryExecution } from '../harness/n8n/executions.mts';
import { cardTreasury } from '../harness/n8n/nodes.mts';
import { CLOSE_MS, STARTUP_MS } from '../harness/n8n/useN8n.mts';
import { createWorkflow, publish, publishChain, startChain } from '../harness/n8n/workflows.mts';
import { waits } from '../harness/workflows/decision.mts';
import { readWorkflow, WORKFLOW_FILES } from '../harness/workflows/workflowFiles.mts';
import { IDS } from '../simulator/index.mts';
import { bringUp, runningAddress, type Demo } from '../tools/start/bringUp.mts';

let folder: string;
let demo: Demo;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'card-treasury-console-'));
	browser = await startBrowser();
	page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
	// A step of a person waits for n8n.
	page.context().setDefaultTimeout(45_000);
	let address = '';
	const starting = bringUp(folder, 'UTC', () => undefined, { onPage: (url) => (address = url) });
	await Promise.race([eventually(async () => address), starting]);
	await page.goto(`${address}#events`);
	await page.locator('#notice').getByText('n8n is starting').waitFor();
	demo = await starting;
	await page.getByRole('link', { name: 'Open n8n' }).waitFor();
}, STARTUP_MS);
afterAll(async () => {
	await browser?.close();
	await demo?.harness.close();
	rmSync(folder, { recursive: true, force: true });
}, CLOSE_MS);

const open = async (tab: string) =>
	await page.getByRole('navigation').getByRole('link', { name: tab }).click();
const press = async (name: string, place: Page | Locator = page) =>
	await place.getByRole('button', { name, exact: true }).click();
const row = (table: string, text: string | RegExp) =>
	page.getByRole('region', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });
const message = (text: string | RegExp) =>
	page.getByRole('article', { name: /^Message/ }).filter({ hasText: text });
const question = () =>
	message('#card-blocks')
		.filter({ has: page.getByRole('button') })
		.first();
/** Waits until a step shows a text. */
const shows = async (title: string, text: string | RegExp) =>
	await step(title).getByText(text, { exact: true }).waitFor();
/** Switches a trouble on by keyboard, which stays on the switch, and off by its title. */
const toggle = async (name: string, checked: boolean) => {
	await open('Trouble');
	if (checked) await page.getByRole('switch', { name }).press('Space');
	else await page.getByText(name, { exact: true }).last().click();
	await page.getByRole('switch', { name, checked }).waitFor();
	await page.locator('[role=switch]:focus').waitFor();
	await page.locator('#badge-trouble').waitFor({ state: checked ? 'visible' : 'hidden' });
};

describe('first steps', () => {
	it('a blocked card is not unblocked by a stranger, and is by the second approver', async () => {
		await open('First steps');
		await press('Block the card');
		await open('Money and cards');
		await row('Cards', '4001').getByText('BLOCKED').waitFor();
		await open('Inbox');
		await waits(demo.harness.scenario.n8n, demo.flows.card);
		await page.getByLabel('Act as').selectOption({ label: 'mallory' });
		await press('Unblock the card', question());
		await message('Only to mallory').waitFor();
		await page.getByRole('alert').getByText('only to mallory: You are not authorized').waitFor();
		expect(demo.harness.simulator.state.card(IDS.activeCard).blocked).toBe(true);
		await page.getByLabel('Act as').selectOption({ label: 'ben' });
		await press('Unblock the card', question());
		await message('Approved by @ben').filter({ hasText: 'card ca4d' }).waitFor();
		// The button is gone, and the keyboard stays in the list.
		await page.locator('#messages:focus').waitFor();
		await open('Money and cards');
		await row('Cards', '4001').getByText('ACTIVE').waitFor();
		await open('First steps');
		await shows('You are asked', 'Answered: unblock, by ben');
		await shows('Unblocked', 'Unblocked');
		const execution = step('Unblocked').getByRole('link', { name: /^Open execution \d+ / });
		expect(await execution.getAttribute('href')).toContain(`/workflow/${demo.flows.card.id}/`);
	});

	it('a sweep that runs twice pays once, and *Money* shows its reference', async () => {
		await open('First steps');
		for (let runs = 1; runs <= 2; runs++) {
			await press('Run the sweep');
			await shows('A treasury sweep', `Run ${runs} ×, money moved 1 ×`);
			await endedExecutions(demo.harness.scenario.n8n, demo.flows.sweep, runs);
		}
		await open('Money and cards');
		const payment = row('Payments', '800');
		await payment.getByText('SUCCESS').waitFor();
		await payment.getByText(/^sweep \d{4}-\d\d-\d\d wal-0001 0x/).waitFor();
		expect(await payment.getByRole('cell', { name: '1 ×' }).count()).toBe(2);
		await row('Table of payments', 'sweep ').getByText('done').waitFor();
	});

	it('a service that is down shows in the step, and its notice on every tab', async () => {
		await toggle('The service is down', true);
		await open('First steps');
		await page.locator('#notice').getByText('The service is down').waitFor();
		await press('Send the reminders');
		await shows('A KYC reminder', 'No reminder was sent: see the execution');
		await toggle('The service is down', false);
		await open('First steps');
		await press('Send the reminders');
		await shows('A KYC reminder', /^\d+ emails? sent$/);
		await open('Inbox');
		const mail = page.getByRole('article', { name: /Email to ana/ }).first();
		const popup = page.context().waitForEvent('page');
		await mail.getByRole('link').first().click();
		const form = await popup;
		await form.getByRole('button', { name: 'Go on' }).waitFor();
		await form.close();
	});

	it('the page lists the shipped workflows', async () => {
		await open('First steps');
		const links = page.getByRole('region', { name: 'Workflows' }).getByRole('link');
		expect(await links.allInnerTexts()).toEqual(
			WORKFLOW_FILES.map((file) => readWorkflow(file).name).concat('Event router: alarms'),
		);
	});
});

describe('events', () => {
	it.each([
		['Books 52.35', 'Coffee & Books, 52.35 USD', /asked approved, the workflow was asked by the/],
		['Casino 80', 'Lucky Casino, 80.00 USD', /declined \(05\) by the rule .Never here. in/],
		['Laptop 480', 'Laptop Store, 480.00 USD', /declined \(05\) by the default decision/],
	])('%s shows its decision, the rule and the milliseconds', async (example, about, result) => {
		await open('Events');
		await press(example);
		const shown = row('Deliveries', about).filter({ hasText: result }).first();
		// The first execution of a workflow, on a busy machine, may end after the 1,200 ms.
		await eventually(async () => {
			await press('Buy');
			return await shown.waitFor({ timeout: 15_000 }).then(
				() => true,
				() => false,
			);
		});
	});

	it('*Buy* and *Send* reach a workflow that the user has published', async () => {
		const { scenario, credentials } = demo.harness;
		await open('Events');
		const workflow = await createWorkflow(scenario.n8n, credentials.cardTreasuryApi!, {
			events: ['cards.authorization', 'treasury.transfer.failed'],
			defaultDecision: 'approve',
		});
		await publish(scenario.n8n, workflow);
		const target = page.getByLabel('Decided by').locator('option', { hasText: /^trigger / });
		await eventually(async () => (await target.count()) === 1);
		const label = await target.innerText();
		await page.getByLabel('Decided by').selectOption({ label });
		await page.getByLabel('Amount', { exact: true }).fill('61.01');
		await press('Buy');
		await row('Deliveries', '61.01 USD').getByText('approved by the default').waitFor();
		await page.locator('select[name=event]').selectOption('treasury.transfer');
		await page.getByLabel('Deliver to').selectOption({ label });
		await page.getByLabel('status', { exact: true }).fill('failed');
		await page.getByLabel('data.amount').fill('61.02');
		await press('Send');
		await row('Deliveries', '61.02').getByText('OK').waitFor();
		await endedExecutions(scenario.n8n, workflow, 2);
		await page.getByLabel('data.amount').fill('77.01');
		await page.reload();
		// Typed and chosen values are still there, and each tab begins at its top.
		expect(await page.getByLabel('data.amount').inputValue()).toBe('77.01');
		expect(await page.getByLabel('Decided by').inputValue()).toBe(label);
		await page.evaluate(() => scrollTo(0, 400));
		await open('Money and cards');
		await page.waitForFunction(() => scrollY === 0);
	});
});

describe('payments', () => {
	const pay = async (amount: string) => {
		const { scenario, credentials } = demo.harness;
		const parameters = transferOf(amount, { maximumAmount: '100' });
		const transfer = cardTreasury(parameters, credentials.cardTreasuryApi!);
		const chain = await publishChain(scenario.n8n, [transfer]);
		await startChain(chain);
		return { chain, shown: row('Payments', amount) };
	};

	it('a transfer that timed out is executed once, also after Retry', async () => {
		const { n8n } = demo.harness.scenario;
		await toggle('The next transfer times out, but is executed', true);
		await open('Money and cards');
		const { chain, shown } = await pay('44.5');
		const [failed] = await endedExecutions(n8n, chain, 1);
		expect(failed!.status).toBe('error');
		await retryExecution(n8n, failed!.id);
		await endedExecutions(n8n, chain, 2);
		// Asked once, executed once.
		await shown.getByRole('cell', { name: '1 ×' }).nth(1).waitFor();
	});
});

it(
	'a second start keeps the workflows, the addresses and the books; the user may restore the service',
	async () => {
		const { url } = demo.harness.simulator;
		const { flows } = demo;
		expect(await runningAddress(folder)).toBe(url);
		await demo.harness.close();
		expect(await runningAddress(folder)).toBeUndefined();
		demo = await bringUp(folder, 'UTC', () => undefined);
		expect([demo.harness.simulator.url, demo.flows, demo.isKept]).toEqual([url, flows, true]);
		await page.goto(`${url}#money`);
		await row('Payments', '800').getByText('sweep ').waitFor();
		await row('Payments', '44.5').waitFor();
		await open('First steps');
		await shows('You are asked', 'Answered: unblock, by ben');
		await press('Block the card');
		await open('Inbox');
		await question().waitFor();
		await open('Trouble');
		await press('Restore the service');
		await open('Requests');
		await page.getByText('No request yet.').waitFor();
	},
	STARTUP_MS,
);
