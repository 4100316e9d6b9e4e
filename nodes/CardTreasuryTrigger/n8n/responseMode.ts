import * as workflow from 'n8n-workflow';
import type { INode, IWebhookDescription } from 'n8n-workflow';

interface Parameters {
	events?: string[];
	defaultDecision?: string;
	rules?: { rule?: Array<{ decision?: string } | null> };
}

/**
 * Returns the response mode. If a rule or the default may ask the workflow, n8n keeps the response open. Otherwise n8n
 * answers after storing the execution (since 2.20). A decision or rules from an expression may ask. n8n evaluates the
 * source text of this function, so the code may use only the argument.
 */
function responseModeOf({ events, defaultDecision, rules }: Parameters) {
	const fixed = ['approve', 'decline', 'other'];
	const asks = (decision?: string) => !fixed.includes(decision ?? 'decline');
	const list = typeof rules === 'string' ? [{ decision: rules }] : (rules?.rule ?? []);
	const mayAsk = asks(defaultDecision) || list.some((rule) => asks(rule?.decision));
	return mayAsk && events?.includes('cards.authorization') ? 'responseNode' : 'onReceived';
}

/** True if the workflow may have to answer an authorization. n8n then takes every answer from the execution. */
export function mayAsk({ parameters }: Pick<INode, 'parameters'>): boolean {
	return responseModeOf(parameters) === 'responseNode';
}

/**
 * Returns `responseMode` as a function if n8n supports that (2.41 does, 2.20 does not). Otherwise as an expression. An
 * expression is slow: evaluating it is nearly the whole cost of a delivery.
 */
export function responseMode(): Pick<IWebhookDescription, 'responseMode'> {
	if (!('webhookDescriptionFields' in workflow) || !('fromFunction' in workflow))
		return { responseMode: `={{(${String(responseModeOf)})($parameter)}}` };
	return workflow.webhookDescriptionFields({ responseMode: workflow.fromFunction(responseModeOf) });
}
