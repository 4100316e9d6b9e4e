import type { IHookFunctions, INodeParameters } from 'n8n-workflow';

import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { NOT_ALLOWED } from '../../../../nodes/CardTreasuryTrigger/delivery/admit.ts';
import { ACKNOWLEDGEMENT } from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { eventName, EVENTS } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';
import { useFakeTimers, useRealTimers } from '../../shared/fakeTimers.mts';
import { loadWithout } from '../../shared/otherHost.mts';

const events = ['cards.authorization'];

beforeEach(useFakeTimers);
afterEach(useRealTimers);

interface Host {
	mode?: 'manual' | 'trigger';
	credential?: { webhookKey: string; previousWebhookKey?: string };
	getCredentials?: () => Promise<never>;
	/** How the test URL answers. */
	answer?: () => Promise<{ statusCode: number; body?: unknown; headers?: object }>;
	/** Settings of the node. */
	settings?: object;
	/** `null` in an n8n that does not tell them. */
	workflowSettings?: object | null;
	origin?: string;
	activation?: 'activate' | 'update' | 'init' | 'leadershipChange';
	/** Nodes behind the trigger, each one before the next. */
	behind?: Array<{ name: string; type?: string; parameters?: INodeParameters; disabled?: boolean }>;
	/** The node as another n8n loads it. */
	trigger?: CardTreasuryTrigger;
}

/** Listens or publishes; returns what was posted, what of it while n8n was not listening yet, and what was logged. */
async function activate(
	parameters: INodeParameters,
	{
		mode = 'trigger',
		credential = { webhookKey: 'key-1' },
		getCredentials,
		answer,
		settings,
		workflowSettings = {},
		origin = 'https://n8n.example.com',
		activation = 'activate',
		behind = [],
		trigger = new CardTreasuryTrigger(),
	}: Host = {},
) {
	const posted: any[] = [];
	const warnings: string[] = [];
	const errors: string[] = [];
	const hook = {
		getNode: () => ({
			name: 'Card Treasury Trigger',
			type: 'x',
			typeVersion: 2,
			parameters,
			...settings,
		}),
		getActivationMode: () => activation,
		getExecutionId: () => undefined,
		getChildNodes: () => behind.map((node) => ({ type: 'x', ...node })),
		getParentNodes: (name: string) =>
			behind.slice(
				0,
				behind.findIndex((each) => each.name === name),
			),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		...(workflowSettings && { getWorkflowSettings: () => workflowSettings }),
		getCredentials: getCredentials ?? (async () => credential),
		getMode: () => mode,
		getNodeWebhookUrl: (name: string) => `${origin}/webhook-test/${name}`,
		logger: {
			warn: (line: string) => warnings.push(line),
			error: (line: string) => errors.push(line),
		},
		helpers: {
			async httpRequest(options: object) {
				posted.push(options);
				return await (answer?.() ?? Promise.resolve({ statusCode: 200, body: ACKNOWLEDGEMENT }));
			},
		},
	} as unknown as IHookFunctions;
	const published = await trigger.webhookMethods.default.create.call(hook);
	// n8n listens only when the hook has returned, and some time after.
	await jest.advanceTimersByTimeAsync(250);
	const early = [...posted];
	await jest.advanceTimersByTimeAsync(1_000);
	return { published, posted, early, warnings, errors };
}

