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

	it('its item has the facts of its delivery', async () => {
		const host = await listening(['cards.cleared']);
		const headers: Array<[string, string]> = [
			['x-webhook-key', 'test-webhook-key'],
			['content-type', 'application/json'],
			['x-trace-id', 'trace-1'],
			['x-request-timestamp', String(Date.UTC(2026, 10, 21, 10))],
		];
		await post(host.url, sampleEvent('cards.cleared', { operation_id: 'op-1' }), { headers });
		expect(host.executions[0]!.items[0]!.json.delivery).toEqual({
			key: 'cards:cleared:op-1:success',
			trace_id: 'trace-1',
			sent_at: '2026-11-21T10:00:00.000Z',
			received_at: expect.stringMatching(/Z$/),
		});
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

	// §6.2, by hand.
	it.each(['pending', 'success', 'failed', 'canceled', 'time_canceled', 'manual_check'])(
		'one with the status %s is passed on without an issue',
		async (status) => {
			const host = await listening(['treasury.transfer']);
			await post(host.url, sampleEvent('treasury.transfer', { status }));
			await until(() => host.executions[0]?.outputs);
			const { json } = host.executions[0]!.outputs![0]![0]!;
			expect(json.status).toBe(status);
			expect(json.delivery).not.toHaveProperty('schema_issues');
		},
	);

	it('a chosen event never goes to Other, whatever the position of Other', async () => {
		for (const events of [
			['other', 'cards.cleared', 'cards.refund'],
			['cards.refund', 'other', 'cards.cleared'],
		]) {
			const host = await listening(events);
			await post(host.url, sampleEvent('cards.cleared'));
			await until(() => host.executions[0]?.outputs);
			expect(host.executions[0]!.outputs!.map((items) => items.length)).toEqual(
				events.map((each) => Number(each === 'cards.cleared')),
			);
		}
	});

	it('one that is chosen twice has one output', async () => {
		const host = await listening(['cards.cleared', 'cards.refund', 'cards.cleared']);
		await post(host.url, sampleEvent('cards.refund'));
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs!.map((items) => items.length)).toEqual([0, 1]);
	});
});

