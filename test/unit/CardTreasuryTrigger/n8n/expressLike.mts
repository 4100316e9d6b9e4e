import { createServer, ServerResponse, type IncomingMessage } from 'node:http';

import { listen } from '../../../simulator/listen.mts';

/** Node's response with the methods of express that n8n and the trigger use. */
export class ExpressLikeResponse extends ServerResponse {
	status(code: number) {
		this.statusCode = code;
		return this;
	}

	set(name: string | Record<string, string>, value?: string) {
		if (typeof name === 'string') this.setHeader(name, value ?? '');
		else for (const [key, each] of Object.entries(name)) this.setHeader(key, each);
		return this;
	}

	header(name: string | Record<string, string>, value?: string) {
		return this.set(name, value);
	}

	send(body: unknown) {
		this.end(body);
		return this;
	}

	json(body: unknown) {
		this.setHeader('Content-Type', 'application/json; charset=utf-8');
		return this.send(JSON.stringify(body));
	}
}

/** Answers on a free port of this machine. The one who called closes it. */
export async function answerWith(
	handle: (request: IncomingMessage, response: ExpressLikeResponse) => Promise<void>,
) {
	const server = createServer(
		{ ServerResponse: ExpressLikeResponse as never },
		(request, response) => void handle(request, response as unknown as ExpressLikeResponse),
	);
	const { url, close } = await listen(server);
	return { url: `${url}/webhook`, server, close };
}
