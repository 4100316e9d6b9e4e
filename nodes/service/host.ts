import * as n8n from 'n8n-workflow';

/**
 * What to tell the user of an n8n before 2.20; undefined in a supported one. Before 2.20, n8n acknowledges a delivery
 * before it has stored the execution, and a retry does not keep the moment at which the first execution began.
 */
export function unsupportedHost(host: object = n8n): string | undefined {
	// An export of n8n-workflow that came with 2.20.
	return 'WorkflowExpression' in host
		? undefined
		: 'Card Treasury needs n8n 2.20 or newer. Update n8n.';
}
