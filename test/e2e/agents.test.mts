import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import lodash from 'lodash';

import { transferOf } from '../harness/fixtures.mts';
import { agent, languageModel, toolExecutor } from '../harness/n8n/agent.mts';
import { createCredential } from '../harness/n8n/credentials.mts';
import { ended, eventually } from '../harness/n8n/executions.mts';
import { installN8n } from '../harness/n8n/install.mts';
import { OWNER } from '../harness/n8n/n8n.mts';
import { cardTreasury, cardTreasuryTool } from '../harness/n8n/nodes.mts';
import {
	credential,
	model,
	modelCredential,
	n8n,
	useModel,
	useN8n,
} from '../harness/n8n/useN8n.mts';
import {
	publish,
	publishChain,
	saveWorkflow,
	startChain,
	type Attachment,
	type ChainNode,
} from '../harness/n8n/workflows.mts';
import { sampleOf } from '../samples/operations.mts';
import { IDS } from '../simulator/index.mts';
import { simulator } from '../simulator/useSimulator.mts';

/** Every road on which an AI agent can reach the node. It cannot move money on any of them. */

useN8n(() => ({
	EXTERNAL_HOOK_FILES: join(import.meta.dirname, '..', 'harness', 'n8n', 'runsNodes.cjs'),
}));
useModel(() => n8n);

/** Runs the node with these parameters, and returns what the agent is told. */
type Road = (parameters: object) => Promise<string>;

const TOOL = 'Tool';
const tool = (parameters: object) => cardTreasuryTool(TOOL, parameters, credential);

/** Publishes a node that calls tools, runs it, and returns its execution. */
async function run(caller: ChainNode, attached: Array<[ChainNode, Attachment['as']]>) {
	const attachments = attached.map(([node, as]) => ({ node, as, into: caller.name }));
	const chain = await publishChain(n8n, [caller], { attachments });
	await startChain(chain);
	return await ended(n8n, chain, 1);
}

/** Answer of the tool in the last request to the model. */
const toldToModel = () =>
	JSON.stringify(model.requests.at(-1)!.messages.find(({ role }) => role === 'tool'));

const byToolExecutor: Road = async (parameters) => {
	const { failure, outputs } = await run(toolExecutor('Call', TOOL), [
		[tool(parameters), 'ai_tool'],
	]);
	return failure.message || JSON.stringify(outputs('Call'));
};

const byAgent: Road = async (parameters) => {
	await run(agent, [
		[tool(parameters), 'ai_tool'],
		[languageModel({ modelCredential }), 'ai_languageModel'],
	]);
	return toldToModel();
};

/** Connects the MCP client that n8n brings along to its *MCP Server Trigger*. The caller closes the connection. */
async function connectMcp(url: string) {
	const load = createRequire((await installN8n(() => undefined)).n8n);
	const from = (file: string) => load(`@modelcontextprotocol/sdk/client/${file}.js`) as any;
	const { Client } = from('index');
	const { StreamableHTTPClientTransport } = from('streamableHttp');
	const client = new Client({ name: 'test', version: '1' });
	await client.connect(new StreamableHTTPClientTransport(new URL(url)));
	return client;
}

const byMcp: Road = async (parameters) => {
	const path = randomUUID();
	const trigger: ChainNode = {
		name: 'MCP Server Trigger',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: path,
		parameters: { authentication: 'none', path },
	};
	const toTrigger = { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] };
	const nodes = [trigger, tool(parameters)];
	await publish(n8n, await saveWorkflow(n8n, 'MCP', nodes, { [TOOL]: toTrigger }));
	const url = `${n8n.url}/mcp/${path}`;
	// n8n serves the path a moment after publishing.
	const client = await eventually(async () => await connectMcp(url).catch(() => undefined));
	const { content } = await client
		.callTool({ name: TOOL, arguments: {} })
		.finally(async () => await client.close());
	return lodash.map(content, 'text').join('\n');
};

/** A module of n8n 2.41, not the AI Agent node. */
const byOwnAgent: Road = async (parameters) => {
	const { rest } = n8n;
	const data = { apiKey: 'test-model-key', url: model.url };
	const chosen = await createCredential(n8n, data, { type: 'deepSeekApi' });
	const project = await rest('GET', '/rest/projects/personal');
	const agents = `/rest/projects/${project.id}/agents/v2`;
	const created = await rest('POST', agents, { name: 'Treasurer' });
	const treasurer = `${agents}/${created.id}`;
	const { configHash: baseConfigHash } = await rest('GET', `${treasurer}/config`);
	const { type, typeVersion: nodeTypeVersion, credentials, ...node } = tool(parameters);
	const nodeType = type.replace(/Tool$/, '');
	const config = {
		name: 'Treasurer',
		model: 'deepseek/test-model',
		credential: chosen.id,
		instructions: 'Send the money',
		tools: [
			{
				...{ type: 'node', name: TOOL },
				node: { nodeType, nodeTypeVersion, nodeParameters: node.parameters, credentials },
			},
		],
	};
	await rest('PUT', `${treasurer}/config`, { baseConfigHash, config });
	await rest('POST', `${treasurer}/chat`, { message: 'Go' });
	return toldToModel();
};

/** The assistant runs a plain node in a temporary workflow. */
const byAssistant: Road = async (parameters) => {
	const { rest } = n8n;
	const { type, typeVersion: version, credentials } = cardTreasury({}, credential);
	const { id: projectId } = await rest('GET', '/rest/projects/personal');
	const config = { parameters, credentials };
	const request = { email: OWNER.email, projectId, type, version, config };
	return JSON.stringify(await rest('POST', '/test/execute-node', request));
};

describe.each<[string, Road]>([
	["n8n's Tool Executor", byToolExecutor],
	["n8n's AI Agent", byAgent],
	["n8n's MCP Server Trigger", byMcp],
	["n8n's own Agents", byOwnAgent],
	["n8n's AI assistant", byAssistant],
])('%s', (_, call) => {
	beforeEach(() => {
		model.calls = [{ name: TOOL, arguments: {} }];
	});

	it('cannot move money', async () => {
		const told = await call(transferOf('5'));
		expect(told).toContain('An AI agent cannot move money with this node');
		expect(simulator.requests).toEqual([]);
	});

	it('can read a card and freeze it', async () => {
		expect(await call(sampleOf('card: get'))).toContain(IDS.activeCard);
		expect(await call(sampleOf('card: freeze'))).toContain('frozen');
		expect(simulator.ledger).toMatchObject([{ operation: 'card.freeze' }]);
	});
});
