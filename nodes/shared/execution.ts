/** Facts of n8n and its executions that both nodes use. */

import type { IExecuteFunctions } from 'n8n-workflow';

/** Identifies a node across workflows. A copied node has the same ID in another workflow. */
export const nodeKey = (context: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>): string =>
	`${context.getWorkflow().id}/${context.getNode().id}`;

/** Maximum length of a value. n8n 2.41 stores 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets custom data, by which users filter n8n's list of executions. Values without a text are ignored. */
export function setCustomData(
	context: Pick<IExecuteFunctions, 'customData'>,
	values: Record<string, unknown>,
): void {
	for (const [name, value] of Object.entries(values)) {
		if (typeof value !== 'string' && typeof value !== 'number') continue;
		// PostgreSQL refuses NUL, and n8n would then lose all custom data of the execution.
		const text = String(value).replaceAll('\0', '').slice(0, MAX_LENGTH);
		try {
			if (text !== '') context.customData.set(name, text);
		} catch {
			// Tools have no custom data, and the run must not fail for it.
		}
	}
}

/** Shows a hint in the output panel. The run must not fail for a hint, because its items would be lost. */
export function addHint(
	context: Pick<IExecuteFunctions, 'addExecutionHints'>,
	message: string,
	type: 'info' | 'warning' = 'info',
): void {
	try {
		context.addExecutionHints({ message, type, location: 'outputPane' });
	} catch {
		// Nothing else depends on a hint.
	}
}
