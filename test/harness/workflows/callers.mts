import type { N8nAccess } from '../n8n/n8n.mts';
import { nodeOf, splitList } from '../n8n/nodes.mts';
import { publishChain, type ChainNode, type TriggerWorkflow } from '../n8n/workflows.mts';
import { readWorkflow, type WorkflowNode } from './workflowFiles.mts';
import type { WorkflowHarness } from './workflowHarness.mts';

type Workflow = Pick<TriggerWorkflow, 'id'>;

/** Inputs that a workflow takes, each from an expression. */
export const callInputs = (file: string, expressionOf: (name: string) => string) => {
	const [{ parameters }] = readWorkflow(file).nodes.filter(({ type }) =>
		type.endsWith('.executeWorkflowTrigger'),
	) as [WorkflowNode];
	const inputs = parameters.workflowInputs.values as Array<{ name: string; type?: string }>;
	return {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(inputs.map(({ name }) => [name, expressionOf(name)])),
		schema: inputs.map(({ name: id, type = 'string' }) => ({
			...{ id, displayName: id, display: true },
			...(type !== 'any' && { type }),
		})),
	};
};

/** Call of a workflow. Without inputs, it gets the items as they are. */
const call = (name: string, { id }: Workflow, workflowInputs?: object) =>
	nodeOf(name, 'executeWorkflow', 1.3, {
		workflowId: { __rl: true, mode: 'id', value: id },
		...(workflowInputs && { workflowInputs }),
		options: {},
	});

/** Workflow that calls another one with a list, as any workflow of a user does, and tells what it gets back. */
export async function listCaller(
	n8n: N8nAccess,
	file: string,
	workflow: Workflow,
	{ tell, change = (nodes) => nodes }: { tell?: Workflow; change?: Change } = {},
) {
	const inputs = callInputs(file, (input) => `={{ $json.${input} }}`);
	const nodes = [splitList('list'), call('Call', workflow, inputs)];
	if (tell) nodes.push(call('Tell', tell));
	return await publishChain(n8n, change(nodes));
}

type Change = (nodes: ChainNode[]) => ChainNode[];

/** Workflow of a user that pays a list, and tells the result. */
export async function payer(harness: WorkflowHarness, pay: Workflow, change?: Change) {
	const tell = await harness.open(TELL);
	return await listCaller(harness.scenario.n8n, 'pay.json', pay, { tell, change });
}

export const TELL = 'tell-payments.json';

/** Workflow that calls another one, as an agent does, and posts what it gets back. */
export async function caller(harness: WorkflowHarness, file: string, workflow: Workflow) {
	const tell: ChainNode = {
		...nodeOf('Tell', 'slack', 2.4, {
			select: 'channel',
			channelId: { __rl: true, mode: 'name', value: '#treasury' },
			text: '={{ $json.outcome }}: {{ $json.summary }}',
			otherOptions: { includeLinkToWorkflow: false },
		}),
		credentials: { slackApi: harness.credentials.slackApi },
		// Slack takes one message a second in a channel.
		retryOnFail: true,
		maxTries: 5,
		waitBetweenTries: 2_000,
	};
	const calling = call(
		'Call',
		workflow,
		callInputs(file, (input) => `={{ $json.body.${input} }}`),
	);
	return await publishChain(harness.scenario.n8n, [calling, tell]);
}
