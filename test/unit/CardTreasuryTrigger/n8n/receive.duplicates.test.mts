import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { post } from '../../../harness/deliveries/post.mts';
import { sampleEvent } from '../../../simulator/index.mts';
import { until } from '../../../simulator/until.mts';
import { gate } from './gate.mts';
import { useHosts } from './hosts.mts';

const OK = { status: 200, json: { response_code: 'OK' } };
const CLEARED = ['cards.cleared'];

const { start, listening } = useHosts();

describe('duplicates', () => {
	it('200 simultaneous copies start one execution, and all are acknowledged after it is stored', async () => {
		const storing = gate();
		const host = await listening(CLEARED, { store: storing.pass });
		const event = sampleEvent('cards.cleared');
		let answered = 0;
		const copies = Array.from({ length: 200 }, async () => {
			const answer = await post(host.url, event);
			answered++;
			return answer;
		});
		await until(storing.knocked);
		await post(host.url, sampleEvent('cards.refund'));
		expect(answered).toBe(0);
		storing.open();
		for (const answer of await Promise.all(copies)) expect(answer).toMatchObject(OK);
		expect(host.executions).toHaveLength(1);
	});

	it('an event that n8n cannot store is not acknowledged, and its retry runs', async () => {
		const storing = gate();
		let broken = true;
		const host = await listening(CLEARED, {
			async store() {
				await storing.pass();
				if (broken) throw new Error('database is locked');
			},
		});
		const event = sampleEvent('cards.cleared');
		const copies = [1, 2, 3].map(async () => await post(host.url, event));
		await until(storing.knocked);
		// Another event is answered, so all copies have arrived by then.
		await post(host.url, sampleEvent('cards.refund'));
		storing.open();
		expect((await Promise.all(copies)).map(({ status }) => status).sort()).toEqual([500, 503, 503]);
		broken = false;
		expect(await post(host.url, event)).toMatchObject(OK);
		expect(await post(host.url, event)).toMatchObject(OK);
		expect(host.executions).toHaveLength(1);
	});

	it('a sender that hangs up while n8n stores the execution causes no second one', async () => {
		const storing = gate();
		const host = await listening(CLEARED, { store: storing.pass });
		const event = sampleEvent('cards.cleared');
		const impatient = new AbortController();
		const first = fetch(host.url, {
			method: 'POST',
			headers: { 'x-webhook-key': 'test-webhook-key', 'content-type': 'application/json' },
			body: JSON.stringify(event),
			signal: impatient.signal,
		});
		await until(storing.knocked);
		impatient.abort();
		await expect(first).rejects.toThrow();
		const retry = post(host.url, event);
		storing.open();
		expect(await retry).toMatchObject(OK);
		expect(host.executions).toHaveLength(1);
	});

	it('a duplicate after a restart ends at the trigger', async () => {
		const memory = new Set<string>();
		const event = sampleEvent('cards.cleared');
		const before = await listening(CLEARED, { memory });
		await post(before.url, event);
		await until(() => before.executions[0]?.outputs);
		const after = await listening(CLEARED, { memory });
		for (const each of [event, sampleEvent('cards.cleared')]) {
			expect(await post(after.url, each)).toMatchObject(OK);
		}
		await until(() => after.executions[1]?.outputs);
		expect(after.executions.map(({ outputs }) => outputs![0]!.length)).toEqual([0, 1]);
		// A manual retry is not swallowed.
		expect(await after.retry(before.executions[0]!)).toMatchObject([[{ json: event }]]);
	});

	it('a duplicate with other data is dropped (§6.2), and logged once', async () => {
		const host = await listening(CLEARED);
		const event = sampleEvent('cards.cleared', { operation_id: 'op-1' });
		for (let copy = 0; copy < 2; copy++) await post(host.url, event);
		expect(host.warnings).toEqual([]);
		for (const bill_amount of ['2.00', '3.00']) {
			const other = { ...event, data: { ...event.data, bill_amount } };
			expect(await post(host.url, other)).toMatchObject(OK);
		}
		expect(host.executions).toHaveLength(1);
		expect(host.warnings).toEqual([
			'Card Treasury Trigger dropped "cards:cleared:op-1:success" as a duplicate (§6.2), although its data differ from the first delivery',
		]);
	});

	it('one failure of the database is survived, as if two processes write the first keys at once', async () => {
		let refusals = 1;
		const host = await listening(CLEARED, {
			async remember() {
				if (refusals-- > 0) throw new Error('duplicate key value violates unique constraint');
			},
		});
		await post(host.url, sampleEvent('cards.cleared'));
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs![0]).toHaveLength(1);
	});

	it.each([
		['cannot be reached', false],
		['has stored the key and then fails', true],
	])(
		'the execution fails, and the event is neither dropped nor run, if the stored memory %s',
		async (_, stores) => {
			const memory = new Set<string>();
			const event = sampleEvent('cards.cleared');
			const host = await listening(CLEARED, {
				memory,
				async remember() {
					if (stores && memory.size > 0) return;
					if (stores) memory.add(`cards:cleared:${event.operation_id}:success`);
					throw new Error('connection lost');
				},
			});
			await post(host.url, event);
			await until(() => host.executions[0]?.error);
			expect(host.executions[0]!.error!.message).toBe(
				"Duplicate check failed: n8n's database did not respond",
			);
			expect(await host.retry(host.executions[0]!)).toMatchObject([[{ json: event }]]);
		},
	);

	it('duplicates run again with Ignore Duplicates off, and in test runs', async () => {
		const memory = new Set<string>();
		const event = sampleEvent('cards.cleared');
		const hosts = [
			await start({
				parameters: { events: CLEARED, options: { ignoreDuplicates: false } },
				memory,
			}),
			await listening(CLEARED, { mode: 'manual', memory }),
		];
		for (const host of hosts) {
			for (let copy = 0; copy < 2; copy++) expect(await post(host.url, event)).toMatchObject(OK);
			await until(() => host.executions[1]?.outputs);
			expect(host.executions.map(({ outputs }) => outputs![0]!.length)).toEqual([1, 1]);
		}
		expect(memory.size).toBe(0);
	});

	it.each([
		['another trigger of the process', {}, {}],
		['a copy of the workflow', { node: 'same' }, { node: 'same', workflowId: 'copy' }],
	])('%s also accepts the event, once', async (_, first, second) => {
		const trigger = new CardTreasuryTrigger();
		const event = sampleEvent('cards.cleared');
		const hosts = [
			await listening(CLEARED, { trigger, ...first }),
			await listening(CLEARED, { trigger, ...second }),
		];
		for (const host of [...hosts, ...hosts]) expect(await post(host.url, event)).toMatchObject(OK);
		for (const host of hosts) {
			await until(() => host.executions[0]?.outputs);
			expect(host.executions.map(({ outputs }) => outputs![0]!.length)).toEqual([1]);
		}
	});

	it('the oldest keys are dropped at the maximum', async () => {
		const memory = new Set(Array.from({ length: 10_000 }, (_, n) => `old ${n}`));
		const host = await listening(CLEARED, { memory });
		await post(host.url, sampleEvent('cards.cleared', { operation_id: 'op-1' }));
		await until(() => host.executions[0]?.outputs);
		expect(memory.size).toBe(10_000);
		expect([...memory].at(-1)).toBe('cards:cleared:op-1:success');
		expect([memory.has('old 0'), memory.has('old 1')]).toEqual([false, true]);
	});
});
