import { post } from '../../../harness/deliveries/post.mts';
import { sampleEvent } from '../../../simulator/index.mts';
import { until } from '../../../simulator/until.mts';
import { gate } from './gate.mts';
import { useHosts } from './hosts.mts';

const { start } = useHosts();

describe('authorizations decided by rules', () => {
	const parameters = {
		events: ['cards.authorization', 'cards.cleared'],
		authorizationDecision: 'rules',
		rules: { rule: [{ name: 'small', decision: 'approve', conditions: { amountTo: '60' } }] },
		defaultDecision: 'other',
		defaultResponseCode: '51',
	};
	const authorization = (bill_amount: string) =>
		sampleEvent('cards.authorization', { data: { bill_amount } });

	it('the answer is sent before the execution with the decision is stored', async () => {
		const storing = gate();
		const host = await start({ parameters, store: storing.pass });
		expect(await post(host.url, authorization('59.99'))).toMatchObject({
			status: 200,
			json: { response_code: '00' },
		});
		expect(host.executions).toEqual([]);
		storing.open();
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs![0]![0]!.json.decision).toEqual({
			outcome: 'approved',
			response_code: '00',
			source: 'rule',
			rule: 'small',
			answered_in_ms: expect.any(Number),
		});
	});

	it('a failing expression in the rules declines them, and other events are accepted', async () => {
		const host = await start({ parameters, unreadable: 'rules' });
		expect(await post(host.url, authorization('1.00'))).toMatchObject({
			status: 200,
			json: { response_code: '05' },
		});
		expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject({ status: 200 });
		expect(host.executions.map(({ items }) => items[0]!.json)).toEqual([
			expect.objectContaining({ decision: expect.objectContaining({ source: 'unreadable' }) }),
			expect.objectContaining({ event_type: 'cleared' }),
		]);
	});

	it('another purchase with the operation_id of an approved one is declined by its own data, and runs the workflow', async () => {
		const host = await start({ parameters });
		const event = sampleEvent('cards.authorization', { operation_id: 'same' });
		const of = (bill_amount: string) => ({ ...event, data: { ...event.data, bill_amount } });
		expect(await post(host.url, of('1.00'))).toMatchObject({ json: { response_code: '00' } });
		for (const amount of ['9999.00', '-9999.00'])
			expect((await post(host.url, of(amount))).json).not.toEqual({ response_code: '00' });
		await post(host.url, of('1.00'));
		await until(() => host.executions.length === 3);
	});
});
