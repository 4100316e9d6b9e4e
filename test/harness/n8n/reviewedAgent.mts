import { transferOf } from '../fixtures.mts';
import type { ToolCall } from '../model.mts';
import type { Attachment, ChainNode } from './chain.mts';
import { cardTreasuryTool } from './nodes.mts';
import type { Reference } from './scenario.mts';

/** What the workflow of an agent whose transfers a person reviews is made of. */
export interface ReviewCredentials {
	credential: Reference;
	slackCredential: Reference;
	modelCredential: Reference;
}

export const agent: ChainNode = {
	name: 'Agent',
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 3,
	parameters: { promptType: 'define', text: 'Send the money', options: {} },
};

export const languageModel = (
	{ modelCredential }: Pick<ReviewCredentials, 'modelCredential'>,
	name = 'Model',
): ChainNode => ({
	name,
	type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
	typeVersion: 1.2,
	credentials: { openAiApi: modelCredential },
	parameters: {
		model: { __rl: true, mode: 'id', value: 'test-model' },
		options: { maxRetries: 0 },
	},
});

export const transferTool = (
	{ credential }: Pick<ReviewCredentials, 'credential'>,
	name = 'Transfer',
) =>
	cardTreasuryTool(
		name,
		transferOf("={{ $fromAI('amount', 'Amount to send, e.g. 12.50', 'string') }}", {
			maximumAmount: '100',
			requireHumanReview: true,
		}),
		credential,
	);

/** n8n's own review node for Slack. */
export const review = (
	{ slackCredential }: Pick<ReviewCredentials, 'slackCredential'>,
	parameters: object = {},
): ChainNode => ({
	name: 'Review',
	type: 'n8n-nodes-base.slackHitlTool',
	typeVersion: 2.3,
	webhookId: '5b0c2d0e-4c3b-4e0e-9f55-0d6a4a4f7f21',
	credentials: { slackApi: slackCredential },
	parameters: {
		message: '=Transfer? {{ JSON.stringify($json.toolParameters) }}',
		authentication: 'accessToken',
		select: 'channel',
		channelId: { __rl: true, mode: 'name', value: '#treasury' },
		approvalOptions: { values: { approvalType: 'double' } },
		options: {},
		...parameters,
	},
});

/** Tools behind a review, and that behind the agent. */
export const behind = (node: ChainNode, tools: ChainNode[]): Attachment[] => [
	{ node, into: agent.name, as: 'ai_tool' },
	...tools.map((tool): Attachment => ({ node: tool, into: node.name, as: 'ai_tool' })),
];

/** What the model says when the tool that it was given stands behind a review. */
export const reviewed = (amount: string, hitlParameters: object = {}): ToolCall => ({
	name: 'Transfer',
	arguments: { toolParameters: { amount }, hitlParameters },
});
