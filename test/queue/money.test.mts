import lodash from 'lodash';

import { RECIPIENT, transferOf, upTo } from '../harness/fixtures.mts';
import {
	endedExecutions,
	eventually,
	executions,
	outputsOf,
	retryExecution,
} from '../harness/n8n/executions.mts';
import { cardTreasury, numbered } from '../harness/n8n/nodes.mts';
import {
	publishChain,
	publish as publishWorkflow,
	startChain,
	type TriggerWorkflow,
} from '../harness/n8n/workflows.mts';
import { workerOf } from '../harness/queue/queueMode.mts';
import { runningInQueue } from '../harness/queue/servers.mts';
import { credential, n8n, NOTICE_SOON, queue, useQueue } from '../harness/queue/useQueue.mts';
import { listCaller, TELL } from '../harness/workflows/callers.mts';
import { readTable, writeTable } from '../harness/workflows/dataTables.mts';
import { due, PAID, paymentRow } from '../harness/workflows/rows.mts';
import {
	asSetUp,
	importWorkflow,
	readWorkflow,
	withCredentials,
	withNodes,
} from '../harness/workflows/workflowFiles.mts';
import { IDS } from '../simulator/index.mts';
import { until } from '../simulator/until.mts';
import { simulator } from '../simulator/useSimulator.mts';

useQueue(() => NOTICE_SOON);

/** Payments in flight at most: eight parts of ten. */
const IN_FLIGHT = 80;

const CONTINUE = { onError: 'continueRegularOutput' };
/** Pays items under their names and numbers. */
const publish = async (count: number, settings: object = CONTINUE) => {
	const parameters = {
		...transferOf('={{ $json.number }}'),
		paymentReference: '={{ $json.name }}-{{ $json.number }}',
	};
	const transfer = cardTreasury(parameters, credential, { name: 'Transfer', ...settings });
	return await publishChain(n8n, [numbered(count), transfer]);
};
const amounts = () =>
	simulator.ledger.map(({ amountText }) => Number(amountText)).sort((left, right) => left - right);

/** Starts executions at the same moment, one for each name, and waits until `count` have ended. */
async function start(chain: TriggerWorkflow, names: string[], count = names.length) {
	await Promise.all(names.map(async (name) => await startChain(chain, { name })));
	return await endedExecutions(n8n, chain, count);
}

/** Payments of an execution by their outcome. */
async function paidIn(id: string) {
	const all = (await outputsOf(n8n, id, 'Transfer'))?.[0] ?? [];
	const by = (wanted: string) => all.filter(({ outcome }) => outcome === wanted);
	return { all, done: by('done'), known: by('already_sent'), unknown: by('unknown') };
}

const bothWorkers = (ids: Array<{ id: string }>) =>
	expect(new Set(ids.map(({ id }) => workerOf(queue, id)))).toEqual(new Set([0, 1]));

