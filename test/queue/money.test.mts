import { upTo } from '../harness/fixtures.mts';
import { publishChain, startChain, type Chain } from '../harness/n8n/chain.mts';
import { readExecution, retryExecution } from '../harness/n8n/executions.mts';
import {
	createCredential,
	endedExecutions,
	eventually,
	executions,
	simulatorKeys,
	type Reference,
} from '../harness/n8n/scenario.mts';
import { workerOf } from '../harness/queue/runs.mts';
import { runningInQueue } from '../harness/queue/servers.mts';
import { amountsOf, items, keysOf, transfer } from '../harness/queue/transfers.mts';
import { credential, NOTICE_SOON, queue, useQueue } from '../harness/queue/useQueue.mts';
import { until } from '../simulator/until.mts';
import { simulator } from '../simulator/useSimulator.mts';

useQueue(() => NOTICE_SOON);

/** Credential with an *Idempotency Window*. */
let open: Reference;
beforeAll(async () => {
	open = await createCredential(queue.n8n, {
		...simulatorKeys(simulator),
		idempotencyWindowHours: 24,
	});
});

const publish = async (count: number, ...node: Parameters<typeof transfer>) =>
	await publishChain(queue.n8n, [items(count), transfer(...node)]);

/** Payments in flight at most: eight parts of ten. */
const IN_FLIGHT = 80;

/** Items of the payments in an execution. */
const paidIn = async (id: string) =>
	(await readExecution(queue.n8n, id)).outputs('Transfer')?.[0] ?? [];
const statusesIn = async (id: string) => (await paidIn(id)).map(({ status }) => status);

/** Items of executions, by what they report. */
async function reportsOf(...ids: string[]) {
	const all = (await Promise.all(ids.map(paidIn))).flat();
	return {
		sent: all.filter(({ status }) => status === 'SUCCESS'),
		known: all.filter(({ status }) => status === 'ALREADY_SENT'),
		unknown: all.filter(({ outcome }) => outcome === 'unknown'),
	};
}

/** Runs `work` while the worker of an execution is down. */
async function withoutWorkerOf<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
	const worker = queue.workers[workerOf(queue, id)]!;
	await worker.end();
	try {
		return await work();
	} finally {
		await worker.start();
	}
}

