import { openDatabase } from '../harness/database/database.mts';
import { executions } from '../harness/n8n/executions.mts';
import { publish, publishChain, startChain } from '../harness/n8n/workflows.mts';
import { writeTable } from '../harness/workflows/dataTables.mts';
import { WATCHED } from '../harness/workflows/rows.mts';
import { anew, openCase, told, untilEnded } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { sampleEvent } from '../simulator/index.mts';

useWorkflows();

describe('Watch', () => {
	const PASS = { name: 'Pass', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };

	/** Watches a workflow that was known to run. @returns a function that looks twice, for the messages since */
	async function watch(row: object) {
		const { run } = await openCase(harness, 'watch.json');
		const rows = [{ name: 'Router', url: '', hours: 25, state: 'runs', ...row }];
		await writeTable(n8n, WATCHED, rows);
		return async () => {
			const { length } = told(harness);
			for (let n = 0; n < 2; n++) expect(await run()).toBe('success');
			expect(harness.web.opened.at(-1)).toBe('/monitor');
			return told(harness).slice(length).join();
		};
	}

	it('tells once that a trigger takes no events, and once that it does again', async () => {
		const router = await harness.openRouter({});
		await harness.send(router, anew(sampleEvent('cards.cleared')));
		await untilEnded(harness, router, 1);
		const look = await watch({ workflow_id: router.id, url: router.url });
		expect(await look()).toBe('');
		await n8n.rest('POST', `/rest/workflows/${router.id}/deactivate`, {});
		expect(await look()).toMatch(/: 1\* .*\nRouter looks stopped, latest run 2.*Z, URL 404$/m);
		await publish(n8n, router);
		expect(await look()).toMatch(/: 1\* .*\nRouter runs, latest run 2.*Z, URL 401$/m);
		expect(await executions(n8n, router)).toHaveLength(1);
	});

	it('tells after a day without n8n which schedule was missed, and when it has run again', async () => {
		const daily = await publishChain(n8n, [PASS]);
		const look = await watch({ workflow_id: daily.id });
		await startChain(daily);
		await untilEnded(harness, daily, 1);
		expect(await look()).toBe('');
		const database = await openDatabase(n8n.userFolder);
		await database.query(
			`UPDATE execution_entity SET startedAt = datetime(startedAt, '-26 hours')
			WHERE workflowId = ? RETURNING id`,
			daily.id,
		);
		await database.close();
		expect(await look()).toMatch(/Router looks stopped, latest run 2.*Z, URL/);
		await startChain(daily);
		await untilEnded(harness, daily, 2);
		expect(await look()).toMatch(/Router runs, latest run 2.*Z, URL/);
	});
});
