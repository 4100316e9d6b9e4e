import { approves } from '../../shared/authorizationAnswer';
import { processClock } from '../../shared/clock';
import type { Answer, Claim } from '../delivery/claims';
import {
	decisionReply,
	eventItem,
	NOT_DECIDED,
	type Arrival,
	type Handling,
	type ReceivedEvent,
	type Reply,
} from '../delivery/replies';
import { decide, decideUnanswered, type Question } from './decide';
import type { ReadRules, Ruling } from './rules';

/** Milliseconds after arrival when an unanswered connection is closed. The service waits only 1,200 (§6.4). */
const NETWORK_GONE_MS = 1_500;

/**
 * Latest time for an answer, in milliseconds after the service sent the request. Leaves 100 of the 1,200 (§6.4) for the
 * network.
 */
const AFTER_SENDING_MS = 1_100;

/**
 * Shortest plausible time to answer, in milliseconds. If the timestamp leaves less, the clocks are assumed to differ.
 */
const LEAST_MS = 200;

/** Authorizations decided by the rules that also run the workflow. */
export type RunWorkflowFor = 'all' | 'declined' | 'none';

/** Settings that decide authorizations. */
export interface DecisionSettings {
	rules: ReadRules;
	byDefault: Ruling;
	deadlineMs: number;
	/** Answer if neither the workflow nor a rule below the one that asked gives one. */
	fallback: Answer;
	runWorkflowFor: RunWorkflowFor;
}

/** Facts and functions of n8n that the answer to an authorization needs. */
export interface Means {
	/** False if n8n would run the workflow wrongly. */
	canRun: boolean;
	/** Reserves the run of the workflow for this delivery. Undefined if duplicates run too. */
	claim(): Claim | undefined;
	/** Called if the clocks of the service and of this n8n seem to differ. */
	clocksDiffer(): void;
}

/**
 * Answers an authorization (§6.3): by the rules at once, or by the workflow until the deadline.
 * @param settings undefined if the event is not chosen
 */
export function answerAuthorization(
	event: ReceivedEvent,
	settings: DecisionSettings | undefined,
	means: Means,
): Handling {
	if (settings === undefined)
		return replyAtOnce(NOT_DECIDED, means.canRun, means, () => eventItem(event));
	const { data } = event.envelope;
	const { rules, byDefault, runWorkflowFor } = settings;
	const verdict = decide(data, rules, byDefault);
	if ('asks' in verdict) return ask(event, verdict, settings, means);
	const { response_code: code } = verdict;
	const runs = runWorkflowFor === 'all' || (runWorkflowFor === 'declined' && !approves(code));
	return replyAtOnce(decisionReply(code), means.canRun && runs, means, () =>
		eventItem(event, { decision: verdict }),
	);
}

/** Replies at once. The workflow runs too, but not for a duplicate. */
function replyAtOnce(
	reply: Reply,
	runs: boolean,
	{ claim }: Means,
	item: () => ReturnType<typeof eventItem>,
): Handling {
	const claimed = runs ? claim() : undefined;
	if (claimed?.first) claimed.commit();
	return { kind: 'replied', reply, ...(runs && claimed?.first !== false && { item: item() }) };
}

/**
 * Lets the workflow answer until the deadline. Then the rules below the one that asked decide. A duplicate gets the
 * answer to the first delivery, and does not run the workflow.
 */
function ask(
	event: ReceivedEvent,
	question: Question,
	{ rules, deadlineMs, fallback: atTheEnd }: DecisionSettings,
	{ canRun, claim, clocksDiffer }: Means,
): Handling {
	const { arrival, sentAt, envelope } = event;
	const unanswered = decideUnanswered(envelope.data, rules, question);
	const fallback = unanswered ? { responseCode: unanswered.response_code } : atTheEnd;
	const due = dueAfter(deadlineMs, sentAt, arrival.at);
	if (due.clocksDiffer) clocksDiffer();
	const { settle, settled, reply } = awaitAnswer(arrival, canRun ? due.dueMs : 0, fallback);
	if (!canRun) return { kind: 'replied', reply };
	const claimed = claim();
	if (claimed?.first === false) {
		void claimed.result.then((result) => settle((result.committed && result.answer) || fallback));
		return { kind: 'replied', reply };
	}
	void settled.then((answer) => claimed?.commit(answer));
	return {
		kind: 'decided by the workflow',
		item: eventItem(event, { asked: { ...question, answerBy: arrival.at + due.dueMs } }),
		decide: (responseCode) => settle(responseCode === undefined ? fallback : { responseCode }),
		reply,
	};
}

/**
 * Returns the deadline of an authorization, in milliseconds after arrival. The time before arrival is known only from
 * `X-Request-Timestamp`. An implausible timestamp is ignored.
 * @param sentAt epoch milliseconds
 */
export function dueAfter(
	deadlineMs: number,
	sentAt: number | undefined,
	receivedAt: number,
): { dueMs: number; clocksDiffer: boolean } {
	if (sentAt === undefined) return { dueMs: deadlineMs, clocksDiffer: false };
	const left = AFTER_SENDING_MS - (receivedAt - sentAt);
	const clocksDiffer = left < LEAST_MS;
	const counts = !clocksDiffer && left <= AFTER_SENDING_MS;
	return { dueMs: counts ? Math.min(deadlineMs, left) : deadlineMs, clocksDiffer };
}

/** Authorization without an answer yet. */
interface PendingAnswer {
	/** Sets the answer. Only the first call counts. */
	settle(answer: Answer): void;
	settled: Promise<Answer>;
	reply: Promise<Reply>;
}

/**
 * Waits for an answer until the deadline, then uses the fallback (§6.4).
 * @param dueMs deadline in milliseconds after the arrival
 */
export function awaitAnswer(
	{ elapsed }: Pick<Arrival, 'elapsed'>,
	dueMs: number,
	fallback: Answer,
): PendingAnswer {
	let settle: (answer: Answer) => void = () => undefined;
	const settled = new Promise<Answer>((resolve) => (settle = resolve));
	const at = async (ms: number) => await processClock.wait(Math.max(0, ms - elapsed()));
	void at(dueMs).then(() => settle(fallback));
	const reply = settled.then(async (answer): Promise<Reply> => {
		if (answer !== 'none') return decisionReply(answer.responseCode);
		await at(NETWORK_GONE_MS);
		return 'hang up';
	});
	return { settle, settled, reply };
}
