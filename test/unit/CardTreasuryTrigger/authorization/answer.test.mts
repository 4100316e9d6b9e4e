import {
	answerAuthorization,
	awaitAnswer,
	dueAfter,
	type DecisionSettings,
	type Means,
} from '../../../../nodes/CardTreasuryTrigger/authorization/answer.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import {
	AUTHORIZATION_CLAIMS,
	createClaims,
	type Claim,
} from '../../../../nodes/CardTreasuryTrigger/delivery/claims.ts';
import {
	eventItem,
	NOT_DECIDED,
	type Handling,
} from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { processClock } from '../../../../nodes/shared/clock.ts';
import { NOW, received } from '../delivery/received.mts';

const EVENT = received('cards.authorization');
const SETTINGS: DecisionSettings = {
	rules: readRules([]),
	byDefault: { responseCode: '05' },
	deadlineMs: 1_000,
	fallback: { responseCode: '91' },
	runWorkflowFor: 'all',
};
const ASKING: DecisionSettings = { ...SETTINGS, byDefault: 'ask' };
const says = (responseCode: string) => ({ status: 200, body: { response_code: responseCode } });
const answer = (
	settings: DecisionSettings | undefined,
	{ event = EVENT, ...means }: Partial<Means> & { event?: typeof EVENT } = {},
) =>
	answerAuthorization(event, settings, {
		canRun: true,
		claim: () => undefined,
		clocksDiffer: () => undefined,
		...means,
	});
const replyOf = async (outcome: Handling) =>
	outcome.kind === 'acknowledged by n8n' ? undefined : await outcome.reply;

function decide(outcome: Handling, responseCode: string | undefined) {
	if (outcome.kind !== 'decided by the workflow') throw new Error(`It is ${outcome.kind}`);
	outcome.decide(responseCode);
}

// Time passes only in `wait`, and here at once.
let wait: jest.SpiedFunction<typeof processClock.wait>;
beforeEach(() => {
	wait = jest.spyOn(processClock, 'wait').mockResolvedValue(undefined);
});
afterEach(() => jest.restoreAllMocks());

describe('authorization that is not chosen', () => {
	it('the authorization is not answered with OK, which would decline it', () => {
		const expected = { kind: 'replied', reply: NOT_DECIDED };
		expect(answer(undefined)).toEqual({ ...expected, item: eventItem(EVENT) });
		expect(answer(undefined, { canRun: false })).toEqual(expected);
	});

	it('a duplicate gets the same answer, and starts no execution', () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const claim = () => claims('node', 'a');
		expect(answer(undefined, { claim })).toHaveProperty('item');
		expect(answer(undefined, { claim })).toEqual({ kind: 'replied', reply: NOT_DECIDED });
	});
});

describe('authorization decided by rules', () => {
	it.each([
		['all', '00', true],
		['all', '51', true],
		['declined', '00', false],
		['declined', 'SUCCESS', false],
		['declined', '51', true],
		['none', '00', false],
		['none', '51', false],
	] as const)(
		'with Run Workflow For %s, the decision %s runs the workflow: %s',
		(runWorkflowFor, code, runs) => {
			const settings = { ...SETTINGS, runWorkflowFor, byDefault: { responseCode: code } };
			const decision = { response_code: code, source: 'default' } as const;
			expect(answer(settings)).toEqual({
				kind: 'replied',
				reply: says(code),
				...(runs && { item: eventItem(EVENT, { decision }) }),
			});
			expect(answer(settings, { canRun: false })).toEqual({ kind: 'replied', reply: says(code) });
		},
	);

	it('a duplicate is decided again, and starts no execution', async () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const claim = () => claims('node', 'a');
		const rules = readRules([{ decision: 'approve', conditions: { amountTo: '100' } }]);
		const of = (bill_amount: string) =>
			received('cards.authorization', {
				envelope: { ...EVENT.envelope, data: { ...EVENT.envelope.data, bill_amount } },
			});
		const first = answer({ ...SETTINGS, rules }, { event: of('1.00'), claim });
		expect(first).toMatchObject({ reply: says('00'), item: expect.anything() });
		const copy = answer({ ...SETTINGS, rules }, { event: of('9999.00'), claim });
		expect(copy).toEqual({ kind: 'replied', reply: says('05') });
	});

	it('the claim is kept after it has run the workflow', () => {
		const commit = jest.fn();
		const claim: Claim = { first: true, commit, release: jest.fn() };
		answer(SETTINGS, { claim: () => claim });
		expect(commit).toHaveBeenCalledTimes(1);
	});

	it('a decision that does not run the workflow claims nothing', () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const claim = () => claims('node', 'a');
		const declined = { ...SETTINGS, runWorkflowFor: 'declined' as const };
		answer({ ...declined, byDefault: { responseCode: '00' } }, { claim });
		expect(answer(declined, { claim })).toHaveProperty('item');
	});

	it('the item states that the answer was too late if the sender has left', () => {
		const arrival = { ...EVENT.arrival, senderLeft: () => true };
		expect(answer(SETTINGS, { event: { ...EVENT, arrival } })).toMatchObject({
			item: { json: { decision: { response_code: '05', answered_in_ms: 0, too_late: true } } },
		});
	});
});

