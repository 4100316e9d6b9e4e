import lodash from 'lodash';

import { post } from '../harness/deliveries/post.mts';
import { answered, at, OK, send } from '../harness/n8n/deliveries.mts';
import {
	createCredential,
	eventually,
	keys,
	publishWorkflow,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { DEFAULT_WEBHOOK_KEY, sampleEvent } from '../simulator/index.mts';

/** Values of the expressions. */
const VALUES = { LIMIT: '100', SENDERS: '127.0.0.1, ::1', WEBHOOK_KEY: DEFAULT_WEBHOOK_KEY };

const SERVICES = ['false', 'true'] as const;

const environment = (values: Partial<typeof VALUES>, publicationService: string) => ({
	N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: publicationService,
	...values,
});

const env: Record<string, string> = environment(VALUES, SERVICES[0]);

useN8n(() => env);

/** Restarts n8n, unless it runs with these values. */
async function runWith(...wanted: Parameters<typeof environment>) {
	const next = environment(...wanted);
	if (lodash.isEqual(env, next)) return;
	for (const name of Object.keys(env)) delete env[name];
	Object.assign(env, next);
	await scenario.restart();
}

describe('Card Treasury Trigger', () => {
	// Before 2.41, n8n ignores the variable, and always calls the trigger when it starts.
	it.each(SERVICES)(
		'keeps its URL when n8n starts while the expression of a setting has no value (publication service: %s)',
		async (publicationService) => {
			await runWith(VALUES, publicationService);
			const events = ['cards.authorization', 'cards.cleared'];
			const rule = {
				name: 'small',
				decision: 'approve',
				conditions: { amountTo: '={{ $env.LIMIT }}' },
			};
			const withKey = await createCredential(scenario.n8n, keys('={{ $env.WEBHOOK_KEY }}'));
			const publish = async (parameters: object, reference = credential) =>
				await publishWorkflow(scenario.n8n, reference, { events, ...parameters });
			const published = [
				await publish({ rules: { rule: [rule] } }),
				await publish({ options: { ipAllowlist: '={{ $env.SENDERS }}' } }),
				await publish({}, withKey),
			] as const;
			for (const workflow of published)
				expect(await send(workflow, sampleEvent('cards.cleared'))).toMatchObject(OK);
			const [small] = published;
			expect(await send(small, sampleEvent('cards.authorization'))).toMatchObject(answered('00'));

			await runWith({}, publicationService);
			const moved = (workflow: TriggerWorkflow) => at(workflow, scenario.n8n.url);
			const [rules, senders, key] = published.map(moved);
			const isReady = async () => (await post(rules!.url, {}, { key: 'wrong' })).status === 401;
			await eventually(isReady);
			expect(await send(rules!, sampleEvent('cards.authorization'))).toMatchObject(answered('05'));
			expect(await send(rules!, sampleEvent('cards.cleared'))).toMatchObject(OK);
			await eventually(
				async () => (await send(senders!, sampleEvent('cards.cleared'))).status === 403,
			);
			await eventually(async () => (await send(key!, sampleEvent('cards.cleared'))).status === 401);

			await runWith(VALUES, publicationService);
			for (const workflow of published.map(moved))
				await eventually(async () => {
					const { status } = await send(workflow, sampleEvent('cards.cleared'));
					return status === 200;
				});
		},
		600_000,
	);
});
