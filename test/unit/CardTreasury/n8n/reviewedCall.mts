import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

/** An agent's call of a tool, as n8n tells it. The agent is no part of n8n-core, so that its words stand in for it here. */
export interface Call {
	mode?: WorkflowExecuteMode;
	/** Whether the agent runs the tool itself. */
	byAgent?: boolean;
	/** As n8n's own Agents do. */
	noExecution?: boolean;
	previousNode?: string;
	previousNodeRun?: number;
	pairedItem?: object | number;
	type?: string;
	parameters?: object;
	/** What the review node is connected to. */
	tools?: string[];
	pinned?: boolean;
}

const REVIEW = {
	operation: 'sendAndWait',
	responseType: 'approval',
	message: '=Send? {{ JSON.stringify($json.toolParameters) }}',
	channelId: { __rl: true, mode: 'name', value: '#treasury' },
	approvalOptions: { values: { approveLabel: 'Approve' } },
	options: {},
};
const FROM_CHAT = { item: 0, sourceOverwrite: { previousNode: 'Chat' } };

/** Chat → Agent ← Review ← Transfer. */
export function n8nOf(call: Call = {}): IExecuteFunctions {
	const { previousNode = 'Review', previousNodeRun = 0, tools = ['Transfer'] } = call;
	const reviewNode = {
		name: 'Review',
		type: call.type ?? 'n8n-nodes-base.slackHitlTool',
		parameters: { ...REVIEW, ...call.parameters },
	};
	const parents: Record<string, object[]> = {
		Agent: [{ name: 'Other', type: 'x.otherTool' }, reviewNode],
		Review: tools.map((name) => ({ name })),
	};
	return Object.assign(Object.create(null), {
		isToolExecution: () => call.byAgent ?? false,
		getExecutionId: () => (call.noExecution ? undefined : '1'),
		getInputSourceData: () => {
			if (call.noExecution) throw new Error('Source data is missing');
			return { previousNode, previousNodeRun };
		},
		getInputData: () => [{ json: {}, pairedItem: call.pairedItem ?? FROM_CHAT }],
		getMode: () => call.mode ?? 'webhook',
		getNode: () => ({ name: 'Transfer' }),
		getChildNodes: (name: string) => (name === 'Chat' ? [{ name: 'Agent' }] : []),
		getParentNodes: (name: string) => parents[name] ?? [],
		getWorkflowDataProxy: () => ({
			$: () => ({
				first: () => {
					if (call.pinned) return { json: { data: { approved: true } } };
					throw new Error('No data found from `main` input');
				},
			}),
		}),
	});
}