describe('payments in queue mode', () => {
	describe('two workers that share the limit of 15 per second', () => {
		async function fourExecutions(each: number, options: object): Promise<void> {
			const chain = await publish(each, credential, options);
			await Promise.all(
				upTo(4).map(async (number) => await startChain(queue.n8n, chain, { name: `R${number}` })),
			);
			const rows = await endedExecutions(queue.n8n, chain, 4);
			expect(rows.map(({ status }) => status)).toEqual(upTo(4).map(() => 'success'));
			expect(new Set(rows.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));
			expect(keysOf(simulator).size).toBe(4 * each);
			expect(simulator.ledger).toHaveLength(4 * each);
		}

		it('get no 429 while their executions together stay below it', async () => {
			await fourExecutions(15, { requestsPerSecond: 3 });
			expect(simulator.rateLimit.rejected).toBe(0);
			expect(simulator.requests).toHaveLength(60);
		});

		it('get 429 above it, without losing a write or executing one twice', async () => {
			await fourExecutions(75, {});
			const { rejected } = simulator.rateLimit;
			expect(rejected).toBeGreaterThan(0);
			const taken = simulator.requests.map(({ at }) => at);
			const seconds = (Math.max(...taken) - Math.min(...taken)) / 1_000;
			const share = (299 / seconds / 15).toFixed(2);
			process.stdout.write(
				`Two workers without a setting: ${share} of the limit, ${rejected} rejections (429) for 300 transfers\n`,
			);
		});
	});

	describe('same payments on two workers', () => {
		it('are ALREADY_SENT in the second execution', async () => {
			const chain = await publish(5, credential);
			await startChain(queue.n8n, chain);
			const [first] = await endedExecutions(queue.n8n, chain, 1);
			const second = await withoutWorkerOf(first!.id, async () => {
				await startChain(queue.n8n, chain);
				return (await endedExecutions(queue.n8n, chain, 2)).at(-1)!;
			});
			expect(workerOf(queue, second.id)).not.toBe(workerOf(queue, first!.id));
			expect(await statusesIn(first!.id)).toEqual(Array(5).fill('SUCCESS'));
			expect(await statusesIn(second.id)).toEqual(Array(5).fill('ALREADY_SENT'));
			expect(simulator.requests).toHaveLength(5);
		});

		it('are executed once if four executions send them at the same moment', async () => {
			const chain = await publish(5, credential, {}, { onError: 'continueRegularOutput' });
			await Promise.all(upTo(4).map(async () => await startChain(queue.n8n, chain)));
			const rows = await endedExecutions(queue.n8n, chain, 4);
			expect(new Set(rows.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));
			expect(amountsOf(simulator)).toEqual(upTo(5));
			expect(keysOf(simulator).size).toBe(5);
			for (const { id } of rows)
				for (const item of await paidIn(id))
					expect(item.status ?? item.outcome).toMatch(/^(SUCCESS|ALREADY_SENT|unknown)$/);
		});

		it('are sent again under their keys by a retry on the other worker', async () => {
			simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 1 });
			const chain = await publish(40, open, { maxAttempts: 1 });
			await startChain(queue.n8n, chain);
			const [failed] = await endedExecutions(queue.n8n, chain, 1);
			expect(failed!.status).toBe('error');
			expect(simulator.ledger.length).toBeLessThan(40);
			const retried = await withoutWorkerOf(failed!.id, async () => {
				await retryExecution(queue.n8n, failed!.id);
				return (await endedExecutions(queue.n8n, chain, 2)).at(-1)!;
			});
			expect(workerOf(queue, retried.id)).not.toBe(workerOf(queue, failed!.id));
			expect(await statusesIn(retried.id)).toEqual(Array(40).fill('SUCCESS'));
			expect(keysOf(simulator).size).toBe(40);
			expect(amountsOf(simulator)).toEqual(upTo(40));
		});
	});

	it('two workers on one node forget less than a tenth of the references that they pay at the same time', async () => {
		const each = 60;
		const names = upTo(4).map((number) => `R${number}`);
		const chain = await publish(each, credential, {}, { onError: 'continueRegularOutput' });
		await Promise.all(names.map(async (name) => await startChain(queue.n8n, chain, { name })));
		const first = await endedExecutions(queue.n8n, chain, names.length);
		expect(new Set(first.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));
		const paid = (await reportsOf(...first.map(({ id }) => id))).sent.length;
		const again: string[] = [];
		for (const [at, name] of names.entries()) {
			await startChain(queue.n8n, chain, { name });
			const rows = await endedExecutions(queue.n8n, chain, names.length + at + 1);
			again.push(rows.at(-1)!.id);
		}
		const { sent: forgotten, known, unknown } = await reportsOf(...again);
		process.stdout.write(
			`Two workers on one node: ${paid} of ${4 * each} paid; then ${known.length} known, ${forgotten.length} forgotten, ${unknown.length} taken for open\n`,
		);
		expect(paid).toBe(4 * each);
		expect(known.length + forgotten.length + unknown.length).toBe(paid);
		expect(forgotten.length).toBeLessThan(paid / 10);
		// A forgotten payment is sent again under its key, which the service recognizes.
		expect(amountsOf(simulator)).toEqual(upTo(each).flatMap((amount) => Array(4).fill(amount)));
	});

	describe('workers killed in the middle of a batch', () => {
		async function killedInTheMiddle(kill: () => Promise<unknown>, count: number): Promise<Chain> {
			simulator.settings.latencyMs = 300;
			const settings = { onError: 'continueRegularOutput' };
			const chain = await publish(count, open, {}, settings);
			await startChain(queue.n8n, chain);
			await until(() => simulator.ledger.length >= count / 5, 60_000);
			await kill();
			expect(simulator.ledger.length).toBeLessThan(count);
			return chain;
		}

		const killWorkers = async () => {
			await Promise.all(queue.workers.map(async (worker) => await worker.end('SIGKILL')));
			await Promise.all(queue.workers.map(async (worker) => await worker.start()));
		};

		/** Checks that a later run has sent what was not in flight at the kill, and shows as done only what was executed. */
		async function expectTheRest(id: string, count: number, what: string): Promise<void> {
			const { sent, known, unknown } = await reportsOf(id);
			process.stdout.write(
				`${what}: ${sent.length} sent, ${known.length} already sent, ${unknown.length} unknown; executed in the end: ${simulator.ledger.length}\n`,
			);
			expect(sent.length + known.length + unknown.length).toBe(count);
			expect(unknown.length).toBeLessThanOrEqual(IN_FLIGHT);
			expect(sent.length).toBeGreaterThan(0);
			const executed = amountsOf(simulator);
			expect(new Set(executed).size).toBe(executed.length);
			expect(executed).toEqual(
				expect.arrayContaining([...sent, ...known].map(({ amount }) => Number(amount))),
			);
		}

		const endedAs = async (chain: Chain, status: string) =>
			await eventually(async () => {
				const [row] = await executions(queue.n8n, chain);
				return row?.status === status && row;
			}, 120_000);

		it('leave an execution that n8n has emptied, and a new one sends what was not in flight', async () => {
			const chain = await killedInTheMiddle(killWorkers, 300);
			const before = simulator.ledger.length;
			const { id } = await endedAs(chain, 'error');
			expect((await readExecution(queue.n8n, id)).failure.message).toContain(
				'This execution failed to be processed too many times',
			);
			// The execution has no data, so the retry runs nothing.
			await retryExecution(queue.n8n, id);
			await startChain(queue.n8n, chain);
			const again = (await endedExecutions(queue.n8n, chain, 3)).at(-1)!;
			await expectTheRest(again.id, 300, `Workers killed after ${before} of 300, started anew`);
		});

		it('together with all other processes leave an execution whose retry sends what was not in flight', async () => {
			const { main, workers, webhooks } = queue;
			const all = [main, ...workers, ...webhooks];
			const chain = await killedInTheMiddle(async () => {
				await Promise.all(all.map(async (member) => await member.end('SIGKILL')));
				await Promise.all([...workers, ...webhooks].map(async (member) => await member.start()));
				// The main process marks executions unknown to the queue as crashed, at its start and every three hours.
				await eventually(async () => (await runningInQueue(queue.redis)) === 0);
				await main.start();
			}, 50);
			const before = simulator.ledger.length;
			const { id } = await endedAs(chain, 'crashed');
			await retryExecution(queue.n8n, id);
			const retried = (await endedExecutions(queue.n8n, chain, 2)).at(-1)!;
			await expectTheRest(retried.id, 50, `All killed after ${before} of 50, retried`);
		});
	});
});
