import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { post } from '../../../harness/deliveries/post.mts';
import { EVENT_NAMES, sampleEvent } from '../../../simulator/index.mts';
import { until } from '../../../simulator/until.mts';
import { headersWith, type HostOptions } from './host.mts';
import { useHosts } from './hosts.mts';

const OK = { status: 200, json: { response_code: 'OK' } };
const CLEARED = ['cards.cleared'];

const { start, listening } = useHosts();

describe('event', () => {
	it('each event is put on its own output, in the order chosen, with its payload', async () => {
		const events = [...EVENT_NAMES].reverse();
		const host = await start({ parameters: { events } });
		for (const name of EVENT_NAMES) {
			const event = sampleEvent(name);
			await post(host.url, event);
			await until(() => host.executions.at(-1)?.outputs);
			const outputs = host.executions.at(-1)!.outputs!;
			expect(outputs.map((items) => items.length)).toEqual(
				events.map((each) => Number(each === name)),
			);
			expect(outputs[events.indexOf(name)]![0]!.json).toMatchObject(event);
		}
	});

	it('the arrival is the time of the delivery, however long parameters and credential take', async () => {
		let now = Date.UTC(2026, 10, 21, 10);
		const date = jest.spyOn(Date, 'now').mockImplementation(() => now);
		const takeLong = () => (now += 250);
		const host = await listening(CLEARED, { credentialRead: takeLong, parameterRead: takeLong });
		await post(host.url, sampleEvent('cards.cleared'));
		date.mockRestore();
		expect(now).toBeGreaterThan(Date.UTC(2026, 10, 21, 10));
		expect(host.executions[0]!.items[0]!.json.delivery).toMatchObject({
			received_at: '2026-11-21T10:00:00.000Z',
		});
	});

	it('an event that is not chosen is acknowledged and starts no execution', async () => {
		const host = await listening(CLEARED);
		expect(await post(host.url, sampleEvent('cards.refund'))).toMatchObject(OK);
		expect(host.executions).toEqual([]);
	});

	it.each([
		['cards.refund', {}, OK],
		['cards.cleared', { event_type: 'new_event' }, OK],
		['cards.authorization', {}, { status: 501, json: { code: 'NOT_DECIDED' } }],
	])('%s %j runs once through Other', async (name, overrides, answer) => {
		const host = await listening(['other', 'cards.cleared']);
		const event = sampleEvent(name, overrides);
		for (let copy = 0; copy < 3; copy++) expect(await post(host.url, event)).toMatchObject(answer);
		await until(() => host.executions[0]?.outputs);
		expect(host.executions).toHaveLength(1);
		expect(host.executions[0]!.outputs!.map((items) => items.length)).toEqual([1, 0]);
	});
});

describe('webhook key', () => {
	it('a key of a test run is refused on the production URL, and a wrong one on both', async () => {
		const shared = { trigger: new CardTreasuryTrigger(), node: 'same' };
		const credential = { webhookKey: 'sandbox-key' };
		const test = await listening(CLEARED, { ...shared, mode: 'manual', credential });
		const production = await listening(CLEARED, shared);
		const event = sampleEvent('cards.cleared');
		expect(await post(test.url, event, { key: 'sandbox-key' })).toMatchObject(OK);
		for (const { url } of [test, production])
			expect(await post(url, event, { key: 'wrong' })).toMatchObject({ status: 401 });
		expect(await post(production.url, event, { key: 'sandbox-key' })).toMatchObject({
			status: 401,
		});
	});

	it('a key of a trigger is refused by its copy in another workflow', async () => {
		const shared = { trigger: new CardTreasuryTrigger(), node: 'same' };
		const own = await listening(CLEARED, shared);
		const credential = { webhookKey: 'key-of-the-copy' };
		const copy = await listening(CLEARED, { ...shared, workflowId: 'copy', credential });
		const event = sampleEvent('cards.cleared');
		expect(await post(own.url, event)).toMatchObject(OK);
		expect(await post(copy.url, event)).toMatchObject({ status: 401 });
		expect(await post(copy.url, event, { key: 'key-of-the-copy' })).toMatchObject(OK);
	});

	it('the previous key is accepted, and none without a credential', async () => {
		const credential = { webhookKey: 'new-key', previousWebhookKey: 'old-key' };
		const host = await listening(CLEARED, { credential });
		const event = sampleEvent('cards.cleared');
		expect(await post(host.url, event, { key: 'old-key' })).toMatchObject(OK);
		const missing = await listening(CLEARED, { credential: new Error('Credential not found') });
		for (const key of ['test-webhook-key', ''])
			expect(await post(missing.url, event, { key })).toMatchObject({ status: 401 });
	});

	it('a parameter that cannot be read refuses every delivery, and is logged', async () => {
		const host = await listening(CLEARED, { unreadable: 'options' });
		for (const key of ['wrong', 'test-webhook-key'])
			expect(await post(host.url, sampleEvent('cards.cleared'), { key })).toMatchObject({
				status: 500,
				json: { code: 'NOT_TAKEN', message: expect.any(String) },
			});
		expect(host.executions).toEqual([]);
		expect(host.errors).toEqual([expect.stringContaining('The expression of options fails')]);
	});
});

describe('IP allowlist', () => {
	it('the address that n8n reports counts, not one that the sender claims', async () => {
		for (const [sender, claimed, status] of [
			['192.0.2.1', '10.1.2.3', 403],
			['10.1.2.3', '192.0.2.1', 200],
		] as const) {
			const options = { ipAllowlist: '10.0.0.0/8' };
			const host = await start({ parameters: { events: CLEARED, options }, sender });
			for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip']) {
				const headers = headersWith([name, claimed]);
				const answer = await post(host.url, sampleEvent('cards.cleared'), { headers });
				expect([name, answer.status]).toEqual([name, status]);
			}
		}
	});
});

