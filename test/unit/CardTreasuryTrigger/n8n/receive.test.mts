import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { post } from '../../../harness/deliveries/post.mts';
import { EVENT_NAMES, sampleEvent } from '../../../simulator/index.mts';
import { until } from '../../../simulator/until.mts';
import type { HostOptions } from './host.mts';
import { useHosts } from './hosts.mts';

const OK = { status: 200, json: { response_code: 'OK' } };

const { start, listening } = useHosts();

describe('event', () => {
	it('each one is put on its own output, in the order chosen, with its payload', async () => {
		const events = [...EVENT_NAMES].reverse();
		const host = await listening(events, {
			parameters: { events, authorizationDecision: 'rules' },
		});
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

	it('its arrival is the time of the delivery, however long the parameters and the credential take', async () => {
		let now = Date.UTC(2026, 10, 21, 10);
		const date = jest.spyOn(Date, 'now').mockImplementation(() => now);
		const takeLong = () => (now += 250);
		const host = await listening(['cards.cleared'], {
			credentialRead: takeLong,
			parameterRead: takeLong,
		});
		await post(host.url, sampleEvent('cards.cleared'));
		date.mockRestore();
		expect(now).toBeGreaterThan(Date.UTC(2026, 10, 21, 10));
		expect(host.executions[0]!.items[0]!.json.delivery).toMatchObject({
			received_at: '2026-11-21T10:00:00.000Z',
		});
	});
});

describe('event that is not chosen', () => {
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

describe('webhook keys', () => {
	it('a key of a test run is refused on the production URL', async () => {
		const trigger = new CardTreasuryTrigger();
		const shared = { trigger, node: 'same' };
		const credential = { webhookKey: 'sandbox-key' };
		const test = await listening(['cards.cleared'], { ...shared, mode: 'manual', credential });
		const production = await listening(['cards.cleared'], shared);
		const event = sampleEvent('cards.cleared');
		expect(await post(test.url, event, { key: 'sandbox-key' })).toMatchObject(OK);
		expect(await post(production.url, event, { key: 'sandbox-key' })).toMatchObject({
			status: 401,
		});
	});

	it('a key of a trigger is refused by its copy in another workflow', async () => {
		const shared = { trigger: new CardTreasuryTrigger(), node: 'same' };
		const own = await listening(['cards.cleared'], shared);
		const credential = { webhookKey: 'key-of-the-copy' };
		const copy = await listening(['cards.cleared'], { ...shared, workflowId: 'copy', credential });
		const event = sampleEvent('cards.cleared');
		expect(await post(own.url, event)).toMatchObject(OK);
		expect(await post(copy.url, event)).toMatchObject({ status: 401 });
		expect(await post(copy.url, event, { key: 'key-of-the-copy' })).toMatchObject(OK);
	});

	it('nothing is accepted without a key in the credential or without a credential', async () => {
		const none = await listening(['cards.cleared'], { credential: { webhookKey: '' } });
		expect(await post(none.url, sampleEvent('cards.cleared'), { key: '' })).toMatchObject({
			status: 401,
		});
		const missing = await listening(['cards.cleared'], {
			credential: new Error('Credential not found'),
		});
		expect(await post(missing.url, sampleEvent('cards.cleared'))).toMatchObject({ status: 401 });
	});

	it('a delivery without a valid key starts nothing, even if a parameter cannot be read', async () => {
		const host = await listening(['cards.cleared'], { unreadable: 'options' });
		for (const key of ['wrong', 'test-webhook-key']) {
			const answer = await post(host.url, sampleEvent('cards.cleared'), { key });
			expect(answer).toMatchObject({
				status: 500,
				json: { code: 'NOT_TAKEN', message: expect.any(String) },
			});
		}
		expect(host.executions).toEqual([]);
		expect(host.errors).toEqual([expect.stringContaining('The expression of options fails')]);
	});
});

describe('IP allowlist', () => {
	const allowing = async (ipAllowlist: unknown, sender: string) =>
		await start({
			parameters: { events: ['cards.cleared'], options: { ipAllowlist: ipAllowlist as string } },
			sender,
		});

	it('the address that n8n reports counts, not one that the sender claims', async () => {
		const headers: Array<[string, string]> = [
			['x-webhook-key', 'test-webhook-key'],
			['content-type', 'application/json'],
		];
		for (const [sender, named, status] of [
			['192.0.2.1', '10.1.2.3', 403],
			['10.1.2.3', '192.0.2.1', 200],
		] as const) {
			const host = await allowing('10.0.0.0/8', sender);
			for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip']) {
				const more: Array<[string, string]> = [...headers, [name, named]];
				const answer = await post(host.url, sampleEvent('cards.cleared'), { headers: more });
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
		'events are refused with %s, so that the service repeats them',
		async (name, settings) => {
			const host = await listening(['cards.refund', 'cards.cleared'], settings);
			for (let n = 0; n < 2; n++)
				expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject({
					status: 503,
					json: { code: 'NOT_TAKEN', message: expect.stringContaining(name) },
				});
			// Nothing is to be done with it.
			expect(await post(host.url, sampleEvent('treasury.transfer'))).toMatchObject(OK);
			expect(host.executions).toEqual([]);
			expect(host.errors).toEqual([expect.stringContaining(name)]);
		},
	);

	it('authorizations are decided by the rules or the fallback', async () => {
		const events = ['cards.authorization'];
		const fallback = { authorizationDecision: 'workflow', fallbackDecision: 'other' };
		for (const [parameters, answer] of [
			[{ events, defaultDecision: 'approve' }, { json: { response_code: '00' } }],
			[
				{ events, ...fallback, fallbackResponseCode: '91', deadlineMs: 1_150 },
				{ json: { response_code: '91' } },
			],
			[{ events: ['other'] }, { status: 501 }],
		] as const) {
			const host = await start({
				parameters: { ...parameters, events: [...parameters.events] },
				nodeSettings: { alwaysOutputData: true },
			});
			expect(await post(host.url, sampleEvent('cards.authorization'))).toMatchObject(answer);
			expect(host.executions).toEqual([]);
			expect(host.errors).toEqual([expect.stringContaining('Always Output Data is on')]);
		}
	});

	it('events are accepted again after it is removed', async () => {
		const trigger = new CardTreasuryTrigger();
		const shared = { trigger, node: 'same' };
		const event = sampleEvent('cards.cleared');
		const refusing = { ...shared, nodeSettings: { alwaysOutputData: true } };
		const before = await listening(['cards.cleared'], refusing);
		expect(await post(before.url, event)).toMatchObject({ status: 503 });
		const after = await listening(['cards.cleared'], shared);
		expect(await post(after.url, event)).toMatchObject(OK);
		expect(after.executions).toHaveLength(1);
	});
});

describe('refused delivery', () => {
	const refusals: Array<[string, string, Parameters<typeof post>[2], unknown, string]> = [
		['key', 'cards.cleared', { key: 'wrong' }, {}, '401: The value of X-Webhook-Key is not'],
		['envelope', 'cards.cleared', {}, { data: 5 }, '400: "data" must be an object'],
		['event', 'cards.authorization', {}, {}, '501: This trigger does not decide'],
	];

	it.each(refusals)('a refusal of its %s is logged once a minute', async (...given) => {
		const [, name, options, changes, line] = given;
		let now = Math.ceil(performance.now());
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
		const host = await listening(['cards.cleared']);
		const refused = async () =>
			await post(host.url, { ...sampleEvent(name), ...(changes as object) }, options);
		for (let n = 0; n < 3; n++) await refused();
		now += 59_999;
		await refused();
		expect(host.warnings).toEqual([
			expect.stringContaining(`Card Treasury Trigger refused a delivery with ${line}`),
		]);
		now += 1;
		await refused();
		clock.mockRestore();
		expect(host.warnings).toHaveLength(2);
		expect(host.warnings[1]).toMatch(/ \(4 times since this was last logged\)$/);
		expect(host.warnings.join()).not.toMatch(/test-webhook-key|wrong/);
	});

	it('a refused sender is logged with the address that n8n saw', async () => {
		const parameters = { events: ['cards.cleared'], options: { ipAllowlist: '10.0.0.0/8' } };
		const host = await start({ parameters, sender: '192.0.2.1\n[forged]' });
		await post(host.url, sampleEvent('cards.cleared'));
		expect(host.warnings).toEqual([
			'Card Treasury Trigger refused a delivery with 403: This sender is not in the IP allowlist. This n8n saw the address "192.0.2.1\\n[forged]"',
		]);
	});
});

describe('rules', () => {
	it('they are read only for authorizations of an accepted sender', async () => {
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
});

describe('execution', () => {
	it("it can be found by the event's business keys", async () => {
		const host = await listening(['cards.cleared', 'company_activity.client_status', 'other']);
		const cleared = sampleEvent('cards.cleared', { operation_id: 'o'.repeat(600) });
		const status = sampleEvent('company_activity.client_status', { operation_id: 'op-2' });
		const strange = sampleEvent('cards.cleared', { event_type: 'new', data: { card_id: 5 } });
		const headers: Array<[string, string]> = [
			['x-webhook-key', 'test-webhook-key'],
			['content-type', 'application/json'],
			['x-trace-id', 'trace-1'],
		];
		await post(host.url, cleared, { headers });
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
			{
				event: 'company_activity.client_status',
				operation_id: 'op-2',
				client_id: status.data.id,
			},
			{ event: 'cards.new', operation_id: strange.operation_id },
		]);
	});
});
