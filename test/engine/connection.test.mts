import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { ExpressionError, OperationalError, type IExecuteFunctions } from 'n8n-workflow';

import { requestOf } from '../harness/fixtures.mts';
import { API_KEYS, startSimulator } from '../simulator/index.mts';
import { listen } from '../simulator/listen.mts';
import { until } from '../simulator/until.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import type { CoreOptions } from './core.mts';
import {
	body,
	endsSoon,
	errorOutput,
	goesOn,
	itemsOf,
	jsonOf,
	outcomes,
	run,
	sampleOf,
	sendingBy,
	transfer,
	transfers,
} from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const write = requestOf(body('1'));

const replying = (reply: (response: ServerResponse) => void) =>
	createHttpServer((_request, response) => reply(response));

const begin = (response: ServerResponse) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{');
};
const trickle = (write: () => unknown, closing: NodeJS.EventEmitter) => {
	const drops = setInterval(write, 50);
	closing.once('close', () => clearInterval(drops));
};
const headers = createServer((socket) => {
	socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n');
	trickle(() => socket.write('x: y\r\n'), socket);
});

const slow = replying((response) => {
	begin(response);
	trickle(() => response.write(' '), response);
});

it.each([
	['does not begin', replying(() => {})],
	['stops in its headers', headers],
	['stops in its body', replying(begin)],
	['trickles in', slow],
])('a reply that %s is given up, and its connection is closed', async (_name, server) => {
	endsSoon();
	let open = 0;
	server.on('connection', (socket) => {
		open += 1;
		socket.once('close', () => (open -= 1));
	});
	const { url: baseUrl, close } = await listen(server);
	const ended = await run(write, { baseUrl, ...goesOn });
	expect(jsonOf(ended)).toMatchObject([{ outcome: 'unknown' }]);
	await until(() => open === 0, 30_000);
	await close();
});

it.each([302, 307])(
	'after a %d neither payment nor key goes to another address',
	async (status) => {
		const hits: unknown[] = [];
		const other = await listen(replying((response) => response.end(hits.push(status) && '{}')));
		const location = `${other.url}/x`;
		const service = await listen(
			replying((response) => response.writeHead(status, { location }).end()),
		);
		const ended = await run(transfer, { baseUrl: service.url, ...goesOn });
		await Promise.all([other.close(), service.close()]);
		expect(jsonOf(ended)).toMatchObject([{ outcome: 'unknown', http_status: status }]);
		expect(hits).toEqual([]);
	},
);

it('nothing was sent to a service that refuses the connection', async () => {
	const gone = await startSimulator();
	await gone.close();
	const refused = await run(transfer, { baseUrl: gone.url, ...goesOn });
	expect(jsonOf(refused)).toMatchObject([{ outcome: 'not_sent', code: 'ECONNREFUSED' }]);
	expect(outcomes(await run(transfer))).toEqual(['done']);
});

const ssrf = Object.assign(new Error('wrapped'), {
	cause: Object.assign(new Error('no'), { name: 'SsrfBlockedIpError' }),
});
const throwing = (thrown: Error) => (n8n: IExecuteFunctions) =>
	sendingBy(n8n, async () => await Promise.reject(thrown));

it.each([
	// As n8n 2.41 throws it for the expression of any credential, in a workflow with binaryMode `combined`.
	['NO_CREDENTIAL', new ExpressionError("Node 'Card Treasury' hasn't been executed")],
	['SSRF_BLOCKED', ssrf],
])('no write was sent if n8n throws %s, and it may be sent later', async (code, thrown) => {
	for (const parameters of [transfer, write, sampleOf('card: freeze')]) {
		const failed = await run(parameters, { ...goesOn, wrap: throwing(thrown) });
		expect(jsonOf(failed)).toMatchObject([{ outcome: 'not_sent', code }]);
	}
	expect(outcomes(await run(transfer))).toEqual(['done']);
	expect(simulator.requests).toHaveLength(1);
});

it.each([
	['ECONNRESET', new Error('x', { cause: { code: 'ECONNRESET' } })],
	['ETIMEDOUT', Object.assign(new Error('x'), { httpCode: 'ETIMEDOUT' })],
	['NO_ANSWER', new OperationalError('broken')],
])('a write may have been executed if n8n throws %s', async (code, thrown) => {
	const failed = await run(write, { ...goesOn, wrap: throwing(thrown) });
	expect(jsonOf(failed)).toMatchObject([{ outcome: 'unknown', code }]);
});

it('the credential is read once, because a changed key must not reach the first address', async () => {
	const reads: string[] = [];
	const credential = {
		get apiKey() {
			return reads.push(API_KEYS[3]) === 1 ? API_KEYS[3] : 'key-of-production';
		},
	};
	const ended = await run(transfers, { credential, items: itemsOf('1', '2', '3') });
	expect(outcomes(ended)).toEqual(['done', 'done', 'done']);
	expect(reads).toHaveLength(1);
});

describe('public address without a scheme, behind a webhook or schedule', () => {
	const items = itemsOf('1', '2');
	const pay = async (more: Partial<CoreOptions> = {}) =>
		await run(transfers, { items, noScheme: true, ...more });
	const said = /^The public address of this n8n is not a full URL/;
	afterEach(() => expect(simulator.requests).toEqual([]));

	it('ends the run, and names the setting', async () => {
		const { error } = await pay();
		expect(error?.message).toMatch(said);
		expect(error?.description).toContain('WEBHOOK_URL');
	});

	it('lets each item fail under Continue, instead of leaving as a success', async () => {
		const error = expect.stringMatching(said);
		const failed = { outcome: 'not_sent', error, wallet_id: null };
		expect(jsonOf(await pay(goesOn))).toMatchObject([failed, failed]);
	});

	it('sends nothing under Continue with the error output, where n8n itself throws and passes the input on', async () => {
		expect(jsonOf(await pay(errorOutput))).toEqual(items.map(({ json }) => json));
	});
});
