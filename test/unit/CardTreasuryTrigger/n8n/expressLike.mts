import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';

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

/** Listens on a free port of this machine. The one who called closes it. */
export async function listen(
	handle: (request: IncomingMessage, response: ExpressLikeResponse) => Promise<void>,
): Promise<{ url: string; server: Server; close(): Promise<void> }> {
	const server = createServer(
		{ ServerResponse: ExpressLikeResponse as never },
		(request, response) => {
			void handle(request, response as unknown as ExpressLikeResponse);
		},
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	return {
		url: `http://127.0.0.1:${address.port}/webhook`,
		server,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
