import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { runCommand } from './cli/command.mts';
import { EVENT_NAMES } from './index.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

let receiver: Receiver;
beforeAll(async () => {
	receiver = await startReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

/** Runs a command in this process. */
async function run(argv: string[]) {
	const printed: string[] = [];
	const errors: string[] = [];
	const code = await runCommand(argv, {
		print: (text) => printed.push(text),
		printError: (text) => errors.push(text),
		signal: new AbortController().signal,
	});
	return { code, printed: printed.join('\n'), errors: errors.join('\n') };
}

const emit = (...argv: string[]) => run(['emit', ...argv, '--to', receiver.url]);

describe('emit command', () => {
	it('the event is sent with the default key, and its answer is shown', async () => {
		const { code, printed } = await emit('cards.refund');
		expect([code, receiver.received[0]!.headers['x-webhook-key']]).toEqual([0, 'test-webhook-key']);
		expect(printed).toMatch(/cards\.refund +[0-9a-f-]{36} +1 +200 +\d+ +\{"response_code":"OK"\}$/);
	});

	it('the decision on an authorization sent with another key is shown', async () => {
		receiver.answer = () => ({ body: { response_code: '05' } });
		const { code, printed } = await emit('cards.authorization', '--key', 'other');
		expect([code, receiver.received[0]!.headers['x-webhook-key']]).toEqual([0, 'other']);
		expect(printed).toContain('{"response_code":"05"}');
	});

	it('fields are set to text, JSON or, if the sample has a number, a number', async () => {
		const values = [
			'data.card_id=abc',
			'data.triggered_rule.max_authorizations=9',
			'data.last_authorization_id:=null',
			'data.new.field=x=y',
			'data.blocked_at=',
		];
		await emit('cards.card_blocked_by_velocity', ...values.flatMap((value) => ['--set', value]));
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

	it('several events have their own operation_ids, unless one is set', async () => {
		const ids = () => receiver.received.map(({ json }) => json.operation_id);
		await emit('treasury.transfer', '--count', '3');
		expect(new Set(ids()).size).toBe(3);
		await emit('treasury.transfer', '--count', '2', '--set', 'operation_id=same');
		expect(ids().slice(3)).toEqual(['same', 'same']);
	});

	it('the first 404 ends the command with its cause, unless attempts are set', async () => {
		receiver.answer = () => ({ status: 404, body: 'The requested webhook is not registered.' });
		const { code, printed, errors } = await emit('cards.refund', '--count', '3');
		expect([code, receiver.received.length]).toEqual([1, 1]);
		expect(printed).toContain('404');
		expect(errors).toContain('404: nothing listens at this URL. Publish the workflow');
		await emit('cards.refund', '--attempts', '2');
		expect(receiver.received).toHaveLength(3);
	});

	it('an event that was not delivered is reported, with exit code 1', async () => {
		receiver.answer = () => ({ status: 401, body: { code: 'AUTH', message: 'no' } });
		const { code, printed, errors } = await emit('cards.refund', '--attempts', '1');
		expect([code, errors]).toEqual([1, '1 of 1 events was not delivered.']);
		expect(printed).toContain('401');
		const nobody = ['--to', 'http://127.0.0.1:1', '--attempts', '1'];
		expect((await run(['emit', 'cards.refund', ...nobody])).printed).toContain(
			'nothing is listening there',
		);
	});
});

describe('wrong input', () => {
	it.each<[string, RegExp]>([
		['emit cards.autorization --to URL', /Unknown event "cards\.autorization"\. List them/],
		['emit --to URL', /Which event/],
		['emit cards.refund', /--to is missing/],
		['emit cards.refund --to localhost:5678', /--to must be a full URL/],
		['emit cards.refund cards.cleared --to URL', /Only one event can be sent/],
		['emit cards.refund --to URL --count 0', /--count must be a whole number from 1/],
		['emit cards.refund --to URL --set data.amount', /PATH=TEXT/],
		['emit cards.refund --to URL --set __proto__.x=1', /cannot change/],
		['emit cards.refund --to URL --set data:={', /must be JSON/],
		[
			'emit cards.card_blocked_by_velocity --to URL --set data.triggered_rule.max_authorizations=many',
			/must be a number/,
		],
		['emti', /Unknown command "emti"/],
		['--prot 1', /--prot/],
		['--port 99999', /--port must be a whole number/],
		['--latency 1.5', /--latency must be a whole number from 0 to 600000, not "1\.5"/],
		['--repetition often', /--repetition must be one of answer, wait, reject, not "often"/],
		['--fault earthquake', /--fault kind: /],
		['--fault {"kind":', /--fault is not valid JSON/],
	])('%s is explained, exits with 2 and sends nothing', async (line, message) => {
		const { code, errors } = await run(line.replace('URL', receiver.url).split(' '));
		expect(code).toBe(2);
		expect(errors).toMatch(message);
		expect(errors).toContain('--help');
		expect(receiver.received).toEqual([]);
	});

	it('a port in use is reported', async () => {
		const port = new URL(receiver.url).port;
		const { code, errors } = await run(['--port', port]);
		expect([code, errors]).toEqual([1, expect.stringContaining(`Port ${port} is already in use`)]);
	});
});

describe('events and help commands', () => {
	it('the events are listed', async () => {
		expect((await run(['events'])).printed.split('\n')).toEqual(EVENT_NAMES);
	});

	it.each(['--help', '-h', 'help', 'emit --help'])('%s shows the help', async (line) => {
		const { code, printed } = await run(line.split(' '));
		expect([code, printed]).toEqual([0, expect.stringContaining('emit EVENT --to URL')]);
	});
});

describe('simulator command', () => {
	it('the settings and faults of the flags apply', async () => {
		const interrupt = new AbortController();
		const printed: string[] = [];
		const flags =
			'--port 0 --requests-per-second 0 --latency 1 --retry-after date --count-rejected --idempotency-window 60000 --repetition reject --refuse-key-reuse --keep-rejections --no-transfer-events --pending-transfer 7 --fault 429 --fault {"kind":"status","status":503}';
		const ended = runCommand(flags.split(' '), {
			print: (text) => printed.push(text),
			printError: () => undefined,
			signal: interrupt.signal,
		});
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
			transferEvents: false,
			pendingTransferMs: 7,
		});
		expect(await control('faults')).toMatchObject([
			{ kind: '429' },
			{ kind: 'status', status: 503 },
		]);
		interrupt.abort();
		expect(await ended).toBe(0);
	});

	it.each(['SIGINT', 'SIGTERM'] as const)(
		'the process serves until %s and ends cleanly',
		async (signal) => {
			// The loader runs in the same process, so that signals reach the simulator itself.
			const args = ['--import', 'tsx', join(__dirname, 'cli.mts'), '--port', '0'];
			const child = spawn(process.execPath, args);
			const ended = once(child, 'close');
			let output = '';
			for (const stream of [child.stdout, child.stderr])
				stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
			await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(output), 30_000);
			const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0];
			expect((await fetch(`${url}/nowhere`)).status).toBe(401);
			child.kill(signal);
			expect(await ended).toEqual([0, null]);
			expect(output).toContain('Stopped. Requests: 1,');
		},
		60_000,
	);
});
