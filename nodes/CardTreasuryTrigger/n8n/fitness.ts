import type { INode, IWebhookFunctions } from 'n8n-workflow';

import { unsupportedEngine } from '../../shared/host';

/**
 * Returns the reason why an execution of this workflow would lose its event or run the wrong branch. Undefined if there
 * is none.
 */
export function whyNoExecution(
	n8n: Pick<IWebhookFunctions, 'getNode' | 'getWorkflowSettings'>,
): string | undefined {
	return unsupportedEngine(n8n.getWorkflowSettings()) ?? forbiddenSetting(n8n.getNode());
}

/** Returns the problem of a node setting with which n8n 2.41 loses events or runs the wrong branch. */
function forbiddenSetting({ retryOnFail, alwaysOutputData, onError, continueOnFail }: INode) {
	const refuse = (setting: string, fix: string) =>
		`In the Settings tab of this trigger, ${setting}, so n8n would lose events or run the wrong branch. ${fix}, and publish the workflow.`;
	if (retryOnFail) return refuse('Retry On Fail is on', 'Turn it off');
	if (alwaysOutputData) return refuse('Always Output Data is on', 'Turn it off');
	const continues = continueOnFail === true || (onError ?? 'stopWorkflow') !== 'stopWorkflow';
	return continues ? refuse('On Error is not Stop Workflow', 'Choose Stop Workflow') : undefined;
}
