import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions, IWorkflowSettings } from 'n8n-workflow';

/**
 * Message for n8n before 2.20. Such an n8n acknowledges a delivery before storing the execution, and a retry loses the
 * start of the first execution.
 * @returns undefined if this n8n is supported
 */
export function unsupportedHost(host: object = n8n): string | undefined {
	// This export of n8n-workflow was added in 2.20.
	return 'WorkflowExpression' in host
		? undefined
		: 'Card Treasury needs n8n 2.20 or newer. Update n8n.';
}

/**
 * Message for a workflow on n8n's Engine 2.0. That engine does not call a trigger's `execute()`, so every event would
 * run the branch of the first output (n8n 2.41).
 * @returns undefined on the default engine
 */
export function unsupportedEngine({ engineType }: IWorkflowSettings): string | undefined {
	return engineType === 'v2'
		? "This workflow uses n8n's Engine 2.0, which would send every event to the first output. Remove engineType from the workflow's settings."
		: undefined;
}

/** Maximum length of a value. n8n 2.41 stores 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets custom data, by which users filter n8n's list of executions. Values that are not text are ignored. */
export function setCustomData(
	n8n: Pick<IExecuteFunctions, 'customData' | 'logger'>,
	values: Record<string, unknown>,
): void {
	for (const [name, value] of Object.entries(values)) {
		if (typeof value !== 'string' || value === '') continue;
		try {
			// PostgreSQL refuses NUL, and n8n would then lose all custom data of the execution.
			n8n.customData.set(name, value.replaceAll('\0', '').slice(0, MAX_LENGTH));
		} catch (thrown) {
			// The run must not fail for this. Tools and old versions of n8n have no custom data.
			n8n.logger.debug(`Custom execution data ${name} was not set: ${String(thrown)}`);
		}
	}
}

/** Shows hints in the output panel. The run must not fail for a hint, because its items would be lost. */
export function addHints(
	n8n: Pick<IExecuteFunctions, 'addExecutionHints'>,
	hints: Array<{ message: string; type?: 'warning' }>,
): void {
	try {
		n8n.addExecutionHints(...hints.map((hint) => ({ ...hint, location: 'outputPane' as const })));
	} catch {
		// Nothing else depends on a hint.
	}
}
