import * as n8n from 'n8n-workflow';

/** Whether this n8n is 2.20 or newer, told by an export of n8n-workflow that came with it. */
export const IS_LATER_HOST = 'WorkflowExpression' in n8n;

/**
 * What to tell the user of an n8n before 2.20; undefined in a supported one. Before 2.20, n8n acknowledges a delivery
 * before it has stored the execution, and a retry does not keep the moment at which the first execution began.
 */
export function unsupportedHost(): string | undefined {
	return IS_LATER_HOST ? undefined : 'Card Treasury needs n8n 2.20 or newer. Update n8n.';
}