describe('authorization that the workflow is asked about', () => {
	it('the authorization starts the workflow, and waits for the decision until the deadline', async () => {
		const outcome = answer({ ...ASKING, runWorkflowFor: 'none' });
		expect(outcome).toMatchObject({
			kind: 'decided by the workflow',
			item: { json: { decision: { outcome: 'asked', answer_by: '2026-11-21T10:00:01.000Z' } } },
		});
		expect(wait).toHaveBeenCalledWith(1_000);
		decide(outcome, '51');
		expect(await replyOf(outcome)).toEqual(says('51'));
	});

	const ask = { name: 'ask', decision: 'ask', conditions: { amountTo: '60' } };
	const small = { name: 'small', decision: 'approve', conditions: { amountTo: '55' } };

	it('the item names the rule that asks, and what observe-only rules above it say', () => {
		const rules = readRules([{ ...small, observeOnly: true }, ask]);
		const outcome = answer({ ...SETTINGS, rules });
		expect('item' in outcome && outcome.item?.json.decision).toEqual({
			outcome: 'asked',
			rule: 'ask',
			observed: [{ rule: 'small', response_code: '00' }],
			answer_by: expect.any(String),
		});
	});

	it.each([
		['the rule below it that matches', [ask, small], '00'],
		['the fallback if no rule below it matches', [ask], '91'],
		['the fallback, not the default', [ask, { ...small, conditions: { amountTo: '1' } }], '91'],
	])('without an answer it is decided by %s', async (_, rules, code) => {
		const settings = { ...SETTINGS, rules: readRules(rules), byDefault: { responseCode: '62' } };
		expect(await replyOf(answer(settings))).toEqual(says(code));
		const ended = answer(settings);
		decide(ended, undefined);
		expect(await replyOf(ended)).toEqual(says(code));
	});

	it('the authorization is decided at once, without an execution, if n8n cannot run the workflow', async () => {
		const outcome = answer({ ...SETTINGS, rules: readRules([ask, small]) }, { canRun: false });
		expect(outcome).toEqual({ kind: 'replied', reply: expect.any(Promise) });
		expect(await replyOf(outcome)).toEqual(says('00'));
		expect(wait).toHaveBeenCalledWith(0);
	});

	it.each([
		['00', '00'],
		[undefined, '91'],
	])('a decision of %p is answered with %s, and so is a duplicate', async (decided, code) => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const claim = () => claims('node', 'a');
		const first = answer(ASKING, { claim });
		decide(first, decided);
		expect(await replyOf(first)).toEqual(says(code));
		const copy = answer({ ...ASKING, fallback: { responseCode: '05' } }, { claim });
		expect(copy).toEqual({ kind: 'replied', reply: expect.any(Promise) });
		expect(await replyOf(copy)).toEqual(says(code));
	});

	it('the workflow is told the time until which an answer still counts', async () => {
		const event = { ...EVENT, sentAt: NOW - 300 };
		const late = answer(ASKING, { event });
		expect(late).toMatchObject({
			item: { json: { decision: { answer_by: '2026-11-21T10:00:00.800Z' } } },
		});
		expect(wait).toHaveBeenCalledWith(800);
		decide(late, '00');
	});

	it('a duplicate of an open one gets the fallback at the deadline', async () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		claims('node', 'a');
		expect(await replyOf(answer(ASKING, { claim: () => claims('node', 'a') }))).toEqual(says('91'));
	});

	it('a timestamp that leaves no time is told', () => {
		const clocksDiffer = jest.fn();
		answer(ASKING, { event: { ...EVENT, sentAt: NOW - 60_000 }, clocksDiffer });
		answer(SETTINGS, { event: { ...EVENT, sentAt: NOW - 60_000 }, clocksDiffer });
		expect(clocksDiffer).toHaveBeenCalledTimes(1);
	});
});

describe('deadline of an authorization', () => {
	it.each([
		['without a timestamp', undefined, 1_000, 1_000],
		['sent 100 ms ago', 100, 1_000, 1_000],
		['sent 300 ms ago', 300, 1_000, 800],
		['sent 300 ms ago, with a shorter deadline', 300, 500, 500],
		['sent 900 ms ago', 900, 1_000, 200],
		['sent so long ago that no time is left', 901, 1_000, 1_000],
		['sent by a clock that is ahead', -1, 1_000, 1_000],
		['with the longest deadline', 0, 1_150, 1_100],
		['with the longest deadline, by a clock that is ahead', -1, 1_150, 1_150],
	])('a plausible time of sending counts: %s', (_, age, deadlineMs, due) => {
		const { dueMs } = dueAfter(deadlineMs, age === undefined ? undefined : NOW - age, NOW);
		expect(dueMs).toBe(due);
	});
});

describe('authorization that waits for its answer', () => {
	/** Time passes only in `wait`. */
	const arrival = () => {
		let now = 0;
		wait.mockImplementation(async (ms) => {
			now += ms;
		});
		return { at: NOW, elapsed: () => now };
	};

	it('the authorization gets the fallback at the deadline', async () => {
		const pending = awaitAnswer(arrival(), 800, { responseCode: '91' });
		expect(await pending.reply).toEqual({ status: 200, body: { response_code: '91' } });
		expect(wait).toHaveBeenCalledWith(800);
	});

	it('the authorization gets the first decision', async () => {
		const pending = awaitAnswer(arrival(), 800, { responseCode: '91' });
		pending.settle({ responseCode: '00' });
		pending.settle({ responseCode: '05' });
		expect(await pending.settled).toEqual({ responseCode: '00' });
		expect(await pending.reply).toEqual({ status: 200, body: { response_code: '00' } });
	});

	it("the fallback none closes the connection after the network's limit, without an answer", async () => {
		const clock = arrival();
		const pending = awaitAnswer(clock, 800, 'none');
		expect(await pending.reply).toBe('hang up');
		expect(clock.elapsed()).toBe(1_500);
	});
});
