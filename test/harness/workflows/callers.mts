import lodash from 'lodash';

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
			...{ id, displayName: id, type, display: true },
		})),
	};
};

const call = (name: string, file: string, { id }: Workflow, from = '$json') =>
	nodeOf(name, 'executeWorkflow', 1.3, {
		workflowId: { __rl: true, mode: 'id', value: id },
		workflowInputs: callInputs(file, (input) => `={{ ${from}.${input} }}`),
		options: {},
	});

/** Workflow that calls another one with a list, as any workflow of a user does, and tells what it gets back. */
export async function listCaller(
	n8n: N8nAccess,
	[file, ...more]: string[],
	[workflow, tell]: Workflow[],
	change = (nodes: ChainNode[]) => nodes,
) {
	const nodes = [splitList('list'), call('Call', file!, workflow!)];
	if (tell) {
		const telling = call('Tell', more[0]!, tell);
		nodes.push(
			lodash.merge(telling, { parameters: { workflowInputs: { value: { what: 'Salaries' } } } }),
		);
	}
	return await publishChain(n8n, change(nodes));
}

/** Workflow of a user that pays a list, and tells the result. */
export async function payer(
	harness: WorkflowHarness,
	pay: Workflow,
	change?: (nodes: ChainNode[]) => ChainNode[],
) {
	const tell = await harness.open(TELL);
	return await listCaller(harness.scenario.n8n, ['pay.json', TELL], [pay, tell], change);
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
	const calling = call('Call', file, workflow, '$json.body');
	return await publishChain(harness.scenario.n8n, [calling, tell]);
}
