import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedDelivery {
	path: string;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	json: any;
	/** Port of the sender's socket: the same for reused connections. */
	fromPort: number | undefined;
}

/** `hang`: the answer begins, but its body never ends; `reset`: the socket is destroyed. */
export type ReceiverAnswer = { status?: number; body?: unknown } | 'hang' | 'reset';

/** A company's webhook endpoint for tests of the sender. */
export interface Receiver {
	url: string;
	received: ReceivedDelivery[];
	/** Called per delivery with its number from 0; default the acknowledgement of §6.3. */
	answer: (index: number) => ReceiverAnswer;
	reset(): void;
	close(): Promise<void>;
}

const acknowledge = (): ReceiverAnswer => ({});

export async function startReceiver(): Promise<Receiver> {
	const server = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8');
			receiver.received.push({
				path: incoming.url ?? '',
				headers: incoming.headers,
				text,
				json: parse(text),
				fromPort: incoming.socket.remotePort,
			});
			const answer = receiver.answer(receiver.received.length - 1);
			if (answer === 'reset') return void incoming.socket.destroy();
			if (answer === 'hang') return void response.writeHead(200).write('{"response_code":');
			const { status = 200, body = { response_code: 'OK' } } = answer;
			response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const receiver: Receiver = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received: [],
		answer: acknowledge,
		reset() {
			receiver.received.length = 0;
			receiver.answer = acknowledge;
		},
		async close() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
	return receiver;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
