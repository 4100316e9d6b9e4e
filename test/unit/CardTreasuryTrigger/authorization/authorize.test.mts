import { sleep } from 'n8n-workflow';
import {
	authorize,
	type DecisionSettings,
} from '../../../../nodes/CardTreasuryTrigger/authorization/authorize.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import { eventItem } from '../../../../nodes/CardTreasuryTrigger/delivery/item.ts';
import type { Outcome } from '../../../../nodes/CardTreasuryTrigger/delivery/outcome.ts';
import {
	CLAIM_LIMITS,
	createClaims,
} from '../../../../nodes/CardTreasuryTrigger/duplicates/claims.ts';
import { NOW, received } from '../delivery/received.mts';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: jest.fn(async () => undefined),
}));

const EVENT = received('cards.authorization');
const RULES: DecisionSettings = {
	authorizationDecision: 'rules',
	rules: readRules({}),
	defaultResponseCode: '05',
	deadlineMs: 1_000,
	fallbackResponseCode: '91',
	runWorkflowFor: 'all',
};
const WORKFLOW: DecisionSettings = { ...RULES, authorizationDecision: 'workflow' };
const says = (responseCode: string) => ({ status: 200, body: { response_code: responseCode } });
const replyOf = async (outcome: Outcome) =>
	outcome.kind === 'acknowledged by n8n' ? undefined : await outcome.reply;

function decide(outcome: Outcome, responseCode: string | undefined) {
	if (outcome.kind !== 'decided by the workflow') throw new Error(`It is ${outcome.kind}`);
	outcome.decide(responseCode);
}

// Time passes only in `sleep`, and here at once.
beforeEach(() => jest.mocked(sleep).mockClear());

describe('an authorization by rules', () => {
	it.each([
		['all', '00', true],
		['all', '51', true],
		['declined', '00', false],
		['declined', 'SUCCESS', false],
		['declined', '51', true],
		['none', '00', false],
		['none', '51', false],
	] as const)('run the workflow for %s, decided as %s: %s', (runWorkflowFor, code, runs) => {
		const settings = { ...RULES, runWorkflowFor, defaultResponseCode: code };
		const decision = { response_code: code, source: 'default' } as const;
		expect(authorize(EVENT, settings, undefined)).toEqual({
			kind: 'answered',
			reply: says(code),
			...(runs && { item: eventItem(EVENT, { decision }) }),
		});
	});

	it('is decided by the first rule that matches', async () => {
		const rules = readRules({ rule: [{ decision: 'approve', conditions: { channels: 'POS' } }] });
		expect(await replyOf(authorize(EVENT, { ...RULES, rules }, undefined))).toEqual(says('00'));
	});

	it('repeated, gets the first decision, and starts nothing', async () => {
		const claims = createClaims(CLAIM_LIMITS);
		authorize(EVENT, { ...RULES, defaultResponseCode: '51' }, claims('a'));
		const copy = authorize(EVENT, { ...RULES, defaultResponseCode: '00' }, claims('a'));
		expect(copy).toEqual({ kind: 'answered', reply: expect.any(Promise) });
		expect(await replyOf(copy)).toEqual(says('51'));
	});
});

describe('an authorization by the workflow', () => {
	it('starts it, and waits for its decision until the deadline', async () => {
		const outcome = authorize(EVENT, WORKFLOW, undefined);
		expect(outcome).toMatchObject({
			kind: 'decided by the workflow',
			item: eventItem(EVENT, { answerBy: NOW + 1_000 }),
		});
		expect(sleep).toHaveBeenCalledWith(1_000);
		decide(outcome, '51');
		expect(await replyOf(outcome)).toEqual(says('51'));
	});

	it('counts the deadline from the sending, too', () => {
		const outcome = authorize({ ...EVENT, sentAt: NOW - 300 }, WORKFLOW, undefined);
		expect(outcome).toMatchObject({
			item: { json: { delivery: { answer_by: '2026-11-21T10:00:00.800Z' } } },
		});
	});

	it.each([
		['00', '00'],
		[undefined, '91'],
	])('that decides %p is answered %s, and so is a copy', async (decided, code) => {
		const claims = createClaims(CLAIM_LIMITS);
		const first = authorize(EVENT, WORKFLOW, claims('a'));
		decide(first, decided);
		expect(await replyOf(first)).toEqual(says(code));
		const copy = authorize(EVENT, { ...WORKFLOW, fallbackResponseCode: '05' }, claims('a'));
		expect(copy).toEqual({ kind: 'answered', reply: expect.any(Promise) });
		expect(await replyOf(copy)).toEqual(says(code));
	});

	it('is answered by the fallback when it is due', async () => {
		expect(await replyOf(authorize(EVENT, WORKFLOW, undefined))).toEqual(says('91'));
	});

	it('repeated while it is open, gets the fallback when it is due', async () => {
		const claims = createClaims(CLAIM_LIMITS);
		claims('a');
		expect(await replyOf(authorize(EVENT, WORKFLOW, claims('a')))).toEqual(says('91'));
	});
});
