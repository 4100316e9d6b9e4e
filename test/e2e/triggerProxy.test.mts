import { post } from '../harness/deliveries/post.mts';
import { at, OK } from '../harness/n8n/deliveries.mts';
import { endedExecutions, noOp, publishWorkflow } from '../harness/n8n/scenario.mts';
import { credential, scenario, STARTUP_MS, useN8n } from '../harness/n8n/useN8n.mts';
import { findHaproxy } from '../harness/queue/programs.mts';
import { startHaproxy, type Server } from '../harness/queue/servers.mts';
import { DEFAULT_WEBHOOK_KEY, deliver, sampleEvent } from '../simulator/index.mts';

useN8n(() => ({ N8N_PROXY_HOPS: '1' }));

let proxy: Server;

beforeAll(async () => {
	const haproxy = await findHaproxy((line) => process.stdout.write(`${line}\n`));
	proxy = await startHaproxy(haproxy, scenario.n8n.url);
}, STARTUP_MS);

afterAll(async () => await proxy?.close());

const proxyUrl = () => `http://127.0.0.1:${proxy.port}`;

describe('the recommended proxy', () => {
	it('takes no delivery in while n8n is down or starting, so that none is lost', async () => {
		const { n8n } = scenario;
		const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		const { url } = at(workflow, proxyUrl());
		// A sender that looks at the status alone (§6.3), while n8n is killed twice.
		const sending = { more: true };
		const sent: Array<ReturnType<typeof deliver>> = [];
		const sender = (async () => {
			while (sending.more) {
				const options = { url, webhookKey: DEFAULT_WEBHOOK_KEY, timeScale: 0.5 };
				sent.push(deliver(sampleEvent('cards.cleared'), options));
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
		})();
		for (let kill = 0; kill < 2; kill++) {
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			await scenario.kill();
		}
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		sending.more = false;
		await sender;
		const deliveries = await Promise.all(sent);
		const attempts = deliveries.flatMap((delivery) => delivery.attempts);
		expect(attempts.some(({ status }) => status === 503)).toBe(true);
		for (const attempt of attempts) if (attempt.status === 200) expect(attempt).toMatchObject(OK);
		for (const delivery of deliveries) expect(delivery.attempts.at(-1)).toMatchObject(OK);
		await endedExecutions(scenario.n8n, workflow, deliveries.length);
	});

	it('hands on the address of the sender, to which a proxy may add a port', async () => {
		const { n8n } = scenario;
		const statusOf = async (ipAllowlist: string, address: string) => {
			const workflow = await publishWorkflow(n8n, credential, {
				events: ['cards.cleared'],
				options: { ipAllowlist },
			});
			const direct = await post(workflow.url, sampleEvent('cards.cleared'), {
				headers: [
					['x-webhook-key', DEFAULT_WEBHOOK_KEY],
					['content-type', 'application/json'],
					['x-forwarded-for', address],
				],
			});
			const proxied = await post(at(workflow, proxyUrl()).url, sampleEvent('cards.cleared'), {
				key: DEFAULT_WEBHOOK_KEY,
			});
			return [direct.status, proxied.status];
		};
		expect(await statusOf('203.0.113.7', '203.0.113.7:51234')).toEqual([200, 403]);
		expect(await statusOf('2001:db8::1', '[2001:db8::1]:443')).toEqual([200, 403]);
		expect(await statusOf('127.0.0.1', '203.0.113.8:51234')).toEqual([403, 200]);
		expect(scenario.n8n.log()).toContain('This n8n saw the address "203.0.113.8:51234"');
	});
});
