import {
	createClaims,
	CLAIM_LIMITS,
} from '../../../nodes/CardTreasuryTrigger/duplicates/claims.ts';
import { EVENT_NAMES, sampleEvent } from '../../simulator/index.mts';
import { until } from '../../simulator/until.mts';
import { door } from './door.mts';
import { useHosts } from './hosts.mts';
import { post } from './post.mts';

const OK = { status: 200, json: { response_code: 'OK' } };

const { start, listening } = useHosts();

describe('each event', () => {
	it('lands on its own output, in the order chosen, with its payload', async () => {
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

	it('tells about its delivery', async () => {
		const host = await listening(['cards.cleared']);
		const headers: Array<[string, string]> = [
			['x-webhook-key', 'test-webhook-key'],
			['content-type', 'application/json'],
			['x-trace-id', 'trace-1'],
			['x-request-timestamp', String(Date.UTC(2026, 10, 21, 10))],
		];
		await post(host.url, sampleEvent('cards.cleared', { operation_id: 'op-1' }), { headers });
		expect(host.executions[0]!.items[0]!.json.delivery).toEqual({
			key: 'cards:cleared:op-1',
			trace_id: 'trace-1',
			sent_at: '2026-11-21T10:00:00.000Z',
			received_at: expect.stringMatching(/Z$/),
		});
	});

	it('chosen twice has one output', async () => {
		const host = await listening(['cards.cleared', 'cards.refund', 'cards.cleared']);
		await post(host.url, sampleEvent('cards.refund'));
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs!.map((items) => items.length)).toEqual([0, 1]);
	});
});

describe('what is not chosen', () => {
	it.each([
		['cards.refund', {}, OK],
		['cards.cleared', { product: 'new_product' }, OK],
		['cards.cleared', { event_type: 'new_event' }, OK],
		['cards.authorization', {}, { status: 501, json: { code: 'NOT_DECIDED' } }],
	])('%s %j is answered and starts nothing', async (name, overrides, answer) => {
		const host = await listening(['cards.cleared']);
		expect(await post(host.url, sampleEvent(name, overrides))).toMatchObject(answer);
		expect(host.executions).toEqual([]);
	});

	it.each([
		['cards.refund', {}, OK],
		['cards.cleared', { product: 'new_product' }, OK],
		['cards.cleared', { event_type: 'new_event' }, OK],
		['cards.authorization', {}, { status: 501, json: { code: 'NOT_DECIDED' } }],
	])('%s %j runs once through other', async (name, overrides, answer) => {
		const host = await listening(['other', 'cards.cleared']);
		const event = sampleEvent(name, overrides);
		for (let copy = 0; copy < 3; copy++) expect(await post(host.url, event)).toMatchObject(answer);
		await until(() => host.executions[0]?.outputs);
		expect(host.executions).toHaveLength(1);
		expect(host.executions[0]!.outputs!.map((items) => items.length)).toEqual([1, 0]);
	});
});

describe('keys', () => {
	it('old and new are accepted while both are set; after removal of the old one only the new', async () => {
		const credential = { webhookKey: 'new-key', previousWebhookKey: 'old-key' };
		const host = await listening(['cards.cleared'], { credential });
		const status = async (key: string) =>
			(await post(host.url, sampleEvent('cards.cleared'), { key })).status;
		expect([await status('old-key'), await status('new-key')]).toEqual([200, 200]);
		credential.previousWebhookKey = '';
		expect([await status('old-key'), await status('new-key')]).toEqual([401, 200]);
	});

	it('are read once a second at most while the current one is delivered; any other is held against the credential as it is', async () => {
		const credential = { webhookKey: 'first', previousWebhookKey: 'old' };
		const credentialRead = jest.fn();
		const host = await listening(['cards.cleared'], { credential, credentialRead });
		const time = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
		try {
			const deliver = async (...keys: string[]) => {
				credentialRead.mockClear();
				const statuses: number[] = [];
				for (const key of keys)
					statuses.push((await post(host.url, sampleEvent('cards.cleared'), { key })).status);
				return [...statuses, credentialRead.mock.calls.length];
			};
			expect(await deliver('first', 'first', 'first')).toEqual([200, 200, 200, 1]);
			expect(await deliver('old', 'wrong', 'first')).toEqual([200, 401, 200, 2]);
			Object.assign(credential, { webhookKey: 'second', previousWebhookKey: '' });
			expect(await deliver('old', 'first', 'second')).toEqual([401, 401, 200, 2]);
			credential.webhookKey = 'third';
			expect(await deliver('second', 'third', 'second')).toEqual([200, 200, 401, 2]);
			credential.webhookKey = 'fourth';
			time.mockReturnValue(1_800_000_001_000);
			expect(await deliver('third', 'fourth')).toEqual([401, 200, 1]);
			credential.webhookKey = '';
			time.mockReturnValue(1_800_000_002_000);
			expect(await deliver('fourth', 'fourth')).toEqual([401, 401, 2]);
		} finally {
			time.mockRestore();
		}
	});

	it('that were refused five times in a row are refused for a quarter of a second without asking again, and a missing one always is', async () => {
		const credential = { webhookKey: 'first', previousWebhookKey: '' };
		const credentialRead = jest.fn();
		const options = { maximumAgeSeconds: 60 };
		const host = await start({
			parameters: { events: ['cards.cleared'], options },
			credential,
			credentialRead,
		});
		const time = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
		try {
			const status = async (key: string, sentAt = Date.now()) =>
				(
					await post(host.url, sampleEvent('cards.cleared'), {
						headers: [
							['x-webhook-key', key],
							['content-type', 'application/json'],
							['x-request-timestamp', String(sentAt)],
						],
					})
				).status;
			for (let copy = 0; copy < 8; copy++) expect(await status('second')).toBe(401);
			expect(credentialRead).toHaveBeenCalledTimes(5);
			expect(await status('first')).toBe(200);
			Object.assign(credential, { webhookKey: 'second', previousWebhookKey: 'first' });
			time.mockReturnValue(1_800_000_000_250);
			expect(await status('second')).toBe(200);
			// The key was right, its delivery too old: that says nothing about the next one.
			expect([await status('first', 1_799_999_000_000), await status('first')]).toEqual([401, 200]);
			credentialRead.mockClear();
			expect(
				await post(host.url, sampleEvent('cards.cleared'), {
					headers: [['content-type', 'application/json']],
				}),
			).toMatchObject({
				status: 401,
				json: { message: 'X-Webhook-Key is missing' },
			});
			expect(credentialRead).not.toHaveBeenCalled();
		} finally {
			time.mockRestore();
		}
	});

	it('none in the credential, or no credential at all, lets nothing in', async () => {
		const none = await listening(['cards.cleared'], { credential: { webhookKey: '' } });
		expect(await post(none.url, sampleEvent('cards.cleared'), { key: '' })).toMatchObject({
			status: 401,
		});
		const missing = await listening(['cards.cleared'], {
			credential: new Error('Credential not found'),
		});
		expect(await post(missing.url, sampleEvent('cards.cleared'))).toMatchObject({ status: 401 });
	});

	it('are all that is looked at: a parameter that cannot be read starts nothing and breaks nothing', async () => {
		const host = await listening(['cards.cleared'], { unreadable: 'options' });
		for (const key of ['wrong', 'test-webhook-key']) {
			const answer = await post(host.url, sampleEvent('cards.cleared'), { key });
			expect(answer).toMatchObject({
				status: 500,
				json: { code: 'NOT_TAKEN', message: expect.any(String) },
			});
		}
		expect(host.executions).toEqual([]);
		expect(host.errors).toEqual(
			Array(2).fill(expect.stringContaining('The expression of options fails')),
		);
	});

	it('are asked for on the test URL too', async () => {
		const host = await listening(['cards.cleared'], { mode: 'manual' });
		expect(await post(host.url, sampleEvent('cards.cleared'), { key: 'wrong' })).toMatchObject({
			status: 401,
		});
		expect(host.executions).toEqual([]);
	});

	it('do not help a delivery that is too old', async () => {
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

describe('authorizations by rules', () => {
	const parameters = {
		events: ['cards.authorization', 'cards.cleared'],
		authorizationDecision: 'rules',
		rules: { rule: [{ name: 'small', amountTo: '60', responseCode: '00' }] },
		defaultResponseCode: '51',
	};
	const authorization = (bill_amount: string) =>
		sampleEvent('cards.authorization', { data: { bill_amount } });

	it('are answered before the execution is stored, which carries the decision', async () => {
		const storing = door();
		const host = await start({ parameters, store: storing.pass });
		expect(await post(host.url, authorization('59.99'))).toMatchObject({
			status: 200,
			json: { response_code: '00' },
		});
		expect(host.executions).toEqual([]);
		storing.open();
		await until(() => host.executions[0]?.outputs);
		expect(host.executions[0]!.outputs![0]![0]!.json.decision).toEqual({
			response_code: '00',
			source: 'rule',
			rule: 'small',
		});
	});

	it('repeated, get the first decision again, even after the rules have changed', async () => {
		const claims = createClaims(CLAIM_LIMITS);
		const first = await start({ parameters, claims, node: 'same' });
		const event = authorization('59.99');
		await post(first.url, event);
		const changed = await start({ parameters: { ...parameters, rules: {} }, claims, node: 'same' });
		expect(await post(changed.url, event)).toMatchObject({
			status: 200,
			json: { response_code: '00' },
		});
		expect(changed.executions).toEqual([]);
		expect(await post(changed.url, authorization('59.99'))).toMatchObject({
			json: { response_code: '51' },
		});
	});

	it.each([
		['all', 2],
		['declined', 1],
		['none', 0],
	])('run the workflow for %s', async (runWorkflowFor, executions) => {
		const host = await start({ parameters: { ...parameters, options: { runWorkflowFor } } });
		expect(await post(host.url, authorization('1'))).toMatchObject({
			json: { response_code: '00' },
		});
		expect(await post(host.url, authorization('99'))).toMatchObject({
			json: { response_code: '51' },
		});
		await post(host.url, sampleEvent('cards.cleared'));
		await until(() => host.executions.length === executions + 1);
	});
});
