import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';

import { startBrowser } from '../harness/editor/browser.mts';
import { transferOf } from '../harness/fixtures.mts';
import { publishChain, startChain, type ChainNode } from '../harness/n8n/chain.mts';
import { retryExecution } from '../harness/n8n/executions.mts';
import { cardTreasury } from '../harness/n8n/nodes.mts';
import { createWorkflow, endedExecutions, eventually, publish } from '../harness/n8n/scenario.mts';
import { CLOSE_MS, STARTUP_MS } from '../harness/n8n/useN8n.mts';
import { IDS, MAGIC_RECIPIENTS } from '../simulator/index.mts';
import { bringUp, plannedAddress, runningAddress, type Demo } from '../tools/start/bringUp.mts';
import { IMAGE } from '../tools/start/operations.mts';

/** A step of a person waits for n8n. */
const WITHIN = { timeout: 45_000 };

let folder: string;
let demo: Demo;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'card-treasury-console-'));
	demo = await bringUp(folder, 'UTC', () => undefined);
	browser = await startBrowser();
	page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
	page.setDefaultTimeout(WITHIN.timeout);
	await page.goto(demo.harness.simulator.url);
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
const switchOf = (name: string) => page.getByRole('switch', { name });
const toggle = async (name: string, on: boolean) => {
	await switchOf(name).click();
	await page.locator(`[role=switch][aria-checked=${on}][data-key]`).first().waitFor();
	expect(await switchOf(name).getAttribute('aria-checked')).toBe(String(on));
};