/** n8n does not call the node when only these change. */
describe('setting that publishing refuses', () => {
	const SETTINGS: Array<[string, Partial<HostOptions>]> = [
		['Retry On Fail', { nodeSettings: { retryOnFail: true } }],
		['Always Output Data', { nodeSettings: { alwaysOutputData: true } }],
		['On Error', { nodeSettings: { onError: 'continueErrorOutput' } }],
		['Engine 2.0', { settings: { engineType: 'v2' } }],
	];

	it.each(SETTINGS)(
		'%s makes the trigger refuse events, so that the service repeats them',
		async (name, settings) => {
			const host = await listening(['cards.refund', 'cards.cleared'], settings);
			for (let n = 0; n < 2; n++)
				expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject({
					status: 503,
					json: { code: 'NOT_TAKEN', message: expect.stringContaining(name) },
				});
			expect(await post(host.url, sampleEvent('treasury.transfer'))).toMatchObject(OK);
			expect(host.executions).toEqual([]);
			expect(host.errors).toEqual([expect.stringContaining(name)]);
		},
	);

	const events = ['cards.authorization'];
	it.each<[string, HostOptions['parameters'], object]>([
		['rules', { events, defaultDecision: 'approve' }, { json: { response_code: '00' } }],
		[
			'fallback',
			{
				events,
				defaultDecision: 'ask',
				fallbackDecision: 'other',
				fallbackResponseCode: '91',
				deadlineMs: 1_150,
			},
			{ json: { response_code: '91' } },
		],
		['refusal', { events: ['other'] }, { status: 501 }],
	])('an authorization still gets the answer of the %s', async (_, parameters, answer) => {
		const host = await start({ parameters, nodeSettings: { alwaysOutputData: true } });
		expect(await post(host.url, sampleEvent('cards.authorization'))).toMatchObject(answer);
		expect(host.executions).toEqual([]);
	});

	it('an event is accepted after the setting is removed', async () => {
		const shared = { trigger: new CardTreasuryTrigger(), node: 'same' };
		const event = sampleEvent('cards.cleared');
		const refusing = { ...shared, nodeSettings: { alwaysOutputData: true } };
		const before = await listening(CLEARED, refusing);
		expect(await post(before.url, event)).toMatchObject({ status: 503 });
		const after = await listening(CLEARED, shared);
		expect(await post(after.url, event)).toMatchObject(OK);
		expect(after.executions).toHaveLength(1);
	});
});

describe('refused delivery', () => {
	it('a cause is logged once a minute, without the key', async () => {
		let now = Math.ceil(performance.now());
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
		const host = await listening(CLEARED);
		const refused = async () =>
			await post(host.url, sampleEvent('cards.cleared'), { key: 'wrong' });
		for (let n = 0; n < 3; n++) await refused();
		await post(host.url, { ...sampleEvent('cards.cleared'), data: 5 });
		now += 59_999;
		await refused();
		expect(host.warnings).toEqual([
			expect.stringContaining('refused a delivery with 401: The value of X-Webhook-Key'),
			expect.stringContaining('refused a delivery with 400: "data" must be an object'),
		]);
		now += 1;
		await refused();
		clock.mockRestore();
		expect(host.warnings[2]).toMatch(/ \(4 times since this was last logged\)$/);
		expect(host.warnings.join()).not.toMatch(/test-webhook-key|wrong/);
	});

	it('a refused sender is logged with the address that n8n saw', async () => {
		const parameters = { events: CLEARED, options: { ipAllowlist: '10.0.0.0/8' } };
		const host = await start({ parameters, sender: '192.0.2.1\n[forged]' });
		await post(host.url, sampleEvent('cards.cleared'));
		expect(host.warnings).toEqual([
			'Card Treasury Trigger refused a delivery with 403: This sender is not in the IP allowlist. This n8n saw the address "192.0.2.1\\n[forged]"',
		]);
	});
});

it('the rules are read only for authorizations of an accepted sender', async () => {
	const read: string[] = [];
	const host = await start({
		parameters: { events: ['cards.authorization', 'cards.cleared'] },
		parameterRead: (name) => read.push(name),
	});
	await post(host.url, sampleEvent('cards.authorization'), { key: 'wrong' });
	await post(host.url, sampleEvent('cards.cleared'));
	expect(new Set(read)).toEqual(new Set(['events', 'options']));
	await post(host.url, sampleEvent('cards.authorization'));
	expect(read).toContain('rules');
});

it("an execution can be found by the event's business keys", async () => {
	const host = await listening(['cards.cleared', 'company_activity.client_status', 'other']);
	const cleared = sampleEvent('cards.cleared', { operation_id: 'o'.repeat(600) });
	const status = sampleEvent('company_activity.client_status', { operation_id: 'op-2' });
	const strange = sampleEvent('cards.cleared', { event_type: 'new', data: { card_id: 5 } });
	await post(host.url, cleared, { headers: headersWith(['x-trace-id', 'trace-1']) });
	await post(host.url, status);
	await post(host.url, strange);
	await until(() => host.executions[2]?.outputs);
	expect(host.executions.map(({ customData }) => customData)).toEqual([
		{
			event: 'cards.cleared',
			operation_id: 'o'.repeat(255),
			card_id: cleared.data.card_id,
			trace_id: 'trace-1',
		},
		{ event: 'company_activity.client_status', operation_id: 'op-2', client_id: status.data.id },
		{ event: 'cards.new', operation_id: strange.operation_id, card_id: '5' },
	]);
});
