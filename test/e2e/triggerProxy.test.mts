import { openDatabase } from '../harness/database/database.mts';
import { at, OK } from '../harness/n8n/deliveries.mts';
import { eventually } from '../harness/n8n/executions.mts';
import { noOp } from '../harness/n8n/nodes.mts';
import { credential, n8n, scenario, STARTUP_MS, useN8n } from '../harness/n8n/useN8n.mts';
import { publishWorkflow } from '../harness/n8n/workflows.mts';
import { startHaproxy, type Server } from '../harness/queue/servers.mts';
import {
	DEFAULT_WEBHOOK_KEY,
	deliver,
	sampleEvent,
	type EventEnvelope,
} from '../simulator/index.mts';

useN8n(() => ({ N8N_PROXY_HOPS: '1' }));

/** On a busy machine n8n takes a minute to start, and the sender then waits for its next attempts. */
const TWO_RESTARTS_MS = 480_000;

let proxy: Server;

beforeAll(async () => {
	proxy = await startHaproxy(n8n.url);
}, STARTUP_MS);

afterAll(async () => await proxy?.close());

describe('the recommended proxy', () => {
	it(
		'answers 503 while n8n is down or starting, so that no event is lost',
		async () => {
			const workflow = await publishWorkflow(n8n, credential, { events: ['cards.cleared'] }, [
				[noOp('Behind')],
			]);
			const { url } = at(workflow, `http://127.0.0.1:${proxy.port}`);
			// Sends events while n8n is killed twice. Reads only the HTTP status of each answer (§6.3).
			const options = { url, webhookKey: DEFAULT_WEBHOOK_KEY, timeScale: 0.5 };
			const events: EventEnvelope[] = [];
			const sent: Array<ReturnType<typeof deliver>> = [];
			let taken = 0;
			const sending = setInterval(() => {
				const event = sampleEvent('cards.cleared');
				events.push(event);
				sent.push(deliver(event, options).finally(() => taken++));
			}, 200);
			const takenMore = async () => {
				const before = taken;
				await eventually(async () => taken >= before + 10);
			};
			try {
				for (let kill = 0; kill < 2; kill++) {
					await takenMore();
					await scenario.restart('SIGKILL');
				}
				await takenMore();
			} finally {
				clearInterval(sending);
			}
			const deliveries = await Promise.all(sent);
			const attempts = deliveries.flatMap((delivery) => delivery.attempts);
			expect(attempts.some(({ status }) => status === 503)).toBe(true);
			for (const attempt of attempts) if (attempt.status === 200) expect(attempt).toMatchObject(OK);
			for (const delivery of deliveries) expect(delivery.attempts.at(-1)).toMatchObject(OK);
			const database = await openDatabase(n8n.userFolder);
			const rows = await database.query('SELECT data FROM execution_data').finally(database.close);
			const stored = rows.map(({ data }) => String(data)).join();
			expect(events.filter(({ operation_id }) => !stored.includes(operation_id))).toEqual([]);
		},
		TWO_RESTARTS_MS,
	);
});
