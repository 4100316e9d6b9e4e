import { createRequire } from 'node:module';

import { installN8n } from './n8n/install.mts';

/** Parts that are used of the MCP client that n8n brings along. */
interface Sdk {
	Client: new (info: { name: string; version: string }) => {
		connect(transport: object): Promise<void>;
		callTool(call: { name: string; arguments: object }): Promise<{
			content: Array<{ text?: string }>;
		}>;
		close(): Promise<void>;
	};
	StreamableHTTPClientTransport: new (url: URL) => object;
}

/** Connects to n8n's *MCP Server Trigger* at this URL. The caller closes the connection. */
export async function connectMcp(url: string) {
	const load = createRequire((await installN8n(() => undefined)).n8n);
	const from = (file: string) => load(`@modelcontextprotocol/sdk/client/${file}.js`) as Sdk;
	const client = new (from('index').Client)({ name: 'test', version: '1' });
	const { StreamableHTTPClientTransport: Transport } = from('streamableHttp');
	await client.connect(new Transport(new URL(url)));
	return {
		call: async (name: string) => {
			const { content } = await client.callTool({ name, arguments: {} });
			return content.map(({ text = '' }) => text).join('\n');
		},
		close: async () => await client.close(),
	};
}
