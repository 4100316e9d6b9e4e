import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions, IWorkflowSettings } from 'n8n-workflow';

/**
 * Message for an n8n before 2.20; undefined in a supported one. An older n8n acknowledges a delivery before it has
 * stored the execution, and a retry loses the start of the first execution.
 */
export function unsupportedHost(host: object = n8n): string | undefined {
	// This export of n8n-workflow was added in 2.20.
	return 'WorkflowExpression' in host
		? undefined
		: 'Card Treasury needs n8n 2.20 or newer. Update n8n.';
}

/**
 * Message for a workflow on n8n's Engine 2.0, which can be set through n8n's API; undefined on the default engine.
 * n8n 2.41 does not call a trigger's `execute()` there, so every event would run the branch of the first output.
 */
export function unsupportedEngine({ engineType }: IWorkflowSettings): string | undefined {
	return engineType === 'v2'
		? "This workflow uses n8n's Engine 2.0, which would send every event to the first output. Remove engineType from the workflow's settings."
		: undefined;
}

/** n8n 2.41 stores 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets custom data, by which users filter n8n's list of executions. Ignores values that are not text. */
export function setCustomData(
	n8n: Pick<IExecuteFunctions, 'customData' | 'logger'>,
	values: Record<string, unknown>,
): void {
	for (const [name, value] of Object.entries(values)) {
		if (typeof value !== 'string' || value === '') continue;
		try {
			n8n.customData.set(name, value.slice(0, MAX_LENGTH));
		} catch (thrown) {
			// The run matters more than its custom data. A tool or an old n8n has none.
			n8n.logger.debug(`Custom execution data ${name} was not set: ${String(thrown)}`);
		}
	}
}
