import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
	url: string;
	/** The API key of each request, undefined where there was none. */
	keys(): Array<string | undefined>;
	close(): Promise<void>;
}

/** A server that is not the service; it gives an empty list, another body, or leads elsewhere. */
export async function startReceiver(
	status = 200,
	location?: string,
	body = '[]',
): Promise<Receiver> {
	const received: IncomingHttpHeaders[] = [];
	const server = createServer(({ headers }, response) => {
		received.push(headers);
		response.writeHead(status, {
			'content-type': body.startsWith('<') ? 'text/html' : 'application/json',
			...(location && { location }),
		});
		response.end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		keys: () => received.map((headers) => headers['x-api-key'] as string | undefined),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