describe('publishing', () => {
	it.each([
		[{ events: ['cards.cleared'] }],
		[{ events }],
		[{ events, rules: { rule: [{ decision: 'approve', conditions: { amountTo: '5' } }] } }],
		[{ events, deadlineMs: 800, fallbackDecision: 'none' }],
		[{ events: ['cards.cleared'], rules: { rule: [{ conditions: { amountTo: 'hidden' } }] } }],
		[{ events, testEvent: 'cards.refund', options: { ipAllowlist: '10.0.0.0/8' } }],
	])('the parameters %j are accepted', async (parameters) => {
		const nothing = { posted: [], early: [], warnings: [], errors: [] };
		expect(await activate(parameters)).toEqual({ published: true, ...nothing });
	});

	it.each([
		[
			{ events, rules: { rule: [{ name: 'small', conditions: { amountTo: '5 €' } }] } },
			/small.*Amount To/,
		],
		[
			{ events, rules: { rule: [{ name: 'new', decision: 'other', responseCode: 'approve' }] } },
			/new.*Decline Code.*decline reason/,
		],
		[{}, /Events/],
		[{ events, defaultDecision: 'other', defaultResponseCode: 'OK' }, /Default Response Code/],
		[{ events, deadlineMs: 1_200 }, /Deadline/],
		[{ events, options: { ipAllowlist: 'here' } }, /IP Allowlist/],
	])("the parameters %j are refused with the field's name", async (parameters, message) => {
		await expect(activate(parameters)).rejects.toThrow(message);
	});

	it('a refusal states that the URL is down, but not in a test run', async () => {
		const down = /\. Until this workflow is published, its webhook URL answers 404\.$/;
		const parameters = { events: ['cards.cleared'] };
		const missing = async () => await Promise.reject(new Error('Credential not found'));
		for (const refused of [
			activate({}),
			activate(parameters, { settings: { retryOnFail: true } }),
			activate(parameters, { credential: { webhookKey: '' } }),
			activate(parameters, { getCredentials: missing }),
		])
			await expect(refused).rejects.toThrow(down);
		await expect(activate({}, { mode: 'manual' })).rejects.not.toThrow(down);
	});

	it.each([
		[{ webhookKey: 'schlüssel' }, 'Character 5 of the Webhook Key in the credential'],
		[
			{ webhookKey: 'key-1', previousWebhookKey: ' k\tk' },
			'Character 2 of the Previous Webhook Key',
		],
	])('the keys %j are refused, because a header cannot hold them', async (credential, message) => {
		const refused = activate({ events: ['cards.cleared'] }, { credential });
		await expect(refused).rejects.toThrow(`${message}`);
		await expect(
			activate({ events: ['cards.cleared'] }, { credential, mode: 'manual' }),
		).rejects.not.toThrow(credential.webhookKey);
	});

	it.each([
		[{ retryOnFail: true }, 'Retry On Fail is on'],
		[{ alwaysOutputData: true }, 'Always Output Data is on'],
		[{ onError: 'continueRegularOutput' }, 'On Error is not Stop Workflow'],
		[{ continueOnFail: true }, 'On Error is not Stop Workflow'],
	])('the settings %j are refused, because n8n would lose events', async (settings, message) => {
		const parameters = { events: ['cards.cleared'] };
		await expect(activate(parameters, { settings })).rejects.toThrow(message);
	});

	it("a workflow on n8n's Engine 2.0 is refused", async () => {
		const parameters = { events: ['cards.cleared'] };
		for (const mode of ['trigger', 'manual'] as const) {
			const refused = activate(parameters, { mode, workflowSettings: { engineType: 'v2' } });
			await expect(refused).rejects.toThrow('Engine 2.0');
		}
		expect(await activate(parameters, { workflowSettings: { engineType: 'v1' } })).toMatchObject({
			published: true,
		});
	});

	it.each(['', '  '])('a credential with the webhook key "%s" is refused', async (webhookKey) => {
		const refused = activate({ events: ['cards.cleared'] }, { credential: { webhookKey } });
		await expect(refused).rejects.toThrow('The credential has no Webhook Key');
	});

	describe('n8n before 2.20', () => {
		let trigger: CardTreasuryTrigger;

		beforeAll(async () => {
			const { CardTreasuryTrigger: Older } = await loadWithout(
				['WorkflowExpression'],
				async () =>
					await import('../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts'),
			);
			trigger = new Older();
		});

		it('publishing is refused', async () => {
			const older = { trigger, workflowSettings: null };
			await expect(activate({ events: ['cards.cleared'] }, older)).rejects.toThrow(
				'needs n8n 2.20',
			);
		});
	});
});

describe("n8n's start and change of leader", () => {
	const broken: Array<[string, INodeParameters, Host]> = [
		['a rule', { events, rules: { rule: [{ conditions: { amountTo: '' } }] } }, {}],
		['the allowlist', { events, options: { ipAllowlist: '' } }, {}],
		['the webhook key', { events }, { credential: { webhookKey: '' } }],
		['a setting', { events }, { settings: { retryOnFail: true } }],
		[
			'the credential',
			{ events },
			{ getCredentials: async () => await Promise.reject(new Error('gone')) },
		],
		['the answer', { events, defaultDecision: 'ask' }, {}],
	];

	it.each(broken)(
		'a problem with %s is logged, and takes nothing down',
		async (_, parameters, more) => {
			for (const activation of ['init', 'leadershipChange'] as const) {
				const { published, errors } = await activate(parameters, { ...more, activation });
				expect(published).toBe(true);
				expect(errors).toEqual([expect.stringContaining('has a problem, and stays published')]);
			}
			for (const activation of ['activate', 'update'] as const)
				await expect(activate(parameters, { ...more, activation })).rejects.toThrow();
		},
	);

	it('a message has no word that keeps n8n from trying again', async () => {
		const rules = { rule: [{ name: 'Authorization', conditions: { amountTo: '' } }] };
		await expect(activate({ events, rules })).rejects.toThrow('Rule "authorization"');
		await expect(activate({ events, rules })).rejects.not.toThrow('Authorization');
	});
});

