import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen } from '../simulator/listen.mts';

interface ToolCall {
	name: string;
	arguments: object;
}

export type Model = Awaited<ReturnType<typeof startModel>>;

interface Request {
	messages: Array<{ role: string; content: unknown }>;
	stream?: boolean;
}

/** Stand-in for a language model with OpenAI's chat completions: requests the given tool calls in order, then finishes. */
export async function startModel() {
	const answer = (body: string, response: ServerResponse) => {
		const request = JSON.parse(body || '{}') as Request;
		model.requests.push(request);
		const answered = (request.messages ?? []).filter(({ role }) => role === 'tool').length;
		const call = model.calls[answered];
		const message = call
			? { role: 'assistant', content: null, tool_calls: [toolCall(call, answered)] }
			: { role: 'assistant', content: 'Done.' };
		const finish = call ? 'tool_calls' : 'stop';
		const common = { id: 'chatcmpl-1', created: 0, model: 'test-model' };
		if (request.stream) {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const chunk = (choice: object) =>
				response.write(
					`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`,
				);
			chunk({ delta: message, finish_reason: null });
			chunk({ delta: {}, finish_reason: finish });
			response.end('data: [DONE]\n\n');
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({
				...common,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason: finish }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	};
	const server = createServer((incoming, response) => {
		// The body of an n8n that was killed never ends.
		text(incoming).then(
			(body) => answer(body, response),
			() => undefined,
		);
	});
	const { url, close } = await listen(server);
	const model = {
		/** Base URL for n8n's OpenAI credential. */
		url: `${url}/v1`,
		/** Tool calls that the model requests, one in each reply. */
		calls: new Array<ToolCall>(),
		/** Received requests, with the tools' answers. */
		requests: new Array<Request>(),
		close,
	};
	return model;
}

const toolCall = ({ name, arguments: input }: ToolCall, index: number) => ({
	index: 0,
	id: `call_${index}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(input) },
});
