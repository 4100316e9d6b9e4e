import { randomUUID } from 'node:crypto';

import { createCredential, keys, type Reference } from '../harness/n8n/credentials.mts';
import { OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, outputsOf } from '../harness/n8n/executions.mts';
import { N8N_VERSION, NEWEST_N8N } from '../harness/n8n/install.mts';
import {
	cardTreasury,
	cardTreasuryTrigger,
	manualTrigger,
	respond,
	waitSeconds,
} from '../harness/n8n/nodes.mts';
import { credential, n8n, useN8n } from '../harness/n8n/useN8n.mts';
import {
	changeNode,
	createWorkflow,
	publish,
	publishChain,
	publishWorkflow,
	runFrom,
	startChain,
	type ChainNode,
	type TriggerWorkflow,
} from '../harness/n8n/workflows.mts';
import { sampleEvent } from '../simulator/index.mts';

useN8n(() => ({ N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '20' }));

const IS_NEWEST = N8N_VERSION === NEWEST_N8N;

const CLEARED = { events: ['cards.cleared'] };
const ASKING = { events: ['cards.authorization'], defaultDecision: 'ask' };

const withTrigger = async (workflow: TriggerWorkflow, change: object) =>
	await changeNode(n8n, workflow, 'Trigger', change);

async function changeKey({ id, name }: Reference, webhookKey: string) {
	const data = { name, type: 'cardTreasuryApi', data: keys(webhookKey) };
	await n8n.rest('PATCH', `/rest/credentials/${id}`, data);
}

interface Refused {
	parameters?: object;
	webhookKey?: string;
	/** Settings tab of the trigger. */
	settings?: object;
	behind?: ChainNode[];
	reason: RegExp;
}

const REFUSED: Record<string, Refused> = {
	'no webhook key': { webhookKey: '', reason: /no Webhook Key/ },
	'nothing that answers': { parameters: ASKING, behind: [], reason: /no node answers/ },
	'a wait before the answer': {
		parameters: ASKING,
		behind: [waitSeconds('Ask a person', 5)],
		reason: /Ask a person.*waits before the authorization is answered/,
	},
	'Retry On Fail': { settings: { retryOnFail: true }, reason: /Settings tab/ },
	'On Error': { settings: { onError: 'continueRegularOutput' }, reason: /Settings tab/ },
};

describe('publication', () => {
	it('is refused with the reason', async () => {
		// All at once, because n8n 2.41 repeats each for 15 seconds before it shows the reason.
		const published = Object.entries(REFUSED).map(async ([name, refused]) => {
			const { parameters = CLEARED, webhookKey, settings = {}, behind, reason } = refused;
			const reference = await createCredential(n8n, keys(webhookKey));
			const nodes = behind && [...behind, ...(behind.length > 0 ? [respond(credential)] : [])];
			const created = await createWorkflow(n8n, reference, parameters, nodes && [nodes]);
			const shown = publish(n8n, await withTrigger(created, settings));
			const why = await shown.then(() => 'published').catch((thrown: unknown) => String(thrown));
			return reason.test(why) ? [] : [`${name}: ${why}`];
		});
		expect((await Promise.all(published)).flat()).toEqual([]);
	});

	it('takes the URL down while it is refused, and succeeds when the cause is gone', async () => {
		const workflow = await publishWorkflow(n8n, credential, CLEARED);
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
		const reference = await createCredential(n8n, keys(''));
		const changed = await withTrigger(workflow, { credentials: { cardTreasuryApi: reference } });
		const publishing = publish(n8n, changed).then(
			() => 'published',
			(thrown: unknown) => String(thrown),
		);
		await eventually(
			async () => (await send(workflow, sampleEvent('cards.cleared'))).status === 404,
		);
		await changeKey(reference, keys().webhookKey);
		// Older versions of n8n refuse at once, so that a person has to publish again.
		if (IS_NEWEST) expect(await publishing).toBe('published');
		else {
			expect(await publishing).toContain('its webhook URL answers 404');
			await publish(n8n, changed);
		}
		expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	});
});

describe('Try Rules', () => {
	it('needs no run of the trigger: a test run takes the draft, also deactivated, a production run what is published', async () => {
		const deciding = (decision: string) => ({
			events: ['cards.authorization'],
			rules: { rule: [{ decision, conditions: { currencies: 'USD' } }] },
		});
		const tries = cardTreasury(
			{
				...{ resource: 'authorization', operation: 'tryRules', answeredThen: '' },
				rulesOf: "={{ $('Trigger').params }}",
				purchase: JSON.stringify(sampleEvent('cards.authorization').data),
			},
			credential,
		);
		const trigger = cardTreasuryTrigger(credential, deciding('approve'));
		const workflow = await publishChain(n8n, [tries], {
			attachments: [{ ...trigger, webhookId: randomUUID() }, manualTrigger].map((node) => ({
				...{ node, into: tries.name, as: 'main' },
			})),
		});
		let count = 0;
		const tried = async () => {
			const rows = await endedExecutions(n8n, workflow, ++count);
			return (await outputsOf(n8n, rows.at(-1)!.id, tries.name))![0]![0];
		};
		const published = async () => (await startChain(workflow), await tried());
		const draft = async () => (await runFrom(n8n, workflow, 'Start'), await tried());
		const approved = { decision: { outcome: 'approved', rule: 'Rule 1' } };
		const declined = { decision: { outcome: 'declined', rule: 'Rule 1' } };
		expect([await published(), await draft()]).toMatchObject([approved, approved]);
		await withTrigger(workflow, { parameters: deciding('decline'), disabled: true });
		expect([await published(), await draft()]).toMatchObject([approved, declined]);
		await n8n.rest('POST', `/rest/workflows/${workflow.id}/deactivate`);
		expect(await draft()).toMatchObject(declined);
	});
});