describe('publishing rules that ask', () => {
	const asking = {
		events,
		rules: { rule: [{ name: 'large', decision: 'ask', conditions: { amountFrom: '200' } }] },
	};
	const respond = {
		name: 'Respond',
		parameters: { resource: 'authorization', operation: 'respond' },
	};
	const wait = (parameters: INodeParameters) => ({
		name: 'Pause',
		type: 'n8n-nodes-base.wait',
		parameters,
	});

	it('a workflow without a node that answers is refused', async () => {
		const message = 'No node answers the card authorizations that are asked';
		await expect(activate(asking)).rejects.toThrow(message);
		const off = { ...respond, disabled: true };
		await expect(activate(asking, { behind: [off] })).rejects.toThrow(message);
		expect(await activate(asking, { behind: [respond] })).toMatchObject({ published: true });
	});

	it.each([
		[{ name: 'Ask in Slack', parameters: { operation: 'sendAndWait' } }],
		[{ name: 'Page', type: 'n8n-nodes-base.form' }],
		[wait({})],
		[wait({ resume: 'webhook' })],
		[wait({ resume: 'timeInterval', unit: 'seconds', amount: 5 })],
	])('%j before the answer is refused, and after it is accepted', async (node) => {
		await expect(activate(asking, { behind: [node, respond] })).rejects.toThrow(
			`"${node.name}" waits before the authorization is answered: the purchase will be decided after 1 s by its fallback (declined, unless you changed it), before anybody clicks.`,
		);
		expect(await activate(asking, { behind: [respond, node] })).toMatchObject({ published: true });
		const declining = { events, rules: { rule: [{ conditions: { amountFrom: '200' } }] } };
		expect(await activate(declining, { behind: [node, respond] })).toMatchObject({
			published: true,
		});
	});

	it('a wait of less than a second is accepted', async () => {
		const behind = [wait({ unit: 'seconds', amount: 0.2 }), respond];
		expect(await activate(asking, { behind })).toMatchObject({ published: true });
	});
});

