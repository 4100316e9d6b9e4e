import type { Reference } from './credentials.mts';
import { nodeOf } from './nodes.mts';
import type { ChainNode } from './workflows.mts';

const PACKAGE = '@n8n/n8n-nodes-langchain';

/** n8n's Tool Executor, which calls a tool without a model. */
export const toolExecutor = (name: string, toolName: string) =>
	nodeOf(name, `${PACKAGE}.toolExecutor`, 1, {
		query: JSON.stringify({ [toolName]: {} }),
		...{ toolName, node: '' },
	});

export const agent = nodeOf('Agent', `${PACKAGE}.agent`, 3, {
	promptType: 'define',
	...{ text: 'Send the money', options: {} },
});

export const languageModel = ({ modelCredential }: { modelCredential: Reference }): ChainNode => ({
	...nodeOf('Model', `${PACKAGE}.lmChatOpenAi`, 1.2, {
		model: { __rl: true, mode: 'id', value: 'test-model' },
		options: { maxRetries: 0 },
	}),
	credentials: { openAiApi: modelCredential },
});
