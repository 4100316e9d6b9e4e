import * as n8n from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

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
 * True for a workflow on n8n's Engine 2.0. An execution there has no context, whatever the settings are by now. Outside
 * an execution only the settings show it.
 */
export function isEngine2(
	n8n: Pick<IExecuteFunctions, 'getWorkflowSettings' | 'getExecutionId'> &
		Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>,
): boolean {
	if (n8n.getWorkflowSettings().engineType === 'v2') return true;
	return n8n.getExecutionId() !== undefined && n8n.getExecutionContext?.() === undefined;
}

/** Maximum length of a value. n8n 2.41 stores 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets custom data, by which users filter n8n's list of executions. Values without a text are ignored. */
export function setCustomData(
	n8n: Pick<IExecuteFunctions, 'customData' | 'logger'>,
	values: Record<string, unknown>,
): void {
	for (const [name, value] of Object.entries(values)) {
		if (typeof value !== 'string' && typeof value !== 'number') continue;
		// PostgreSQL refuses NUL, and n8n would then lose all custom data of the execution.
		const text = String(value).replaceAll('\0', '').slice(0, MAX_LENGTH);
		if (text === '') continue;
		try {
			n8n.customData.set(name, text);
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

export { nodeKey } from './turns';