describe('console of npm start', () => {
	describe('first steps', () => {
		it('a blocked card is not unblocked by a stranger, and is by the second approver', async () => {
			await open('First steps');
			await press('Block the card');
			await open('Money and cards');
			await row('Cards', '4001').getByText('BLOCKED').waitFor();
			await open('Inbox');
			const question = message('#card-blocks')
				.filter({ has: page.getByRole('button') })
				.first();
			const label = 'Unblock the card';
			await page.getByLabel('Act as').selectOption({ label: 'mallory' });
			await press(label, question);
			await message('Only to mallory').waitFor();
			await page.getByRole('alert').getByText('only to mallory: You are not authorized').waitFor();
			expect(demo.harness.simulator.state.card(IDS.activeCard).blocked).toBe(true);
			await page.getByLabel('Act as').selectOption({ label: 'ben' });
			await press(label, question);
			await message('Approved by @ben').waitFor();
			// The button is gone, and the keyboard stays in the list.
			await eventually(async () => page.evaluate(() => document.activeElement?.id === 'messages'));
			await message('Card block').filter({ hasText: 'Sent:' }).waitFor();
			await open('Money and cards');
			await row('Cards', '4001').getByText('ACTIVE').waitFor();
			await open('First steps');
			const execution = step('Unblocked').getByRole('link', { name: /^Open execution / });
			const number = /\d+/.exec(await execution.innerText())![0];
			expect(await execution.getAttribute('href')).toMatch(
				new RegExp(`/workflow/${demo.flows.card.id}/executions/${number}$`),
			);
		});

		it('a card can be blocked and unblocked from the steps', async () => {
			await open('First steps');
			await press('Block the card');
			await step('You are asked').getByText('waiting', { exact: true }).waitFor();
			await press('Unblock as ben');
			await step('Unblocked').getByText('done', { exact: true }).waitFor();
			await press('Look at the card');
			await row('Cards', '4001').getByText('ACTIVE').waitFor();
		});

		it('the step of a block shows the execution of the block after other events', async () => {
			const { simulator, scenario } = demo.harness;
			await open('First steps');
			await press('Block the card');
			await simulator.events.emit('treasury.transfer');
			const other = simulator.deliveries.at(-1)!;
			await eventually(async () => simulator.company?.trace(other.attempts.at(-1)!.traceId));
			const link = step('A velocity rule blocks a card').getByRole('link', {
				name: /^Open execution /,
			});
			const shown = /\d+$/.exec((await link.getAttribute('href'))!)![0];
			const { data } = await scenario.n8n.rest('GET', `/rest/executions/${shown}`);
			expect(String(data)).toContain('card_blocked_by_velocity');
		});

		it('a sweep that runs twice pays once', async () => {
			await open('First steps');
			for (let runs = 1; runs <= 2; runs++) {
				await press('Run the sweep');
				await endedExecutions(demo.harness.scenario.n8n, demo.flows.sweep, runs);
				await step('A treasury sweep').getByText(`Run ${runs} ×, money moved 1 ×`).waitFor();
			}
			await open('Money and cards');
			const payment = row('Payments', '999.8');
			await payment.getByText('SUCCESS').waitFor();
			expect(await payment.count()).toBe(1);
			expect(await payment.getByRole('cell', { name: '1 ×' }).count()).toBe(2);
			await payment.getByText(IDS.wallet).first().waitFor();
		});

		it('the inbox can show one channel only, and the page links to n8n', async () => {
			await open('Inbox');
			await message('#card-blocks').first().waitFor();
			await message('#treasury').first().waitFor();
			await page.locator('#channel').selectOption('#treasury');
			await eventually(async () => (await message('#card-blocks').count()) === 0);
			expect(await message('#treasury').count()).toBeGreaterThan(0);
			await page.locator('#channel').selectOption('all');
			const n8n = page.getByRole('link', { name: 'Open n8n' });
			await open('First steps');
			await row('Workflows', 'Event router: alarms').waitFor();
			expect(await n8n.getAttribute('href')).toBe(
				`${demo.harness.scenario.n8n.url}/home/workflows`,
			);
		});

		it('a purchase from the steps is asked of the workflow', async () => {
			await open('First steps');
			await press('Buy a laptop for 480 USD');
			await open('Events');
			await row('Deliveries', 'Laptop Store, 480.00 USD').getByText('asked').first().waitFor();
		});
	});

	describe('KYC', () => {
		it('the link of the reminder opens the form, and the passport is submitted', async () => {
			await open('First steps');
			await press('Send the reminders');
			await open('Inbox');
			const mail = page.getByRole('article', { name: /Email to ana/ }).first();
			const popup = page.context().waitForEvent('page');
			await page.getByLabel('Show').selectOption('as text');
			await mail.getByRole('link').first().click();
			const form = await popup;
			form.setDefaultTimeout(WITHIN.timeout);
			await uploadPassport(form);
			await open('Money and cards');
			await row('Other changes', 'productRequest.submitDocument').waitFor();
			await form.close();
		});
	});

	/** Fills in the pages of the form. */
	async function uploadPassport(form: Page): Promise<void> {
		const image = join(folder, 'passport.png');
		writeFileSync(image, Buffer.from(IMAGE, 'base64'));
		const goOn = async () => await form.getByRole('button', { name: /Go on|Send/ }).click();
		/** Reloads, because n8n 2.41 serves no page while the execution runs. */
		const reach = async (part: Locator) =>
			await eventually(async () => {
				const wait = part.waitFor({ timeout: 4_000 }).then(
					() => true,
					() => false,
				);
				return (await wait) || (await form.reload(), false);
			});
		await goOn();
		await reach(form.locator('select'));
		await form.locator('select').selectOption({ label: 'Passport' });
		await goOn();
		await reach(form.getByLabel('Passport number'));
		await form.getByLabel('Passport number').fill('X1234567');
		await goOn();
		await reach(form.getByText('Front image'));
		await form.locator('input[type=file]').first().setInputFiles(image);
		await form.locator('select').selectOption({ label: 'No' });
		await goOn();
		await reach(form.getByText(/^We have your document\./).first());
	}

	it('a designed email is shown as designed, and runs no script', async () => {
		const { scenario, credentials } = demo.harness;
		const html = '<h2>Receipt</h2><script>parent.document.title = "taken over"</script>';
		const mail: ChainNode = {
			name: 'Mail',
			type: 'n8n-nodes-base.emailSend',
			typeVersion: 2.1,
			credentials: { smtp: credentials.smtp! },
			parameters: {
				fromEmail: 'n8n@example.com',
				toEmail: 'ana@example.com',
				subject: 'Your receipt',
				emailFormat: 'html',
				html,
				options: {},
			},
		};
		await startChain(scenario.n8n, await publishChain(scenario.n8n, [mail]));
		await open('Inbox');
		await page.getByLabel('Show').selectOption('as designed');
		const shown = page.getByRole('article', { name: 'Email to ana@example.com: Your receipt' });
		await shown.frameLocator('iframe').getByRole('heading', { name: 'Receipt' }).waitFor();
		expect(await page.title()).toContain('Card Treasury console');
		await page.getByLabel('Show').selectOption('as text');
		await shown.getByText('Receipt').last().waitFor();
	});

	describe('events', () => {
		it('each purchase shows its decision, the rule and the milliseconds', async () => {
			await open('Events');
			for (const [example, about, result] of [
				[
					'Bookshop, 52.35',
					'Coffee & Books, 52.35 USD',
					/approved by the rule .Small purchases. in \d+ ms/,
				],
				[
					'Casino, 80',
					'Lucky Casino, 80.00 USD',
					/declined \(05\) by the rule .No gambling. in \d+ ms/,
				],
				[
					'Laptop, 480',
					'Laptop Store, 480.00 USD',
					/asked approved by the workflow, asked by the rule .Large purchases. in \d+ ms/,
				],
			] as const) {
				await press(example);
				await press('Buy');
				await row('Deliveries', about).filter({ hasText: result }).first().waitFor();
			}
		});

		it('an event is sent to a workflow that the user has published', async () => {
			const { scenario, credentials } = demo.harness;
			const events = { events: ['treasury.transfer.failed'] };
			const workflow = await createWorkflow(scenario.n8n, credentials.cardTreasuryApi!, events);
			await publish(scenario.n8n, workflow);
			await open('Events');
			await page.locator('#event-name').selectOption('treasury.transfer');
			const target = page.getByLabel('Deliver to').locator('option', { hasText: 'trigger ' });
			await eventually(async () => (await target.count()) === 1);
			await page.getByLabel('Deliver to').selectOption({ label: await target.innerText() });
			await page.getByLabel('status', { exact: true }).fill('failed');
			await page.getByLabel('data.amount').fill('61.01');
			await press('Send');
			await row('Deliveries', '61.01').getByText('OK').waitFor();
			await endedExecutions(scenario.n8n, workflow, 1);
		});

		it('a reload keeps the changed field of an event, and the event is sent with it', async () => {
			await open('Events');
			await page.locator('#event-name').selectOption('treasury.transfer');
			await page.getByLabel('data.amount').fill('77.01');
			await page.reload();
			expect(await page.getByLabel('data.amount').inputValue()).toBe('77.01');
			await press('Send');
			await row('Deliveries', '77.01').getByText('OK').waitFor();
			await open('Requests');
			await page.reload();
			await page.getByRole('heading', { name: 'Requests' }).waitFor();
		});
	});

	it('Money and cards shows a transfer that FAILED as not paid, and the event of one that was PENDING', async () => {
		const { scenario, credentials, simulator } = demo.harness;
		await open('Money and cards');
		await page.getByText('recipients to try each ending').click();
		const pay = async (ending: keyof typeof MAGIC_RECIPIENTS, amount: string) => {
			const to = await row('Recipients', ending).locator('code').innerText();
			const parameters = { ...transferOf(amount, { maximumAmount: '100' }), to };
			const transfer = cardTreasury(parameters, credentials.cardTreasuryApi!);
			await startChain(scenario.n8n, await publishChain(scenario.n8n, [transfer]));
			return row('Payments', amount);
		};
		const failed = await pay('FAILED', '31.5');
		await failed.getByText('FAILED', { exact: true }).waitFor();
		expect(await failed.getByRole('cell', { name: '0 ×' }).count()).toBe(1);
		const pending = await pay('PENDING', '32.5');
		await pending.getByText('event: success').waitFor();
		expect(simulator.ledger.at(-1)).toMatchObject({ amountText: '32.5', result: 'PENDING' });
	});

	describe('trouble', () => {
		it('a transfer that timed out is executed once, also after Retry', async () => {
			const { scenario, credentials } = demo.harness;
			await open('Trouble');
			await toggle('The next transfer times out, but is executed', true);
			const transfer = cardTreasury(
				{ ...transferOf('44.5', { maximumAmount: '100' }), paymentReference: 'INV-CONSOLE' },
				credentials.cardTreasuryApi!,
			);
			const chain = await publishChain(scenario.n8n, [transfer]);
			await startChain(scenario.n8n, chain);
			const [failed] = await endedExecutions(scenario.n8n, chain, 1);
			expect(failed!.status).toBe('error');
			await retryExecution(scenario.n8n, failed!.id);
			await endedExecutions(scenario.n8n, chain, 2);
			await open('Money and cards');
			const payment = row('Payments', '44.5');
			await payment.getByText('SUCCESS').waitFor();
			// The page asks once a second, so that it may still show the first run.
			await payment.getByRole('cell', { name: /^[5-9] ×$/ }).waitFor();
			expect(await payment.getByRole('cell', { name: '1 ×' }).count()).toBe(1);
		});

		it.each(['The service is down', 'Too many requests', 'The API key is wrong'])(
			'the switch "%s" can be turned on and off by keyboard',
			async (name) => {
				await open('Trouble');
				await switchOf(name).focus();
				for (const checked of ['true', 'false']) {
					await page.keyboard.press('Space');
					await eventually(
						async () => (await switchOf(name).getAttribute('aria-checked')) === checked,
					);
					await page.locator('#badge-trouble').waitFor({
						state: checked === 'true' ? 'visible' : 'hidden',
					});
					await eventually(async () =>
						page.evaluate(() => document.activeElement?.getAttribute('role') === 'switch'),
					);
				}
				expect(demo.harness.simulator.faults.list().filter(({ kind }) => kind !== 'proxy')).toEqual(
					[],
				);
			},
		);

		it('*Restore the service* empties the list of requests', async () => {
			await open('Trouble');
			await press('Restore the service');
			await open('Requests');
			await page.getByText('No request yet.').waitFor();
		});
	});

	it(
		'a second start keeps the workflows and the addresses',
		async () => {
			const before = { url: demo.harness.simulator.url, flows: demo.flows };
			expect(await runningAddress(folder)).toBe(before.url);
			await demo.harness.close();
			expect(await runningAddress(folder)).toBeUndefined();
			expect(await plannedAddress(folder)).toBe(before.url);
			demo = await bringUp(folder, 'UTC', () => undefined);
			expect({ url: demo.harness.simulator.url, flows: demo.flows }).toEqual(before);
			expect(demo.isKept).toBe(true);
			await page.goto(before.url);
			await open('First steps');
			await press('Block the card');
			await open('Inbox');
			await message('#card-blocks').getByRole('button').first().waitFor();
		},
		STARTUP_MS,
	);
});
