import { setTimeout as wait } from 'node:timers/promises';

import { createCredential } from '../harness/n8n/credentials.mts';
import { OK, send } from '../harness/n8n/deliveries.mts';
import { endedExecutions, eventually, outputsOf } from '../harness/n8n/executions.mts';
import { noOp } from '../harness/n8n/nodes.mts';
import { CLOSE_MS } from '../harness/n8n/useN8n.mts';
import { publish, publishWorkflow, saveWorkflow } from '../harness/n8n/workflows.mts';
import { credential, n8n, useQueue } from '../harness/queue/useQueue.mts';
import {
	PEOPLE,
	pressButton,
	SLACK_CREDENTIAL,
	startSlackStandIn,
} from '../harness/slack/slackStandIn.mts';
import { decide, waits } from '../harness/workflows/decision.mts';
import { sendPage } from '../harness/workflows/form.mts';
import { sampleEvent } from '../simulator/index.mts';

/** A worker stores that an execution waits before it has let go of it, and gives no later sign. */
const LETTING_GO_MS = 1_000;

let slack: Awaited<ReturnType<typeof startSlackStandIn>>;

afterAll(async () => await slack?.close(), CLOSE_MS);
beforeAll(async () => {
	slack = await startSlackStandIn();
});
useQueue(() => ({
	...slack.env,
	N8N_PROXY_HOPS: '1',
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
}));

it('a click in Slack continues the execution that asked, behind docs/nginx.conf', async () => {
	const slackApi = await createCredential(n8n, SLACK_CREDENTIAL, { type: 'slackApi' });
	const ask = {
		name: 'Ask in Slack',
		type: 'n8n-nodes-base.slack',
		typeVersion: 2.4,
		webhookId: '2e9c14cc-0b2f-55f2-97cf-dff34bee6c7d',
		parameters: {
			operation: 'sendAndWait',
			select: 'channel',
			channelId: { __rl: true, mode: 'name', value: '#treasury' },
			message: 'Go on?',
			approvalOptions: { values: { approvalType: 'double' } },
			captureResponder: true,
			approvers: [PEOPLE[0]!.id],
			options: { appendAttribution: false },
		},
		credentials: { slackApi },
	};
	const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
		[ask, noOp('Behind')],
	]);
	expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
	const message = await eventually(async () => slack.messages[0]);
	const action = message.buttons.find((button) => button.action)!.action!;
	const { channel, ts } = message;
	await waits(n8n, workflow);
	await wait(LETTING_GO_MS);
	await decide(
		n8n,
		workflow,
		async () => await pressButton(n8n.url, action, { user: PEOPLE[0]!, channel, ts }),
	);
	const [row] = await endedExecutions(n8n, workflow, 1);
	const behind = await outputsOf(n8n, row!.id, 'Behind');
	expect(behind?.[0]).toHaveLength(1);
});

it('a photo of 8 MB passes through a form behind docs/nginx.conf', async () => {
	const path = 'photo-of-8-mb';
	const form = {
		name: 'Form',
		type: 'n8n-nodes-base.formTrigger',
		typeVersion: 2.2,
		webhookId: '7257c8da-0318-5c15-ac1b-8e5fdac47d7c',
		parameters: {
			formTitle: 'Your document',
			formFields: { values: [{ fieldLabel: 'Photo', fieldType: 'file', multipleFiles: false }] },
			options: { path },
		},
	};
	const saved = await saveWorkflow(n8n, 'form', [form, noOp('Behind')], {
		Form: { main: [[{ node: 'Behind', type: 'main', index: 0 }]] },
	});
	const { id } = await publish(n8n, saved);
	const photo = new Blob([new Uint8Array(8 * 2 ** 20)], { type: 'image/jpeg' });
	await eventually(async () => {
		const answer = await sendPage(`${n8n.url}/form/${path}`, [photo]);
		return answer === '{"status":200}';
	});
	const [row] = await endedExecutions(n8n, { id }, 1);
	const { data } = await n8n.rest('GET', `/rest/executions/${row!.id}`);
	expect(row!.status).toBe('success');
	expect(String(data)).toContain('8.39 MB');
});
