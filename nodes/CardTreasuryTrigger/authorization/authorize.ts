import { approves } from '../../service/authorizationAnswer';
import { eventItem, type ReceivedEvent } from '../delivery/item';
import { decisionReply, type Outcome } from '../delivery/outcome';
import type { Claim } from '../duplicates/claims';
import { awaitDecision, dueAfter } from './deadline';
import { decide } from './decide';
import type { ReadRules } from './rules';

export interface DecisionSettings {
	/** Who decides authorizations; undefined while none are chosen. */
	authorizationDecision: 'rules' | 'workflow' | undefined;
	rules: ReadRules;
	defaultResponseCode: string;
	deadlineMs: number;
	/** Empty = send no answer. */
	fallbackResponseCode: string;
	/** Which authorizations decided by the rules start an execution. */
	runWorkflowFor: 'all' | 'declined' | 'none';
}

type FirstClaim = Extract<Claim, { first: true }>;

/**
 * Decides an authorization that was chosen (§6.3): by the rules at once, or by the workflow until the deadline.
 * A copy gets the first one's decision, and starts no execution.
 */
export function authorize(
	event: ReceivedEvent,
	settings: DecisionSettings,
	claim: Claim | undefined,
): Outcome {
	if (claim?.first === false) {
		const { pending } = waitFor(event, settings);
		void claim.result.then((result) =>
			pending.decide(result.committed ? result.decision : undefined),
		);
		return { kind: 'answered', reply: pending.reply };
	}
	return settings.authorizationDecision === 'workflow'
		? byWorkflow(event, settings, claim)
		: byRules(event, settings, claim);
}

function byWorkflow(
	event: ReceivedEvent,
	settings: DecisionSettings,
	claim: FirstClaim | undefined,
): Outcome {
	const { pending, answerBy } = waitFor(event, settings);
	void pending.decided.then((responseCode) => claim?.commit(responseCode));
	const { decide, reply } = pending;
	return { kind: 'decided by the workflow', item: eventItem(event, { answerBy }), decide, reply };
}

function byRules(
	event: ReceivedEvent,
	settings: DecisionSettings,
	claim: FirstClaim | undefined,
): Outcome {
	const { rules, defaultResponseCode, runWorkflowFor } = settings;
	const decision = decide(event.envelope.data, rules, defaultResponseCode);
	const responseCode = decision.response_code;
	claim?.commit(responseCode);
	const runs =
		runWorkflowFor === 'all' || (runWorkflowFor === 'declined' && !approves(responseCode));
	return {
		kind: 'answered',
		reply: decisionReply(responseCode),
		...(runs && { item: eventItem(event, { decision }) }),
	};
}

function waitFor({ arrival, sentAt }: ReceivedEvent, settings: DecisionSettings) {
	const dueMs = dueAfter(settings.deadlineMs, sentAt, arrival.at);
	const pending = awaitDecision(arrival, dueMs, settings.fallbackResponseCode);
	return { pending, answerBy: arrival.at + dueMs };
}
