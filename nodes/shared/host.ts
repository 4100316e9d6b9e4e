import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions, IWorkflowSettings } from 'n8n-workflow';

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

/**
 * What to tell the user of a workflow on n8n's Engine 2.0, which can be set through n8n's API; undefined on the usual one.
 * n8n 2.41 does not call a trigger's `execute()` there: every event would run the branch of the first output.
 */
export function unsupportedEngine({ engineType }: IWorkflowSettings): string | undefined {
	return engineType === 'v2'
		? "This workflow is set to n8n's Engine 2.0, which would run the branch of the first output for every event. Remove engineType from the settings of the workflow."
		: undefined;
}

/** n8n 2.41 keeps 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets the business keys by which n8n's list of executions can be filtered; leaves out what is no text. */
export function setCustomData(
	n8n: Pick<IExecuteFunctions, 'customData' | 'logger'>,
	values: Record<string, unknown>,
): void {
	for (const [name, value] of Object.entries(values)) {
		if (typeof value !== 'string' || value === '') continue;
		try {
			n8n.customData.set(name, value.slice(0, MAX_LENGTH));
		} catch (thrown) {
			// What the run does matters more than how it is found; a tool, or an old n8n, has no custom data.
			n8n.logger.debug(`Custom execution data ${name} was not set: ${String(thrown)}`);
		}
	}
}
