interface Answer {
	result?: Record<string, any>;
	error?: { message: string };
}

const PROTOCOL_VERSION = '2025-03-26';

/** Connects to n8n's *MCP Server Trigger* at this URL by JSON-RPC over streamable HTTP. */
export async function connectMcp(url: string) {
	let session: Record<string, string> = {};
	let requests = 0;

	async function post(message: object): Promise<{ headers: Headers; text: string }> {
		const answer = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...session,
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`MCP ${JSON.stringify(message)}: ${answer.status} ${text}`);
		return { headers: answer.headers, text };
	}

	async function request(method: string, params: object = {}) {
		const { headers, text } = await post({ id: ++requests, method, params });
		const { result, error } = lastMessage(text);
		if (error || !result) throw new Error(`MCP ${method}: ${error?.message ?? text}`);
		return { headers, result };
	}

	const { headers } = await request('initialize', {
		protocolVersion: PROTOCOL_VERSION,
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
	await post({ method: 'notifications/initialized' });
	return {
		/** Calls a tool and returns its answer as the model would read it. */
		call: async (name: string, input: object = {}) => {
			const { result } = await request('tools/call', { name, arguments: input });
			const content = result.content as Array<{ text?: string }>;
			return content.map(({ text = '' }) => text).join('\n');
		},
		close: async () => {
			const answer = await fetch(url, { method: 'DELETE', headers: session });
			await answer.body?.cancel();
		},
	};
}

/** Parses the answer: JSON, or a stream of events whose last one is the answer. */
function lastMessage(text: string): Answer {
	const data = text.split('\n').filter((line) => line.startsWith('data:'));
	return JSON.parse(data.at(-1)?.slice('data:'.length) ?? text) as Answer;
}
