import type { Reference } from './credentials.mts';
import type { N8nAccess } from './n8n.mts';
import type { ChainNode } from './workflows.mts';

/** Sends a message to one of n8n's own Agents and waits for the end. (A module of n8n 2.41, not the AI Agent node.) */
type OwnAgent = (message: string) => Promise<void>;

/** @param model credential of a provider with chat completions */
export async function createOwnAgent(
	{ rest }: N8nAccess,
	model: Reference,
	tools: ChainNode[],
): Promise<OwnAgent> {
	const project = await rest('GET', '/rest/projects/personal');
	const agents = `/rest/projects/${String(project.id)}/agents/v2`;
	const { id } = await rest('POST', agents, { name: 'Treasurer' });
	const agent = `${agents}/${String(id)}`;
	const { configHash } = await rest('GET', `${agent}/config`);
	await rest('PUT', `${agent}/config`, {
		baseConfigHash: configHash,
		config: {
			name: 'Treasurer',
			model: 'deepseek/test-model',
			credential: model.id,
			instructions: 'Send the money',
			tools: tools.map(({ name, type, typeVersion, parameters, credentials }) => ({
				type: 'node',
				name,
				node: {
					nodeType: type.replace(/Tool$/, ''),
					nodeTypeVersion: typeVersion,
					nodeParameters: parameters,
					credentials,
				},
			})),
		},
	});
	return async (message) => void (await rest('POST', `${agent}/chat`, { message }));
}
