import type { INode, IWebhookFunctions } from 'n8n-workflow';

import { isEngine2 } from '../../shared/host';

/** That engine does not call a trigger's `execute()`, so every event would run the branch of the first output (n8n 2.41). */
const ENGINE2 =
	"This workflow uses n8n's Engine 2.0, which would send every event to the first output. Remove engineType from the workflow's settings.";

/**
 * Returns the reason why an execution of this workflow would lose its event or run the wrong branch. Undefined if there
 * is none.
 */
export function whyNoExecution(
	n8n: Pick<IWebhookFunctions, 'getNode' | 'getWorkflowSettings' | 'getExecutionId'>,
): string | undefined {
	return isEngine2(n8n) ? ENGINE2 : forbiddenSetting(n8n.getNode());
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
