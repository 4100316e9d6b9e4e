import { createServer } from 'node:http';

import { listen } from './listen.mts';
import { parseJson } from './parseJson.mts';

export interface ReceivedDelivery {
	path: string;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	json: any;
	/** Port of the sender's socket: the same for reused connections. */
	fromPort: number | undefined;
}

/** `hang`: the answer begins, but its body never ends; `reset`: the socket is destroyed. */
export type ReceiverAnswer =
	| { status?: number; headers?: Record<string, string>; body?: unknown }
	| 'hang'
	| 'reset';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * A server that takes everything: a company's webhook endpoint, or one that is not the service.
 * @param answer called per request with its number from 0; default the acknowledgement of §6.3
 */
export async function startReceiver(answer = (_index: number): ReceiverAnswer => ({})) {
	const server = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8');
			receiver.received.push({
				path: incoming.url ?? '',
				headers: incoming.headers,
				text,
				json: parseJson(text),
				fromPort: incoming.socket.remotePort,
			});
			const given = receiver.answer(receiver.received.length - 1);
			if (given === 'reset') return void incoming.socket.destroy();
			if (given === 'hang') return void response.writeHead(200).write('{"response_code":');
			const { status = 200, headers, body = { response_code: 'OK' } } = given;
			response
				.writeHead(status, { 'content-type': 'application/json', ...headers })
				.end(typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	const { url, close } = await listen(server);
	const receiver = {
		url,
		received: new Array<ReceivedDelivery>(),
		answer,
		reset(): void {
			receiver.received.length = 0;
			receiver.answer = answer;
		},
		close,
	};
	return receiver;
}
