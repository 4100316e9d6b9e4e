import { approves } from '../../service/authorizationAnswer';
import type { Claim } from '../delivery/claims';
import { eventItem, type ReceivedEvent } from '../delivery/item';
import { decisionReply, type Outcome } from '../delivery/outcome';
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

/**
 * Decides an authorization by the rules, at once (§6.3). They decide every delivery: an `operation_id` that came before
 * only keeps the workflow from running twice.
 * @param claim takes the claim on running the workflow
 */
export function decideByRules(
	event: ReceivedEvent,
	{ rules, defaultResponseCode, runWorkflowFor }: DecisionSettings,
	claim: () => Claim | undefined,
): Outcome {
	const decision = decide(event.envelope.data, rules, defaultResponseCode);
	const responseCode = decision.response_code;
	const runs =
		runWorkflowFor === 'all' || (runWorkflowFor === 'declined' && !approves(responseCode));
	const claimed = runs ? claim() : undefined;
	if (claimed?.first) claimed.commit();
	return {
		kind: 'answered',
		reply: decisionReply(responseCode),
		...(runs && claimed?.first !== false && { item: eventItem(event, { decision }) }),
	};
}

/**
 * Has an authorization decided by the workflow until the deadline (§6.3). A copy gets the first one's decision, and
 * starts no execution.
 * @param differ is told when the clocks of the service and of this n8n seem to differ
 */
export function decideByWorkflow(
	event: ReceivedEvent,
	{ deadlineMs, fallbackResponseCode }: DecisionSettings,
	claim: Claim | undefined,
	differ: () => void,
): Outcome {
	const { arrival, sentAt } = event;
	const { dueMs, clocksDiffer } = dueAfter(deadlineMs, sentAt, arrival.at);
	if (clocksDiffer) differ();
	const { decide: decideOn, decided, reply } = awaitDecision(arrival, dueMs, fallbackResponseCode);
	if (claim?.first === false) {
		void claim.result.then((result) => decideOn(result.committed ? result.decision : undefined));
		return { kind: 'answered', reply };
	}
	void decided.then((responseCode) => claim?.commit(responseCode));
	const item = eventItem(event, { answerBy: arrival.at + dueMs });
	return { kind: 'decided by the workflow', item, decide: decideOn, reply };
}
