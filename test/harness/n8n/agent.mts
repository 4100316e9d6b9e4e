import type { Reference } from './credentials.mts';
import type { ChainNode } from './workflows.mts';

/** n8n's Tool Executor, which calls a tool without a model. */
export const toolExecutor = (name: string, toolName: string, input: object = {}): ChainNode => ({
	name,
	type: '@n8n/n8n-nodes-langchain.toolExecutor',
	typeVersion: 1,
	parameters: { query: JSON.stringify({ [toolName]: input }), toolName, node: '' },
});

export const agent: ChainNode = {
	name: 'Agent',
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion: 3,
	parameters: { promptType: 'define', text: 'Send the money', options: {} },
};

export const languageModel = ({ modelCredential }: { modelCredential: Reference }): ChainNode => ({
	name: 'Model',
	type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
	typeVersion: 1.2,
	credentials: { openAiApi: modelCredential },
	parameters: {
		model: { __rl: true, mode: 'id', value: 'test-model' },
		options: { maxRetries: 0 },
	},
});
