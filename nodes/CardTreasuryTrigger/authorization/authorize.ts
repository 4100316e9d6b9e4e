import { approves } from '../../shared/authorizationAnswer';
import { processClock } from '../../shared/clock';
import type { Answer, Claim } from '../delivery/claims';
import {
	decisionReply,
	eventItem,
	type Arrival,
	type Handling,
	type ReceivedEvent,
	type Reply,
} from '../delivery/replies';
import { decide } from './decide';
import type { ReadRules } from './rules';

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

export interface DecisionSettings {
	/** Way in which authorizations are decided. Undefined while the event is not chosen. */
	authorizationDecision: 'rules' | 'workflow' | undefined;
	rules: ReadRules;
	defaultResponseCode: string;
	deadlineMs: number;
	/** Answer if the workflow gives none by the deadline. */
	fallback: Answer;
}

/** Authorizations that run the workflow after the rules have decided. */
export type RunWorkflowFor = 'all' | 'declined' | 'none';

/**
 * Decides an authorization by the rules, at once (§6.3). A duplicate gets its own decision, but does not run the
 * workflow.
 * @param claim reserves the run of the workflow for this delivery
 */
export function decideByRules(
	event: ReceivedEvent,
	settings: Pick<DecisionSettings, 'rules' | 'defaultResponseCode'> & {
		runWorkflowFor: RunWorkflowFor;
	},
	claim: () => Claim | undefined,
): Handling {
	const { rules, defaultResponseCode, runWorkflowFor } = settings;
	const decision = decide(event.envelope.data, rules, defaultResponseCode);
	const responseCode = decision.response_code;
	const runs =
		runWorkflowFor === 'all' || (runWorkflowFor === 'declined' && !approves(responseCode));
	const claimed = runs ? claim() : undefined;
	if (claimed?.first) claimed.commit();
	return {
		kind: 'replied',
		reply: decisionReply(responseCode),
		...(runs && claimed?.first !== false && { item: eventItem(event, { decision }) }),
	};
}

/**
 * Lets the workflow decide an authorization until the deadline (§6.3). A duplicate gets the decision of the first
 * delivery, and does not run the workflow.
 * @param differ called if the clocks of the service and of this n8n seem to differ
 */
export function decideByWorkflow(
	event: ReceivedEvent,
	{ deadlineMs, fallback }: Pick<DecisionSettings, 'deadlineMs' | 'fallback'>,
	claim: Claim | undefined,
	differ: () => void,
): Handling {
	const { arrival, sentAt } = event;
	const { dueMs, clocksDiffer } = dueAfter(deadlineMs, sentAt, arrival.at);
	if (clocksDiffer) differ();
	const { settle, settled, reply } = awaitAnswer(arrival, dueMs, fallback);
	if (claim?.first === false) {
		void claim.result.then((result) => settle((result.committed && result.answer) || fallback));
		return { kind: 'replied', reply };
	}
	void settled.then((answer) => claim?.commit(answer));
	return {
		kind: 'decided by the workflow',
		item: eventItem(event, { answerBy: arrival.at + dueMs }),
		decide: (responseCode) => settle(responseCode === undefined ? fallback : { responseCode }),
		reply,
	};
}

/** Answers with the fallback at once, because n8n cannot run the workflow. */
export function decideByFallback(
	{ arrival }: ReceivedEvent,
	{ fallback }: Pick<DecisionSettings, 'fallback'>,
): Handling {
	const { settle, reply } = awaitAnswer(arrival, 0, fallback);
	settle(fallback);
	return { kind: 'replied', reply };
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
export interface PendingAnswer {
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
