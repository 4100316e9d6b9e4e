import type { IWebhookResponseData } from 'n8n-workflow';

import { approves } from '../../service/authorizationAnswer';
import { answer, type DeliveryResponse } from '../delivery/answer';
import type { Claim } from '../duplicates/claims';
import { awaitDecision } from './deadline';
import { decide } from './decide';
import { guardDecision } from './guard';
import { eventItem, type ReceivedEvent } from '../delivery/item';
import { readRules } from './rules';
import type { Settings } from '../settings';

/**
 * Decides an authorization that was chosen (§6.3): by the rules at once, or by the workflow until the deadline.
 * A repetition gets the first one's decision, and starts nothing.
 */
export function receiveAuthorization(
	response: DeliveryResponse,
	event: ReceivedEvent,
	settings: Settings,
	claim: Claim | undefined,
): IWebhookResponseData {
	const { deadlineMs, fallbackResponseCode } = settings;
	const deadline = { deadlineMs, fallbackResponseCode, receivedAt: event.receivedAt };

	if (claim?.first === false) {
		const pending = awaitDecision(response, deadline);
		void claim.outcome.then((outcome) =>
			pending.decide((outcome.kept && outcome.decision) || fallbackResponseCode),
		);
		return { noWebhookResponse: true };
	}

	if (settings.authorizationDecision === 'workflow') {
		void guardDecision(response, deadline).then((responseCode) => claim?.keep(responseCode));
		return { workflowData: [[eventItem(event, { answerBy: event.receivedAt + deadlineMs })]] };
	}

	const decision = decide(
		event.envelope.data,
		readRules(settings.rules),
		settings.defaultResponseCode,
	);
	answer(response, 200, { response_code: decision.response_code });
	claim?.keep(decision.response_code);
	const runs =
		settings.runWorkflowFor === 'all' ||
		(settings.runWorkflowFor === 'declined' && !approves(decision.response_code));
	return {
		noWebhookResponse: true,
		...(runs && { workflowData: [[eventItem(event, { decision })]] }),
	};
}

/**
 * Answers an authorization that nobody here decides, so that the default configured on the card applies: an
 * acknowledgement would be passed on to the network as a decline reason (§6.3).
 */
export function refuseToDecide(response: DeliveryResponse): void {
	answer(response, 501, {
		code: 'NOT_DECIDED',
		message:
			'This receiver does not decide authorizations. Choose the event cards.authorization in the trigger.',
	});
}
