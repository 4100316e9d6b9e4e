import {
	awaitAnswer,
	decideByRules,
	decideByWorkflow,
	dueAfter,
	type DecisionSettings,
	type RunWorkflowFor,
} from '../../../../nodes/CardTreasuryTrigger/authorization/authorize.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';
import {
	AUTHORIZATION_CLAIMS,
	createClaims,
	type Claim,
} from '../../../../nodes/CardTreasuryTrigger/delivery/claims.ts';
import {
	eventItem,
	type Handling,
} from '../../../../nodes/CardTreasuryTrigger/delivery/replies.ts';
import { processClock } from '../../../../nodes/shared/clock.ts';
import { NOW, received } from '../delivery/received.mts';

const EVENT = received('cards.authorization');
const RULES = {
	rules: readRules({}),
	defaultResponseCode: '05',
	deadlineMs: 1_000,
	fallback: { responseCode: '91' },
	runWorkflowFor: 'all' as RunWorkflowFor,
};
const says = (responseCode: string) => ({ status: 200, body: { response_code: responseCode } });
const noClaim = () => undefined;
const byWorkflow = (
	event: typeof EVENT,
	claim?: Claim,
	settings: Pick<DecisionSettings, 'deadlineMs' | 'fallback'> = RULES,
	differ = () => {},
) => decideByWorkflow(event, settings, claim, differ);
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
			const settings = { ...RULES, runWorkflowFor, defaultResponseCode: code };
			const decision = { response_code: code, source: 'default' } as const;
			expect(decideByRules(EVENT, settings, noClaim)).toEqual({
				kind: 'replied',
				reply: says(code),
				...(runs && { item: eventItem(EVENT, { decision }) }),
			});
		},
	);

	it('a duplicate is decided again, and starts no execution', async () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const claim = () => claims('node', 'a');
		const rules = readRules({ rule: [{ decision: 'approve', conditions: { amountTo: '100' } }] });
		const of = (bill_amount: string) =>
			received('cards.authorization', {
				envelope: { ...EVENT.envelope, data: { ...EVENT.envelope.data, bill_amount } },
			});
		const first = decideByRules(of('1.00'), { ...RULES, rules }, claim);
		expect(first).toMatchObject({ reply: says('00'), item: expect.anything() });
		const copy = decideByRules(of('9999.00'), { ...RULES, rules }, claim);
		expect(copy).toEqual({ kind: 'replied', reply: says('05') });
	});

	it('the claim is kept after it has run the workflow', () => {
		const commit = jest.fn();
		const claim: Claim = { first: true, commit, release: jest.fn() };
		decideByRules(EVENT, RULES, () => claim);
		expect(commit).toHaveBeenCalledTimes(1);
	});

	it('a decision that does not run the workflow claims nothing', () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const claim = () => claims('node', 'a');
		const declined = { ...RULES, runWorkflowFor: 'declined' as const };
		decideByRules(EVENT, { ...declined, defaultResponseCode: '00' }, claim);
		expect(decideByRules(EVENT, declined, claim)).toHaveProperty('item');
	});

	it('the item states that the answer was too late if the sender has left', () => {
		const arrival = { ...EVENT.arrival, senderLeft: () => true };
		expect(decideByRules({ ...EVENT, arrival }, RULES, noClaim)).toMatchObject({
			item: { json: { decision: { response_code: '05', answered_in_ms: 0, too_late: true } } },
		});
	});
});

describe('authorization decided by the workflow', () => {
	it('the authorization starts the workflow, and waits for the decision until the deadline', async () => {
		const outcome = byWorkflow(EVENT);
		expect(outcome).toMatchObject({
			kind: 'decided by the workflow',
			item: eventItem(EVENT, { answerBy: NOW + 1_000 }),
		});
		expect(wait).toHaveBeenCalledWith(1_000);
		decide(outcome, '51');
		expect(await replyOf(outcome)).toEqual(says('51'));
	});

	it.each([
		['00', '00'],
		[undefined, '91'],
	])('a decision of %p is answered with %s, and so is a duplicate', async (decided, code) => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		const first = byWorkflow(EVENT, claims('node', 'a'));
		decide(first, decided);
		expect(await replyOf(first)).toEqual(says(code));
		const copy = byWorkflow(EVENT, claims('node', 'a'), {
			...RULES,
			fallback: { responseCode: '05' },
		});
		expect(copy).toEqual({ kind: 'replied', reply: expect.any(Promise) });
		expect(await replyOf(copy)).toEqual(says(code));
	});

	it('the workflow is told the time until which an answer still counts', async () => {
		const event = { ...EVENT, sentAt: NOW - 300 };
		const late = byWorkflow(event);
		expect(late).toMatchObject({ item: eventItem(event, { answerBy: NOW + 800 }) });
		expect(wait).toHaveBeenCalledWith(800);
		decide(late, '00');
	});

	it('a duplicate of an open one gets the fallback at the deadline', async () => {
		const claims = createClaims(AUTHORIZATION_CLAIMS);
		claims('node', 'a');
		expect(await replyOf(byWorkflow(EVENT, claims('node', 'a')))).toEqual(says('91'));
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
