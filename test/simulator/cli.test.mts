import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from './cli/command.mts';
import { nearest } from './cli/nearest.mts';
import { EVENT_NAMES } from './index.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

let receiver: Receiver;
let folder: string;
beforeAll(async () => {
	receiver = await startReceiver();
	folder = await mkdtemp(join(tmpdir(), 'simulator-'));
});
beforeEach(() => receiver.reset());
afterAll(async () => {
	await receiver.close();
	await rm(folder, { recursive: true });
});

/** Runs a command in this process. */
async function run(argv: string[], signal = new AbortController().signal) {
	const printed: string[] = [];
	const errors: string[] = [];
	const code = await runCommand(argv, {
		print: (text) => printed.push(text),
		printError: (text) => errors.push(text),
		signal,
	});
	return { code, printed: printed.join('\n'), errors: errors.join('\n') };
}

const emit = (...argv: string[]) => run(['emit', ...argv, '--to', receiver.url]);

describe('emit command', () => {
	it('sends with the default key and shows the answer', async () => {
		const { code, printed } = await emit('cards.refund');
		const [delivery] = receiver.received;
		expect([code, delivery!.headers['x-webhook-key']]).toEqual([0, 'test-webhook-key']);
		expect(printed).toMatch(/cards\.refund +[0-9a-f-]{36} +1 +200 +\d+ +\{"response_code":"OK"\}$/);
	});

	it('shows the decision on an authorization sent with another key', async () => {
		receiver.answer = () => ({ body: { response_code: '05' } });
		const { code, printed } = await emit('cards.authorization', '--key', 'other');
		expect([code, receiver.received[0]!.headers['x-webhook-key']]).toEqual([0, 'other']);
		expect(printed).toContain('{"response_code":"05"}');
	});

	it('sets fields to text, JSON or, where the sample has a number, a number', async () => {
		await emit(
			'cards.card_blocked_by_velocity',
			...['--set', 'data.card_id=abc', '--set', 'data.triggered_rule.max_authorizations=9'],
			...[
				'--set',
				'data.last_authorization_id:=null',
				'--set',
				'data.new.field=x=y',
				'--set',
				'data.blocked_at=',
			],
		);
		expect(receiver.received[0]!.json).toMatchObject({
			operation_id: 'abc',
			data: {
				card_id: 'abc',
				triggered_rule: { max_authorizations: 9 },
				last_authorization_id: null,
				new: { field: 'x=y' },
				blocked_at: '',
			},
		});
	});

	it('sends several events, each with its own operation_id unless one is set', async () => {
		await emit('treasury.transfer', '--count', '3', '--set', 'data.amount=5');
		expect(new Set(receiver.received.map(({ json }) => json.operation_id)).size).toBe(3);
		expect(receiver.received.map(({ json }) => json.data.amount)).toEqual(['5', '5', '5']);
		receiver.reset();
		await emit('treasury.transfer', '--count', '2', '--set', 'operation_id=same');
		expect(receiver.received.map(({ json }) => json.operation_id)).toEqual(['same', 'same']);
	});

	it('sends an envelope from a file', async () => {
		const file = join(folder, 'envelope.json');
		await writeFile(file, '{"product":"new","event_type":"thing","operation_id":"1","data":{}}');
		const { code, printed } = await emit('--file', file, '--set', 'data.a=b');
		expect([code, receiver.received[0]!.json]).toEqual([
			0,
			{ product: 'new', event_type: 'thing', operation_id: '1', data: { a: 'b' } },
		]);
		expect(printed).toContain('new.thing');
	});

	it('stops at the first 404 and names the cause, unless attempts are set', async () => {
		receiver.answer = () => ({ status: 404, body: 'The requested webhook is not registered.' });
		const { code, printed, errors } = await emit('cards.refund', '--count', '3');
		expect([code, receiver.received.length]).toEqual([1, 1]);
		expect(printed).toContain('404');
		expect(errors).toContain('404: nothing listens at this URL. Publish the workflow');
		await emit('cards.refund', '--attempts', '2');
		expect(receiver.received).toHaveLength(3);
	});

	it('exits with 1 and reports an event that was not delivered', async () => {
		receiver.answer = () => ({ status: 401, body: { code: 'AUTH', message: 'no' } });
		const { code, printed, errors } = await emit('cards.refund', '--attempts', '1');
		expect([code, errors]).toEqual([1, '1 of 1 events was not delivered.']);
		expect(printed).toContain('401');
		expect(
			(await run(['emit', 'cards.refund', '--to', 'http://127.0.0.1:1', '--attempts', '1']))
				.printed,
		).toContain('nothing is listening there');
	});
});

