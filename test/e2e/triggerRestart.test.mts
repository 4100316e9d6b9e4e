import { createHash } from 'node:crypto';

import { openDatabase } from '../harness/database/database.mts';
import { post } from '../harness/deliveries/post.mts';
import { at, BY_WORKFLOW, OK, send } from '../harness/n8n/deliveries.mts';
import {
	endedExecutions,
	eventually,
	executions,
	failing,
	noOp,
	outputsOf,
	publishWorkflow,
	respond,
	slowly,
	waitSeconds,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { sampleEvent, type Attempt, type EventEnvelope } from '../simulator/index.mts';

useN8n(() => ({ N8N_LOG_LEVEL: 'debug' }));

/** Returns the workflow at the address of the current n8n, once it is active. */
async function moved(workflow: TriggerWorkflow): Promise<TriggerWorkflow> {
	const now = at(workflow, scenario.n8n.url);
	await eventually(async () => (await post(now.url, {}, { key: 'wrong' })).status === 401);
	return now;
}

describe('duplicates after a restart', () => {
	it('run nothing, while Retry of a failed or a crashed execution runs its event', async () => {
		const workflow = await publishWorkflow(
			scenario.n8n,
			credential,
			{ events: ['cards.cleared', 'cards.refund'] },
			[[failing('Fails')], [waitSeconds('Wait', 5), noOp('Behind')]],
		);
		const [failed, crashed] = [sampleEvent('cards.cleared'), sampleEvent('cards.refund')];
		expect(await send(workflow, failed)).toMatchObject(OK);
		await endedExecutions(scenario.n8n, workflow, 1);
		expect(await send(workflow, crashed)).toMatchObject(OK);
		await eventually(
			async () => (await executions(scenario.n8n, workflow))[1]?.status === 'running',
		);
		// The trigger has run when its key is stored.
		await eventually(async () =>
			/Running node "Wait" started|Start executing node "Wait"/.test(scenario.n8n.log()),
		);

		await scenario.restart('SIGKILL');
		const { n8n } = scenario;
		const after = await moved(workflow);
		for (const event of [failed, crashed]) expect(await send(after, event)).toMatchObject(OK);
		for (let batch = 0; batch < 10; batch++) {
			const copies = await Promise.all(
				Array.from({ length: 20 }, async () => await send(after, failed)),
			);
			for (const copy of copies) expect(copy).toMatchObject(OK);
		}
		const rows = await endedExecutions(n8n, after, 4);
		expect(rows.map(({ status }) => status)).toEqual(['error', 'crashed', 'success', 'success']);
		for (const { id } of rows.slice(2)) {
			expect(await outputsOf(n8n, id, 'Trigger')).toEqual([[], []]);
			expect(await outputsOf(n8n, id, 'Fails')).toBeUndefined();
			expect(await outputsOf(n8n, id, 'Wait')).toBeUndefined();
		}

		for (const { id } of rows.slice(0, 2))
			await n8n.rest('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
		const retried = (await endedExecutions(n8n, after, 6)).slice(4);
		expect(retried.map(({ mode, status }) => [mode, status])).toEqual([
			['retry', 'error'],
			['retry', 'success'],
		]);
		expect(await outputsOf(n8n, retried[1]!.id, 'Trigger')).toMatchObject([[], [crashed]]);
		expect(await outputsOf(n8n, retried[1]!.id, 'Behind')).toMatchObject([[crashed]]);
	});
});

describe('stored delivery keys', () => {
	it('are dropped from the oldest on when 10,000 are stored, and are displaced by no authorization', async () => {
		const parameters = { events: ['cards.cleared', 'cards.authorization'] };
		const before = await publishWorkflow(scenario.n8n, credential, parameters, [
			[noOp('Behind')],
			[noOp('Decided')],
		]);
		const [known, fresh] = [sampleEvent('cards.cleared'), sampleEvent('cards.cleared')];
		expect(await send(before, known)).toMatchObject(OK);
		await endedExecutions(scenario.n8n, before, 1);
		const database = await openDatabase(scenario.n8n.userFolder);
		try {
			const read = async () => {
				const [row] = await database.query(
					'SELECT value FROM processed_data WHERE workflowId = ?',
					before.id,
				);
				return JSON.parse(String(row!.value)) as { mode: string; data: string[] };
			};
			const { mode, data } = await read();
			// This key is the oldest from now on.
			expect(data).toHaveLength(1);
			const newer = Array.from({ length: 9_999 }, (_, index) =>
				createHash('md5').update(`newer ${index}`).digest('base64'),
			);
			await database.query(
				'UPDATE processed_data SET value = ? WHERE workflowId = ?',
				JSON.stringify({ mode, data: [...data, ...newer] }),
				before.id,
			);

			for (let n = 0; n < 3; n++) {
				const authorization = sampleEvent('cards.authorization');
				expect(await send(before, authorization)).toMatchObject({ status: 200 });
			}
			await endedExecutions(scenario.n8n, before, 4);
			await scenario.restart();
			const after = await moved(before);
			for (const event of [known, fresh]) {
				expect(await send(after, event)).toMatchObject(OK);
				await endedExecutions(scenario.n8n, after, event === known ? 5 : 6);
			}
			const wentOn = (await runs(after)).map((run) => run.wentOn);
			expect(wentOn).toEqual([true, false, false, false, false, true]);
			const full = (await read()).data;
			expect(full).toHaveLength(10_000);
			expect(full.slice(0, 2)).toEqual(newer.slice(0, 2));
		} finally {
			await database.close();
		}
	});
});

describe('SIGTERM during deliveries', () => {
	it('loses no acknowledged event, and a repeated one runs once', async () => {
		const before = await publishWorkflow(scenario.n8n, credential, { events: ['cards.cleared'] }, [
			[noOp('Behind')],
		]);
		const events = Array.from({ length: 40 }, () => sampleEvent('cards.cleared'));
		let answered = 0;
		let restarted: Promise<void> | undefined;
		const attempts = await Promise.all(
			events.map(async (event) => {
				const attempt = await send(before, event);
				if (++answered === 10) restarted = scenario.restart('SIGTERM');
				return attempt;
			}),
		);
		await restarted;
		const after = await moved(before);
		const acknowledged = (attempt: Attempt) => attempt.status === 200;
		for (const attempt of attempts) if (acknowledged(attempt)) expect(attempt).toMatchObject(OK);
		expect(attempts.filter(acknowledged).length).toBeGreaterThanOrEqual(10);

		const stored = await runs(after);
		for (const [index, event] of events.entries()) {
			if (acknowledged(attempts[index]!)) expect(of(event, stored)).toHaveLength(1);
		}
		for (const event of events) expect(await send(after, event)).toMatchObject(OK);
		await endedExecutions(scenario.n8n, after, events.length);
		const all = await runs(after);
		for (const event of events) {
			const behind = of(event, all).filter(({ wentOn }) => wentOn).length;
			// n8n marks an execution that it cut off, so that a user can retry it.
			const cutOff = of(event, all).filter(
				({ status }) => status === 'crashed' || status === 'canceled',
			).length;
			expect({ event, behind, cutOff }).toEqual({
				event,
				behind: cutOff > 0 ? expect.any(Number) : 1,
				cutOff,
			});
			expect(behind).toBeLessThanOrEqual(1);
		}
	});

	it('answers a waiting authorization with the fallback, or not at all', async () => {
		const parameters = {
			events: ['cards.authorization'],
			...BY_WORKFLOW,
		};
		const workflow = await publishWorkflow(scenario.n8n, credential, parameters, [
			[slowly('Sleep', 3), respond(credential)],
		]);
		const waiting = send(workflow, sampleEvent('cards.authorization'));
		await eventually(async () =>
			/Running node "Sleep" started|Start executing node "Sleep"/.test(scenario.n8n.log()),
		);
		const restarted = scenario.restart('SIGTERM');
		const attempt = await waiting;
		await restarted;
		if (attempt.status === undefined) expect(attempt.error).toEqual(expect.any(String));
		else expect(attempt).toMatchObject({ status: 200, body: '{"response_code":"91"}' });
	});
});

interface Run {
	status: string;
	/** Text as n8n stores it. */
	text: string;
	/** True if the node after the trigger ran. */
	wentOn: boolean;
}

async function runs(workflow: TriggerWorkflow): Promise<Run[]> {
	const { n8n } = scenario;
	return await Promise.all(
		(await executions(n8n, workflow)).map(async ({ id, status }) => ({
			status,
			text: String((await n8n.rest('GET', `/rest/executions/${id}`)).data),
			wentOn: (await outputsOf(n8n, id, 'Behind')) !== undefined,
		})),
	);
}

const of = (event: EventEnvelope, all: Run[]) =>
	all.filter(({ text }) => text.includes(event.operation_id));