describe('payments on two workers', () => {
	it('of different references at once are executed once each, in spite of 429', async () => {
		const chain = await publish(75);
		const names = upTo(4).map((number) => `R${number}`);
		const rows = await start(chain, names);
		bothWorkers(rows);
		const first = await Promise.all(rows.map(async ({ id }) => (await paidIn(id)).done));
		expect(first.flat().length).toBeGreaterThan(200);
		await start(chain, names, 8);
		// Workers that write at once may overwrite each other's notes. The service then recognizes the keys.
		expect(amounts()).toEqual(upTo(75).flatMap((amount) => names.map(() => amount)));
		expect(simulator.rateLimit.rejected).toBeGreaterThan(0);
	});

	it('of the same references at once are executed once', async () => {
		const chain = await publish(5);
		const rows = await start(chain, ['R', 'R', 'R', 'R']);
		bothWorkers(rows);
		expect(amounts()).toEqual(upTo(5));
		for (const { id } of rows)
			for (const { outcome } of (await paidIn(id)).all)
				expect(outcome).toMatch(/^(done|already_sent|unknown)$/);
	});

	it('of two callers of *Pay* at once are executed once at most, by them or the next, and have one true row each', async () => {
		// n8n looks for a row and makes it in two steps, so two calls may leave two, as of P-1 here.
		const left = { reference: 'P-1', outcome: 'not_sent' };
		await writeTable(n8n, PAID, [paymentRow(left), paymentRow(left)]);
		const open = async (name: string) => {
			const setUp = asSetUp(readWorkflow(name), RECIPIENT, {});
			const file = withCredentials(setUp, { cardTreasuryApi: credential });
			const quiet = withNodes(file, ({ type }) => type.endsWith('.slack') && { disabled: true });
			const workflow = await importWorkflow(n8n, quiet);
			await publishWorkflow(n8n, workflow);
			return workflow;
		};
		const tell = await open(TELL);
		const caller = await listCaller(n8n, 'pay.json', await open('pay.json'), { tell });
		const list = upTo(20).map((amount) => due(`P-${amount}`, amount, { ask_always: false }));
		await Promise.all([1, 2].map(async () => await startChain(caller, { list })));
		await endedExecutions(n8n, tell, 2);
		await startChain(caller, { list });
		await endedExecutions(n8n, tell, 3);
		const sent = amounts();
		expect(sent).toEqual(lodash.uniq(sent));
		const rows = await readTable(n8n, PAID);
		expect(lodash.map(rows, 'reference').sort()).toEqual(lodash.map(list, 'reference').sort());
		// n8n writes notes in two steps: a look at a payment may stay, and nobody sends it.
		for (const { amount, outcome } of rows)
			expect(outcome).toMatch(
				sent.includes(Number(amount)) ? /^(done|already_sent|unknown)$/ : /^unknown$/,
			);
	});

	it('are known to the other worker, in a retry and in a new execution', async () => {
		const chain = await publish(5, {});
		simulator.faults.add({ kind: 'status', status: 412, match: { path: IDS.wallet } });
		const [first] = await start(chain, ['R']);
		expect(first!.status).toBe('error');
		const worker = queue.workers[workerOf(queue, first!.id)]!;
		await worker.end();
		try {
			await retryExecution(n8n, first!.id);
			const retried = (await endedExecutions(n8n, chain, 2)).at(-1)!;
			expect((await paidIn(retried.id)).done).toHaveLength(5);
			const anew = (await start(chain, ['R'], 3)).at(-1)!;
			expect((await paidIn(anew.id)).known).toHaveLength(5);
			expect(workerOf(queue, anew.id)).not.toBe(workerOf(queue, first!.id));
		} finally {
			await worker.start();
		}
		expect(amounts()).toEqual(upTo(5));
	});
});

describe('workers killed in the middle of payments', () => {
	/** Starts an execution, and kills in the middle of it. */
	async function killedInTheMiddle(
		kill: () => Promise<unknown>,
		count: number,
	): Promise<TriggerWorkflow> {
		simulator.settings.latencyMs = 300;
		const chain = await publish(count);
		await startChain(chain);
		await until(() => simulator.ledger.length >= count / 5, 60_000);
		await kill();
		expect(simulator.ledger.length).toBeLessThan(count);
		return chain;
	}

	/** Checks that a later run has sent what was not in flight, and shows as done only what was executed. */
	async function expectTheRest(id: string, count: number): Promise<void> {
		const { done, known, unknown } = await paidIn(id);
		expect(done.length + known.length + unknown.length).toBe(count);
		expect(unknown.length).toBeLessThanOrEqual(IN_FLIGHT);
		expect(done.length).toBeGreaterThan(0);
		const executed = amounts();
		expect(new Set(executed).size).toBe(executed.length);
		const shown = [...done, ...known].map(({ amount }) => Number(amount));
		expect(executed).toEqual(expect.arrayContaining(shown));
	}

	const endedAs = async (chain: TriggerWorkflow, status: string) =>
		await eventually(async () => {
			const [row] = await executions(n8n, chain);
			return row?.status === status && row;
		}, 120_000);

	it('leave an execution that n8n has emptied, and a new one sends what was not in flight', async () => {
		const chain = await killedInTheMiddle(async () => {
			await Promise.all(queue.workers.map(async (worker) => await worker.end('SIGKILL')));
			await Promise.all(queue.workers.map(async (worker) => await worker.start()));
		}, 300);
		await endedAs(chain, 'error');
		const again = (await start(chain, ['INV'], 2)).at(-1)!;
		await expectTheRest(again.id, 300);
	});

	it('together with all other processes leave an execution whose retry sends what was not in flight', async () => {
		const { main, workers, webhooks } = queue;
		const others = [...workers, ...webhooks];
		const chain = await killedInTheMiddle(async () => {
			await Promise.all([main, ...others].map(async (member) => await member.end('SIGKILL')));
			await Promise.all(others.map(async (member) => await member.start()));
			// The main process marks executions unknown to the queue as crashed, at its start and every three hours.
			await eventually(async () => (await runningInQueue(queue.redis)) === 0);
			await main.start();
		}, 150);
		const { id } = await endedAs(chain, 'crashed');
		await retryExecution(n8n, id);
		const retried = (await endedExecutions(n8n, chain, 2)).at(-1)!;
		await expectTheRest(retried.id, 150);
	});
});
