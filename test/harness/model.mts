import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen } from '../simulator/listen.mts';

export interface ToolCall {
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
		const calls = nextCalls(model.calls, answered);
		const message =
			calls.length > 0
				? { role: 'assistant', content: null, tool_calls: toolCalls(calls, answered) }
				: { role: 'assistant', content: 'Done.' };
		const finish = calls.length > 0 ? 'tool_calls' : 'stop';
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
		/** Tool calls that the fake model requests. Each entry is one reply of the model; an array requests several calls in one reply. */
		calls: new Array<ToolCall | ToolCall[]>(),
		/** Received requests, with the tools' answers. */
		requests: new Array<Request>(),
		close,
	};
	return model;
}

/** Returns the tool calls of the first unanswered reply. */
function nextCalls(messages: Array<ToolCall | ToolCall[]>, answered: number): ToolCall[] {
	let before = 0;
	for (const calls of messages.map((message) => [message].flat())) {
		if (before === answered) return calls;
		before += calls.length;
	}
	return [];
}

const toolCalls = (calls: ToolCall[], answered: number) =>
	calls.map(({ name, arguments: input }, index) => ({
		index,
		id: `call_${answered + index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(input) },
	}));
