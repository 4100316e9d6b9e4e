import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';

import { cardOf } from '../harness/fixtures.mts';
import { listen } from '../simulator/listen.mts';
import { until } from '../simulator/until.mts';
import { runInCore } from './core.mts';

const answering = (answer: (response: ServerResponse) => void) =>
	createHttpServer((_request, response) => answer(response));
const begin = (response: ServerResponse) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{');
};
const trickle = (
	write: () => unknown,
	closing: { once(event: 'close', end: () => void): unknown },
) => {
	const drops = setInterval(write, 50);
	closing.once('close', () => clearInterval(drops));
};

it.each([
	['does not begin', answering(() => {})],
	[
		'stops in its headers',
		createServer((socket) => {
			socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n');
			trickle(() => socket.write('x: y\r\n'), socket);
		}),
	],
	['stops in its body', answering(begin)],
	[
		'trickles in',
		answering((response) => {
			begin(response);
			trickle(() => response.write(' '), response);
		}),
	],
])(
	'an answer that %s is given up at the deadline, and its connection is closed',
	async (_name, server) => {
		let open = 0;
		server.on('connection', (socket) => {
			open += 1;
			socket.once('close', () => (open -= 1));
		});
		const { url, close } = await listen(server);
		const options = { timeoutSeconds: 1, maxAttempts: 1 };
		const parameters = { ...cardOf('freeze', 'card-1'), options };
		const { error } = await runInCore({ baseUrl: url, parameters });
		expect(error?.message).toBe('Outcome unknown. The service did not answer in time');
		await until(() => open === 0);
		await close();
	},
);
