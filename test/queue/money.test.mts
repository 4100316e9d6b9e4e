import { upTo } from '../harness/fixtures.mts';
import { publishChain, startChain } from '../harness/n8n/chain.mts';
import { endedExecutions, eventually, executions } from '../harness/n8n/scenario.mts';
import { workerOf } from '../harness/queue/runs.mts';
import { runningInQueue } from '../harness/queue/servers.mts';
import {
	amountsOf,
	freeze,
	items,
	keysOf,
	keysPerAmount,
	transfer,
} from '../harness/queue/transfers.mts';
import { credential, NOTICE_SOON, queue, useQueue } from '../harness/queue/useQueue.mts';
import { until } from '../simulator/until.mts';
import { simulator } from '../simulator/useSimulator.mts';

useQueue(() => NOTICE_SOON);

const retry = async (id: string) =>
	await queue.n8n.rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
const errorOf = async (id: string) =>
	String((await queue.n8n.rest('GET', `/rest/executions/${id}`)).data);

/** Requests without those that were rejected as too fast. */
const taken = () => simulator.requests.length - simulator.rateLimit.rejected;

describe('two workers that share the limit of 15 per second', () => {
	async function fourExecutions(each: number, options: object): Promise<void> {
		const chain = await publishChain(queue.n8n, [items(each), transfer(credential, options)]);
		await Promise.all(upTo(4).map(async () => await startChain(queue.n8n, chain)));
		const rows = await endedExecutions(queue.n8n, chain, 4);
		expect(rows.map(({ status }) => status)).toEqual(upTo(4).map(() => 'success'));
		expect(new Set(rows.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));
		expect(new Set(keysOf(simulator, 'wallet.transfer')).size).toBe(4 * each);
		expect(simulator.ledger).toHaveLength(4 * each);
	}

	it('never meet it while the executions together stay below it', async () => {
		await fourExecutions(15, { requestsPerSecond: 3 });
		expect(simulator.rateLimit.rejected).toBe(0);
		expect(simulator.requests).toHaveLength(60);
	});

	it('meet it otherwise, without losing a write or executing one twice', async () => {
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

it('a manual retry on another worker re-sends what failed under its key, then the rest', async () => {
	simulator.faults.add({ kind: 'status', status: 500, effect: true, times: 1 });
	const chain = await publishChain(queue.n8n, [items(40), transfer(credential)]);
	await startChain(queue.n8n, chain);
	const [failed] = await endedExecutions(queue.n8n, chain, 1);
	expect(failed!.status).toBe('error');
	const sent = taken();
	expect(sent).toBeLessThan(40);
	const first = queue.workers[workerOf(queue, failed!.id)]!;
	await first.end();
	try {
		await retry(failed!.id);
		const rows = await endedExecutions(queue.n8n, chain, 2);
		expect(rows.map(({ status }) => status)).toEqual(['error', 'success']);
		expect(queue.workers[workerOf(queue, rows[1]!.id)]).not.toBe(first);
	} finally {
		await first.start();
	}
	// All sent writes but one were accepted.
	expect(taken()).toBe(41);
	expect(keysPerAmount(simulator)).toEqual([1]);
	expect(amountsOf(simulator)).toEqual(upTo(40));
});

describe('workers killed in the middle of 50 transfers and 50 freezes', () => {
	const operations = ['wallet.transfer', 'card.freeze'];
	const half = () => operations.every((operation) => keysOf(simulator, operation).length >= 10);

	async function killedInTheMiddle(keyed: boolean, kill: () => Promise<unknown>) {
		const own = (name: string) => (keyed ? { idempotencyKey: `=${name}-{{ $json.number }}` } : {});
		const chains = [
			await publishChain(queue.n8n, [
				items(50),
				transfer(credential, { requestsPerSecond: 7, ...own('invoice') }),
			]),
			await publishChain(queue.n8n, [
				items(50),
				freeze(credential, { requestsPerSecond: 7, ...own('freeze') }),
			]),
		] as const;
		for (const chain of chains) await startChain(queue.n8n, chain);
		await until(half, 30_000);
		await kill();
		for (const operation of operations)
			expect(keysOf(simulator, operation).length).toBeLessThan(50);
		return chains;
	}

	const ended = async (chain: { id: string }, status: string) =>
		await eventually(async () => {
			const rows = await executions(queue.n8n, chain);
			return rows[0]?.status === status && rows;
		}, 120_000);

	it('n8n re-runs nothing by itself, a retry sends nothing, and a new execution with own keys sends only the rest', async () => {
		const chains = await killedInTheMiddle(true, async () => {
			await Promise.all(queue.workers.map(async (worker) => await worker.end('SIGKILL')));
			await Promise.all(queue.workers.map(async (worker) => await worker.start()));
		});
		const before = simulator.requests.length;
		for (const chain of chains) {
			const [row] = await ended(chain, 'error');
			expect(await errorOf(row!.id)).toContain(
				'This execution failed to be processed too many times',
			);
			// n8n has replaced the content of the execution by the error, so the retry has nothing to run.
			await retry(row!.id);
			expect(await executions(queue.n8n, chain)).toHaveLength(2);
		}
		expect(simulator.requests).toHaveLength(before);
		for (const chain of chains) await startChain(queue.n8n, chain);
		for (const chain of chains)
			expect((await endedExecutions(queue.n8n, chain, 3)).at(-1)!.status).toBe('success');
		expect(keysOf(simulator, 'wallet.transfer').sort()).toEqual(
			upTo(50)
				.map((number) => `invoice-${number}`)
				.sort(),
		);
		expect(keysOf(simulator, 'card.freeze').sort()).toEqual(
			upTo(50)
				.map((number) => `freeze-${number}`)
				.sort(),
		);
	});

	it('with all other processes, a retry without own keys is refused and sends nothing', async () => {
		const { main, workers, webhooks } = queue;
		const all = [main, ...workers, ...webhooks];
		const chains = await killedInTheMiddle(false, async () => {
			await Promise.all(all.map(async (member) => await member.end('SIGKILL')));
			await Promise.all([...workers, ...webhooks].map(async (member) => await member.start()));
			// The main process marks executions unknown to the queue as crashed, at its start and every three hours.
			await eventually(async () => (await runningInQueue(queue.redis)) === 0);
			await main.start();
		});
		const before = simulator.requests.length;
		for (const chain of chains) {
			const [row] = await ended(chain, 'crashed');
			await retry(row!.id);
			const last = (await endedExecutions(queue.n8n, chain, 2)).at(-1)!;
			expect(last.status).toBe('error');
			expect(await errorOf(last.id)).toContain('cut off while it was sending');
		}
		expect(simulator.requests).toHaveLength(before);
	});
});
