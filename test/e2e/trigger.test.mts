import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';

import { lockDatabase } from '../harness/database/lockDatabase.mts';
import { expectOwnOutputs, OK, send } from '../harness/n8n/deliveries.mts';
import {
	createCredential,
	endedExecutions,
	keys,
	noOp,
	outputsOf,
	publishWorkflow,
	respond,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { sampleEvent } from '../simulator/index.mts';

useN8n(() => ({ N8N_LOG_LEVEL: 'debug' }));

describe('Card Treasury Trigger', () => {
	describe('events', () => {
		it('of all 17 kinds arrive unchanged on their own output, and others on `other`', async () => {
			await expectOwnOutputs(scenario.n8n, credential);
		});

		it('that are not chosen are acknowledged without an execution; such an authorization gets 501', async () => {
			const { n8n } = scenario;
			const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
			for (const event of [
				sampleEvent('cards.refund'),
				sampleEvent('cards.cleared', { event_type: 'new' }),
			]) {
				expect(await send(workflow, event)).toMatchObject(OK);
			}
			expect(await send(workflow, sampleEvent('cards.authorization'))).toMatchObject({
				status: 501,
			});
			expect(
				await send(workflow, sampleEvent('cards.cleared'), { webhookKey: 'wrong-key' }),
			).toMatchObject({
				status: 401,
				body: expect.stringContaining('"code":"AUTH"'),
			});
			expect(n8n.log()).toContain(
				'Trigger refused a delivery with 401: The value of X-Webhook-Key',
			);
			expect(n8n.log()).not.toContain('wrong-key');
			expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
			expect(await endedExecutions(n8n, workflow, 1)).toHaveLength(1);
		});

		it('that are not chosen build no isolate unless a parameter contains an expression', async () => {
			const { n8n } = scenario;
			const isolates = () => n8n.log().split('[IsolatedVmBridge] Initialized').length;
			const builtBy = async (options: object) => {
				const workflow = await publishWorkflow(n8n, credential, {
					events: ['cards.cleared'],
					options,
				});
				const before = isolates();
				for (let n = 0; n < 20; n++)
					expect(await send(workflow, sampleEvent('cards.refund'))).toMatchObject(OK);
				return isolates() - before;
			};
			expect(await builtBy({ maximumAgeSeconds: 600 })).toBe(0);
			expect(await builtBy({ maximumAgeSeconds: '={{ 600 }}' })).toBeGreaterThan(0);
		});

		it('are accepted with the old and the new key until the old one is removed', async () => {
			const { n8n } = scenario;
			const rotating = await createCredential(n8n, keys('old-key'));
			const workflow = await publishWorkflow(n8n, rotating, { events: ['cards.cleared'] });
			const statuses = async () =>
				await Promise.all(
					['old-key', 'new-key'].map(
						async (webhookKey) =>
							(await send(workflow, sampleEvent('cards.cleared'), { webhookKey })).status,
					),
				);
			const rotate = async (data: object) => {
				await n8n.rest('PATCH', `/rest/credentials/${rotating.id}`, {
					name: rotating.name,
					type: 'cardTreasuryApi',
					data,
				});
				// The keys of one reading count for a second.
				await sleep(1_100);
			};
			expect(await statuses()).toEqual([200, 401]);
			await rotate(keys('new-key', 'old-key'));
			expect(await statuses()).toEqual([200, 200]);
			await rotate(keys('new-key'));
			expect(await statuses()).toEqual([401, 200]);
		});
	});

	describe('execution', () => {
		it('has event, operation ID and card ID as custom data', async () => {
			const { n8n } = scenario;
			const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] });
			const event = sampleEvent('cards.cleared');
			expect(await send(workflow, event)).toMatchObject(OK);
			const [row] = await endedExecutions(n8n, workflow, 1);
			const { data } = (await n8n.rest('GET', `/rest/executions/${row!.id}`)) as { data: string };
			expect((parse(data) as IRunExecutionData).resultData.metadata).toMatchObject({
				event: 'cards.cleared',
				operation_id: event.operation_id,
				card_id: event.data.card_id,
			});
		});
	});

	describe('publication', () => {
		it.each([
			['without a webhook key', () => keys(''), { events: ['cards.cleared'] }, /no Webhook Key/],
			[
				'with a rule that cannot be read',
				() => keys(),
				{
					events: ['cards.authorization'],
					rules: { rule: [{ name: 'small', conditions: { amountTo: '5 EUR' } }] },
				},
				/small.*Amount To/,
			],
		])('fails %s and shows the reason', async (_, data, parameters, message) => {
			const { n8n } = scenario;
			const reference = await createCredential(n8n, data());
			await expect(publishWorkflow(n8n, reference, parameters)).rejects.toThrow(message);
		});
	});

	describe('event sent to two triggers', () => {
		it('runs in both workflows', async () => {
			const { n8n } = scenario;
			const event = sampleEvent('cards.cleared');
			for (let n = 0; n < 2; n++) {
				const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
					[noOp('Behind')],
				]);
				expect(await send(workflow, event)).toMatchObject(OK);
				const [row] = await endedExecutions(n8n, workflow, 1);
				expect(await outputsOf(n8n, row!.id, 'Behind')).toMatchObject([[event]]);
			}
		});
	});

	describe('copies of an event', () => {
		it('start one execution: 200 at once, and 200 in ten batches', async () => {
			const { n8n } = scenario;
			const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
				[noOp('Behind')],
			]);
			const copies = async (event: object, count: number) =>
				await Promise.all(Array.from({ length: count }, async () => await send(workflow, event)));
			const atOnce = await copies(sampleEvent('cards.cleared'), 200);
			const event = sampleEvent('cards.cleared');
			const batched = [];
			for (let batch = 0; batch < 10; batch++) batched.push(...(await copies(event, 20)));
			for (const attempt of [...atOnce, ...batched]) expect(attempt).toMatchObject(OK);
			expect(await endedExecutions(n8n, workflow, 2)).toHaveLength(2);
		});
	});

	describe('event that n8n cannot store', () => {
		it.each([
			['of a trigger of events', { events: ['cards.cleared'] }],
			[
				'of a trigger that also asks the workflow about authorizations',
				{ events: ['cards.cleared', 'cards.authorization'], defaultDecision: 'ask' },
			],
		])('is not acknowledged, and its retry is not a duplicate (%s)', async (_, parameters) => {
			const { n8n } = scenario;
			const rows = [
				[noOp('Behind')],
				...('defaultDecision' in parameters ? [[respond(credential)]] : []),
			];
			const workflow = await publishWorkflow(n8n, credential, parameters, rows);
			const event = sampleEvent('cards.cleared');
			const unlock = await lockDatabase(n8n.userFolder);
			const copies = await Promise.all([1, 2, 3].map(async () => await send(workflow, event)));
			await unlock();
			for (const { status } of copies) expect(status).toBeGreaterThanOrEqual(500);
			expect(await send(workflow, event)).toMatchObject(OK);
			expect(await send(workflow, event)).toMatchObject(OK);
			const ended = await endedExecutions(n8n, workflow, 1);
			expect(ended.filter(({ status }) => status === 'success')).toHaveLength(1);
		});
	});
});
