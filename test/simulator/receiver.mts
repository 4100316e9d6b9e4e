import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listen } from './listen.mts';
import { parseJson } from './parseJson.mts';

interface ReceivedDelivery {
	headers: Record<string, string | string[] | undefined>;
	text: string;
	json: any;
}

/** `hang` sends part of the body and never ends it. `reset` destroys the socket. */
export type ReceiverAnswer =
	| { status?: number; headers?: Record<string, string>; body?: unknown }
	| 'hang'
	| 'reset';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a server that accepts any request, as a company's webhook endpoint or as a server that is not the service.
 * @param answer called per request with its index from 0; default the acknowledgement of §6.3
 */
export async function startReceiver(answer = (_index: number): ReceiverAnswer => ({})) {
	const respond = (incoming: IncomingMessage, response: ServerResponse, body: string) => {
		receiver.received.push({
			headers: incoming.headers,
			text: body,
			json: parseJson(body),
		});
		const given = receiver.answer(receiver.received.length - 1);
		if (given === 'reset') return void incoming.socket.destroy();
		if (given === 'hang') return void response.writeHead(200).write('{"response_code":');
		const { status = 200, headers, body: answered = { response_code: 'OK' } } = given;
		response
			.writeHead(status, { 'content-type': 'application/json', ...headers })
			.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
	};
	const server = createServer((incoming, response) => {
		// The body of a sender that was killed never ends.
		text(incoming).then(
			(body) => respond(incoming, response, body),
			() => undefined,
		);
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