describe('sample', () => {
	const listening = async (testEvent: string, more: Host = {}, options: INodeParameters = {}) =>
		await activate(
			{ events: EVENTS.map(eventName), testEvent, options },
			{ mode: 'manual', ...more },
		);

	it('each sample is posted to the test URL after the hook has returned', async () => {
		for (const name of EVENTS.map(eventName)) {
			const { posted, early, warnings } = await listening(name);
			expect(early).toEqual([]);
			expect(posted).toMatchObject([
				{
					method: 'POST',
					url: 'https://n8n.example.com/webhook-test/default',
					headers: {
						'X-Webhook-Key': 'key-1',
						'X-Request-Timestamp': expect.stringMatching(/^\d{13}$/),
						'X-Trace-Id': expect.stringMatching(/^sample-/),
					},
					body: { operation_id: expect.any(String), data: expect.any(Object) },
					disableFollowRedirect: true,
				},
			]);
			const { product, event_type, operation_id, data } = posted[0].body;
			expect(`${product}.${event_type}`).toBe(name);
			// §6.5: for this event it is only the card.
			expect(operation_id).toBe(
				event_type === 'card_blocked_by_velocity' ? data.card_id : posted[0].headers['X-Trace-Id'],
			);
			expect(warnings).toEqual([]);
		}
	});

	it('no sample is sent by a published workflow, or while a real event is awaited', async () => {
		expect((await listening('cards.cleared', { mode: 'trigger' })).posted).toEqual([]);
		expect((await listening('real')).posted).toEqual([]);
	});

	it.each([
		[['cards.refund', 'cards.cleared'], 'refund'],
		[['other', 'cards.refund'], 'refund'],
		[['other'], 'authorized'],
	])('the first event of %j is sent', async (chosen, event_type) => {
		const { posted } = await activate({ events: chosen }, { mode: 'manual' });
		expect(posted).toMatchObject([{ body: { product: 'cards', event_type } }]);
	});

	it('a sample may go to Other, and needs an output', async () => {
		const parameters = { testEvent: 'cards.refund' };
		const taken = await activate({ ...parameters, events: ['other'] }, { mode: 'manual' });
		expect(taken.posted).toMatchObject([{ body: { event_type: 'refund' } }]);
		await expect(
			activate({ ...parameters, events: ['cards.card_blocked_by_velocity'] }, { mode: 'manual' }),
		).rejects.toThrow(
			'Test With is Cards: Refund, but Events has only Cards: Card Blocked by Velocity. Change Test With.',
		);
	});

	it('Sample Changes change it field by field', async () => {
		const changes = { bill_amount: '20.00', merchant_data: { mcc_code: '7995' }, fees: null };
		for (const sampleChanges of [changes, JSON.stringify(changes)]) {
			const { posted } = await listening('cards.authorization', {}, { sampleChanges } as any);
			expect(posted[0].body.data).toMatchObject({
				bill_amount: '20.00',
				bill_currency_code: 'USD',
				merchant_data: { name: 'Coffee & Books', mcc_code: '7995' },
				fees: null,
			});
		}
		expect((await listening('cards.refund', {}, { sampleChanges: ' ' })).posted).toHaveLength(1);
	});

	it('Sample Status sets the status of the event', async () => {
		const options = { sampleStatus: 'canceled' };
		const { posted } = await listening('virtual_wallets.withdraw', {}, options);
		expect(posted[0].body).toMatchObject({ status: 'canceled', data: { reason: 'sample-reason' } });
		const failed = await activate({ events: ['treasury.transfer.failed'] }, { mode: 'manual' });
		expect(failed.posted[0].body).toMatchObject({ event_type: 'transfer', status: 'failed' });
	});

	it('a sample that no chosen event would take is refused', async () => {
		const options = { sampleStatus: 'success' };
		await expect(
			activate({ events: ['treasury.transfer.failed'], options }, { mode: 'manual' }),
		).rejects.toThrow('Change Sample Status or Sample Changes.');
		await expect(listening('cards.cleared', {}, { sampleStatus: 'gone' })).rejects.toThrow(
			'Sample Status is not in the list',
		);
	});

	it.each(['http://n8n.example.com', 'http://10.0.0.7:5678', 'http://127.0.0.1.evil.com'])(
		'the sample is not sent to %s, because it carries the key',
		async (origin) => {
			await expect(listening('cards.cleared', { origin })).rejects.toThrow('starts with https://');
			expect((await listening('real', { origin })).posted).toEqual([]);
		},
	);

	it.each(['http://localhost:5678', 'http://127.0.0.1:5678'])(
		'the sample is sent to %s',
		async (origin) => {
			expect((await listening('cards.cleared', { origin })).posted).toHaveLength(1);
		},
	);

	it.each([
		['fails', async () => await Promise.reject(new Error('ECONNREFUSED')), /ECONNREFUSED/],
		['is answered with 404', async () => ({ statusCode: 404 }), /HTTP 404/],
		[
			'is answered with 403 by this trigger',
			async () => ({ statusCode: 403, body: NOT_ALLOWED.body }),
			/HTTP 403, because this n8n's own address is not in IP Allowlist/,
		],
		[
			'is answered with 403 by a firewall',
			async () => ({ statusCode: 403, body: '<html>Blocked</html>' }),
			/HTTP 403: ‹html›Blocked‹\/html›\. Still/,
		],
		[
			'is answered with 403 by a firewall in our form',
			async () => ({ statusCode: 403, body: { code: 'FORBIDDEN', message: 'Blocked' } }),
			/HTTP 403: \{"code":"FORBIDDEN","message":"Blocked"\}\. Still/,
		],
		['is answered with nothing', async () => ({ statusCode: 502, body: '' }), /HTTP 502\. Still/],
		[
			'is redirected',
			async () => ({
				statusCode: 302,
				body: '',
				headers: { location: 'https://login.example.com/?to=<x>' },
			}),
			/HTTP 302, which leads to https:\/\/login.example.com\/\?to=‹x›\. Set WEBHOOK_URL/,
		],
		[
			'is answered with 200 by a login page',
			async () => ({ statusCode: 200, body: '<html>Log in</html>' }),
			/HTTP 200: ‹html›Log in‹\/html›\. Still/,
		],
	])('a sample that %s is a warning, and the trigger continues to wait', async (_, answer, why) => {
		const { published, warnings } = await listening('cards.cleared', { answer });
		expect(published).toBe(true);
		expect(warnings).toEqual([expect.stringMatching(why)]);
		expect(warnings[0]).toContain('Still waiting for a real event');
	});
});
