import fc from 'fast-check';
import { Agent } from 'undici';

import { hostileDeliveries } from '../../../harness/deliveries/hostileDeliveries.mts';
import { mutate, mutations } from '../../../harness/deliveries/mutations.mts';
import { post } from '../../../harness/deliveries/post.mts';
import { EVENT_NAMES, sampleEvent } from '../../../simulator/index.mts';
import { startHost, WEBHOOK_KEY, type Host } from './host.mts';

const EVERYTHING = [...EVENT_NAMES, 'other'];

let host: Host;
let dispatcher: Agent;

beforeEach(async () => {
	host = await startHost({
		parameters: { events: EVERYTHING, options: { ignoreDuplicates: false } },
	});
	dispatcher = new Agent({ connections: 1 });
});

afterEach(async () => {
	await dispatcher.close();
	await host.close();
	expect(host.errors).toEqual([]);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe('hostile deliveries', () => {
	const table = hostileDeliveries(WEBHOOK_KEY);

	it.each(table)('$fate: $name', async ({ fate, body, headers }) => {
		const answer = await post(host.url, body, { headers, dispatcher });
		const items = host.executions.flatMap(({ items }) => items);
		if (fate === 'unauthenticated') {
			expect(answer).toMatchObject({
				status: 401,
				json: { code: 'AUTH', message: expect.any(String) },
			});
			expect(items).toEqual([]);
		} else if (fate === 'refused') {
			expect([400, 422]).toContain(answer.status);
			expect(answer.json.message).not.toBe('');
			expect(items).toEqual([]);
		} else {
			expect(answer.status).toBe(200);
			expect(items).toHaveLength(1);
			expect(items[0]!.json.delivery).toMatchObject({ key: expect.any(String) });
			const issues = (items[0]!.json.delivery as { schema_issues?: string[] }).schema_issues;
			if (fate === 'delivered') expect(issues).toBeUndefined();
			else expect(issues).toEqual(expect.arrayContaining([expect.stringMatching(/^[\w.]+: ./)]));
		}
		// The connection is fit for use afterwards.
		expect(await post(host.url, sampleEvent('cards.cleared'), { dispatcher })).toMatchObject({
			status: 200,
		});
	});
});

// Few of each, over real HTTP: test/e2e/triggerHostile.test.mts sends more of them to the real n8n.
describe('mutated envelopes', () => {
	it('each envelope is delivered, decided or refused with a message, never with a 5xx', async () => {
		let allowed = 0;
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...EVENT_NAMES), mutations(), async (name, changes) => {
				const before = host.executions.length;
				const answer = await post(host.url, mutate(sampleEvent(name), changes), { dispatcher });
				const ran = host.executions.length - before;
				if (answer.status === 200) {
					allowed++;
					expect(ran).toBe(1);
					expect(answer.json.response_code).toMatch(/^(OK|05)$/);
				} else {
					expect(answer.status).toBe(400);
					expect(answer.json.message).toMatch(/"(product|event_type|operation_id|data)"|body/);
					expect(ran).toBe(0);
				}
			}),
			{ numRuns: 50 },
		);
		expect(allowed).toBeGreaterThan(15);
	});

	it('an authorization that a rule cannot read is never approved', async () => {
		await host.close();
		host = await startHost({
			parameters: {
				events: ['cards.authorization'],
				rules: {
					rule: [
						{
							name: 'small',
							decision: 'approve',
							conditions: { amountFrom: '0', amountTo: '100', mccCodes: '5942' },
						},
					],
				},
				defaultDecision: 'approve',
				options: { ignoreDuplicates: false },
			},
		});
		const amountOf = (data: any): string =>
			typeof data?.bill_amount === 'string' ? data.bill_amount : '';
		// A category code may have lost its leading zeros.
		const mccOf = (data: any): string => {
			const mcc: unknown = data?.merchant_data?.mcc_code;
			return typeof mcc === 'string' ? mcc.trim() : '';
		};
		/** True if the rule can read both values, or one that it can read settles that it does not match. */
		const isDecidable = (data: any) => {
			const hasAmount = /^\d+(\.\d+)?$/.test(amountOf(data));
			const hasMcc = /^\d{1,4}$/.test(mccOf(data));
			const isTooLarge = hasAmount && Number(amountOf(data)) > 100;
			const isOtherMcc = hasMcc && Number(mccOf(data)) !== 5942;
			return isTooLarge || isOtherMcc || (hasAmount && hasMcc);
		};
		let approved = 0;
		await fc.assert(
			fc.asyncProperty(mutations(), async (changes) => {
				const body = mutate(sampleEvent('cards.authorization'), changes);
				const answer = await post(host.url, body, { dispatcher });
				const envelope = JSON.parse(body);
				if (answer.status !== 200 || answer.json.response_code !== '00') return;
				approved++;
				expect(isDecidable(envelope.data)).toBe(true);
			}),
			{ numRuns: 50 },
		);
		// Declining everything would be safe, and wrong.
		expect(approved).toBeGreaterThan(5);
	});
});