describe('event that is not chosen', () => {
	it.each([
		['cards.refund', {}, OK],
		['cards.cleared', { product: 'new_product' }, OK],
		['cards.cleared', { event_type: 'new_event' }, OK],
		['cards.authorization', {}, { status: 501, json: { code: 'NOT_DECIDED' } }],
	])('%s %j is answered and starts no execution', async (name, overrides, answer) => {
		const host = await listening(['cards.cleared']);
		expect(await post(host.url, sampleEvent(name, overrides))).toMatchObject(answer);
		expect(host.executions).toEqual([]);
	});

	it.each([
		['cards.refund', {}, OK],
		['cards.cleared', { product: 'new_product' }, OK],
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
	it('both are accepted while both are set, and only the new one after the old one is removed', async () => {
		const credential = { webhookKey: 'new-key', previousWebhookKey: 'old-key' };
		const host = await listening(['cards.cleared'], { credential });
		const status = async (key: string) =>
			(await post(host.url, sampleEvent('cards.cleared'), { key })).status;
		expect([await status('old-key'), await status('new-key')]).toEqual([200, 200]);
		credential.previousWebhookKey = '';
		const now = performance.now();
		const clock = jest.spyOn(performance, 'now').mockImplementation(() => now + 1_000);
		expect([await status('old-key'), await status('new-key')]).toEqual([401, 200]);
		clock.mockRestore();
	});

	it('a previous key is refused without a current one', async () => {
		const credential = { webhookKey: '', previousWebhookKey: 'old-key' };
		const host = await listening(['cards.cleared'], { credential });
		expect(await post(host.url, sampleEvent('cards.cleared'), { key: 'old-key' })).toMatchObject({
			status: 401,
		});
	});

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

	it('they are read once for deliveries with the current key, and never for one without a key', async () => {
		const credentialRead = jest.fn();
		const host = await listening(['cards.cleared'], { credentialRead });
		const headers: Array<[string, string]> = [['content-type', 'application/json']];
		expect(await post(host.url, sampleEvent('cards.cleared'), { headers })).toMatchObject({
			status: 401,
			json: { message: 'X-Webhook-Key is missing' },
		});
		expect(credentialRead).not.toHaveBeenCalled();
		for (let n = 0; n < 3; n++) await post(host.url, sampleEvent('cards.cleared'));
		expect(credentialRead).toHaveBeenCalledTimes(1);
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

	it('the test URL requires one too', async () => {
		const host = await listening(['cards.cleared'], { mode: 'manual' });
		expect(await post(host.url, sampleEvent('cards.cleared'), { key: 'wrong' })).toMatchObject({
			status: 401,
		});
		expect(host.executions).toEqual([]);
	});

	it('a delivery with a valid key that is too old is refused', async () => {
		const host = await start({
			parameters: { events: ['cards.cleared'], options: { maximumAgeSeconds: 60 } },
		});
		const headers = (at: number): Array<[string, string]> => [
			['x-webhook-key', 'test-webhook-key'],
			['content-type', 'application/json'],
			['x-request-timestamp', String(at)],
		];
		const status = async (at: number) =>
			(await post(host.url, sampleEvent('cards.cleared'), { headers: headers(at) })).status;
		expect([await status(Date.now() - 90_000), await status(Date.now())]).toEqual([401, 200]);
	});
});

describe('IP allowlist', () => {
	const allowing = async (ipAllowlist: unknown, sender: string) =>
		await start({
			parameters: { events: ['cards.cleared'], options: { ipAllowlist: ipAllowlist as string } },
			sender,
		});

	it('its senders are accepted', async () => {
		for (const sender of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::7']) {
			const host = await allowing('10.0.0.0/8, 2001:db8::/32', sender);
			expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject(OK);
		}
	});

	it.each([
		['10.0.0.0/8', '192.0.2.1'],
		['', '10.1.2.3'],
		[undefined, '10.1.2.3'],
		['10.0.0.0/8, here', '10.1.2.3'],
	])('%j refuses a sender at %s before its key is checked', async (ipAllowlist, sender) => {
		const host = await allowing(ipAllowlist, sender);
		for (const key of ['test-webhook-key', 'wrong'])
			expect(await post(host.url, sampleEvent('cards.cleared'), { key })).toMatchObject({
				status: 403,
				json: { code: 'FORBIDDEN', message: expect.any(String) },
			});
		expect(host.executions).toEqual([]);
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

	it('a delivery that is refused for its age is logged', async () => {
		const options = { maximumAgeSeconds: 60 };
		const host = await start({ parameters: { events: ['cards.cleared'], options } });
		const headers: Array<[string, string]> = [
			['x-webhook-key', 'test-webhook-key'],
			['content-type', 'application/json'],
			['x-request-timestamp', String(Math.floor(Date.now() / 1_000))],
		];
		await post(host.url, sampleEvent('cards.cleared'), { headers });
		expect(host.warnings).toEqual([expect.stringContaining('is not in milliseconds')]);
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

describe('Maximum Age without a value', () => {
	it('no delivery is accepted', async () => {
		const options = { maximumAgeSeconds: undefined };
		const host = await start({ parameters: { events: ['cards.cleared'], options } });
		expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject({ status: 401 });
	});
});

describe('sender\'s own "delivery"', () => {
	it('it never replaces the facts or the key for duplicates', async () => {
		const host = await listening(['cards.cleared']);
		for (const operation_id of ['op-1', 'op-2']) {
			const event = sampleEvent('cards.cleared', { operation_id });
			await post(host.url, { ...event, delivery: { key: 'forged', answer_by: '2099' } });
		}
		await until(() => host.executions[1]?.outputs);
		expect(host.executions.map(({ outputs }) => outputs![0]!.length)).toEqual([1, 1]);
		const [{ delivery }] = host.executions[0]!.items.map(({ json }) => json) as [any];
		expect(delivery).toMatchObject({ key: 'cards:cleared:op-1:success' });
		expect(delivery).not.toHaveProperty('answer_by');
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

describe('custom execution data that n8n refuses', () => {
	it('an event still reaches its output', async () => {
		const host = await listening(['cards.cleared'], { customDataFails: true });
		expect(await post(host.url, sampleEvent('cards.cleared'))).toMatchObject(OK);
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs![0]).toHaveLength(1);
	});
});