describe('wrong input', () => {
	it.each<[string[], RegExp]>([
		[
			['emit', 'cards.autorization', '--to', 'URL'],
			/Unknown event "cards\.autorization"\. Did you mean cards\.authorization,/,
		],
		[['emit', '--to', 'URL'], /Which event/],
		[['emit', 'cards.refund'], /--to is missing/],
		[['emit', 'cards.refund', '--to', 'localhost:5678'], /--to must be a full URL/],
		[['emit', 'cards.refund', 'cards.cleared', '--to', 'URL'], /Only one event can be sent/],
		[
			['emit', 'cards.refund', '--to', 'URL', '--count', '0'],
			/--count must be a whole number from 1/,
		],
		[['emit', 'cards.refund', '--to', 'URL', '--set', 'data.amount'], /PATH=TEXT/],
		[['emit', 'cards.refund', '--to', 'URL', '--set', '__proto__.x=1'], /cannot change/],
		[['emit', 'cards.refund', '--to', 'URL', '--set', 'data:={'], /must be JSON/],
		[
			[
				'emit',
				'cards.card_blocked_by_velocity',
				'--to',
				'URL',
				'--set',
				'data.triggered_rule.max_authorizations=many',
			],
			/must be a number/,
		],
		[['emit', 'cards.refund', '--to', 'URL', '--file', 'x.json'], /not both/],
		[['emit', '--to', 'URL', '--file', '/nowhere/x.json'], /could not be read/],
		[['emti'], /Unknown command "emti"/],
		[['--prot', '1'], /--prot/],
		[['--port', '99999'], /--port must be a whole number/],
		[['--latency', '1.5'], /--latency must be a whole number from 0 to 600000, not "1\.5"/],
		[['--repetition', 'often'], /--repetition must be one of answer, wait, reject, not "often"/],
		[['--fault', 'earthquake'], /--fault kind: /],
		[['--fault', '{"kind":'], /--fault is not valid JSON/],
		[['--fault', '{"kind":"429","often":3}'], /often/],
	])('%j is explained, exits with 2 and sends nothing', async (argv, message) => {
		const { code, errors } = await run(argv.map((part) => (part === 'URL' ? receiver.url : part)));
		expect(code).toBe(2);
		expect(errors).toMatch(message);
		expect(errors).toContain('--help');
		expect(receiver.received).toEqual([]);
	});

	it.each([
		['authorization', 'cards.authorization'],
		['cards.authorised', 'cards.authorized'],
		['treasury.tranfer', 'treasury.transfer'],
		['virtual_wallet.deposit', 'virtual_wallets.deposit'],
		['CARDS.REFUND', 'cards.refund'],
	])('%s is corrected to %s', (mistyped, meant) => {
		expect(nearest(mistyped, EVENT_NAMES)[0]).toBe(meant);
	});
});

it('lists the events and shows help', async () => {
	expect((await run(['events'])).printed.split('\n')).toEqual(EVENT_NAMES);
	for (const argv of [['--help'], ['-h'], ['help'], ['emit', '--help']]) {
		expect(await run(argv)).toMatchObject({
			code: 0,
			printed: expect.stringContaining('emit EVENT --to URL'),
		});
	}
});

it('reports a port in use', async () => {
	const port = new URL(receiver.url).port;
	const { code, errors } = await run(['--port', port]);
	expect([code, errors]).toEqual([1, expect.stringContaining(`Port ${port} is already in use`)]);
});

it('applies the settings and faults of its flags', async () => {
	const interrupt = new AbortController();
	const printed: string[] = [];
	const ended = runCommand(
		[
			...['--port', '0', '--requests-per-second', '0', '--latency', '1', '--retry-after', 'date'],
			...['--count-rejected', '--idempotency-window', '60000', '--repetition', 'reject'],
			...[
				'--refuse-key-reuse',
				'--keep-rejections',
				'--operations',
				'repeated',
				'--require-content-type',
			],
			...['--unblock-answer', 'empty', '--no-transfer-events', '--pending-transfer', '7'],
			...['--fault', '429', '--fault', '{"kind":"status","status":503}'],
		],
		{ print: (text) => printed.push(text), printError: () => undefined, signal: interrupt.signal },
	);
	await until(() => printed.length > 0);
	const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed[0]!)![0];
	const control = async (name: string) =>
		(await (await fetch(`${url}/_simulator/${name}`)).json()) as unknown;
	expect(await control('settings')).toEqual({
		requestsPerSecond: 0,
		countRejected: true,
		retryAfter: 'date',
		latencyMs: 1,
		idempotencyWindowMs: 60_000,
		repetitionUnderWay: 'reject',
		refuseKeyReuse: true,
		keepRejections: true,
		operationsForm: 'repeated',
		requireContentType: true,
		unblockAnswer: 'empty',
		transferEvents: false,
		pendingTransferMs: 7,
	});
	expect(await control('faults')).toMatchObject([{ kind: '429' }, { kind: 'status', status: 503 }]);
	interrupt.abort();
	expect(await ended).toBe(0);
});

describe('separate process', () => {
	it.each(['SIGINT', 'SIGTERM'] as const)(
		'serves until %s and ends cleanly',
		async (signal) => {
			const simulator = start(['--port', '0']);
			await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(simulator.output()), 30_000);
			const url = /http:\/\/127\.0\.0\.1:\d+/.exec(simulator.output())![0];
			const answer = await fetch(`${url}/mpc/tokens/list`, {
				headers: { 'x-api-key': 'test-api-key-level-1' },
			});
			expect(answer.status).toBe(200);
			simulator.process.kill(signal);
			expect(await simulator.ended).toBe(0);
			expect(simulator.output()).toContain('Stopped. Requests: 1,');
		},
		60_000,
	);
});

function start(argv: string[]): {
	process: ChildProcess;
	output: () => string;
	ended: Promise<number | null>;
} {
	const cli = join(__dirname, 'cli.mts');
	// The loader runs in the same process, so that signals reach the simulator itself.
	const process_ = spawn(process.execPath, ['--import', 'tsx', cli, ...argv], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [process_.stdout, process_.stderr])
		stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	return {
		process: process_,
		output: () => text,
		ended: new Promise((resolve) => process_.on('close', resolve)),
	};
}
