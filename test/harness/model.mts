import { fastify } from 'fastify';

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
	const app = fastify({ forceCloseConnections: true });
	app.post('*', async ({ body }, reply) => {
		const request = body as Request;
		model.requests.push(request);
		const answered = request.messages.filter(({ role }) => role === 'tool').length;
		const call = model.calls[answered];
		const message = call
			? { role: 'assistant', content: null, tool_calls: [toolCall(call, answered)] }
			: { role: 'assistant', content: 'Done.' };
		const finish_reason = call ? 'tool_calls' : 'stop';
		const common = { id: 'chatcmpl-1', created: 0, model: 'test-model' };
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		if (!request.stream) {
			const choices = [{ index: 0, message, finish_reason }];
			return { ...common, object: 'chat.completion', choices, usage };
		}
		const chunks = [
			{ delta: message, finish_reason: null },
			{ delta: {}, finish_reason },
		].map((choice) => {
			const choices = [{ index: 0, ...choice }];
			return JSON.stringify({ ...common, object: 'chat.completion.chunk', choices });
		});
		return await reply
			.type('text/event-stream')
			.send([...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join(''));
	});
	const model = {
		url: `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`,
		/** Tool calls that the model requests, one in each reply. */
		calls: new Array<ToolCall>(),
		requests: new Array<Request>(),
		close: async () => await app.close(),
	};
	return model;
}

const toolCall = ({ name, arguments: input }: ToolCall, index: number) => ({
	index: 0,
	id: `call_${index}`,
	type: 'function',
	function: { name, arguments: JSON.stringify(input) },
});
