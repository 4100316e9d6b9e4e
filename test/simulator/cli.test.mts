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

/** Starts a command in this process. */
function start(argv: string[]) {
	const printed: string[] = [];
	const interrupt = new AbortController();
	const print = (text: string) => void printed.push(text);
	const code = runCommand(argv, { print, printError: print, signal: interrupt.signal });
	return { code, printed, interrupt };
}

async function run(argv: string[]) {
	const { code, printed } = start(argv);
	return { code: await code, text: (await code, printed.join('\n')) };
}

const emit = (...argv: string[]) => run(['emit', ...argv, '--to', receiver.url]);

describe('emit command', () => {
	it('sends the event with a key, and shows its answer', async () => {
		const { code, text } = await emit('cards.refund');
		expect([code, receiver.received[0]!.headers['x-webhook-key']]).toEqual([0, 'test-webhook-key']);
		expect(text).toMatch(
			/^1 {2}cards\.refund {2}[0-9a-f-]{36} {2}attempt 1 {2}200 {2}\d+ ms {2}\{"response_code":"OK"\}$/,
		);
		receiver.answer = () => ({ body: { response_code: '05' } });
		const decided = await emit('cards.authorization', '--key', 'other');
		expect(receiver.received[1]!.headers['x-webhook-key']).toBe('other');
		expect(decided.text).toContain('{"response_code":"05"}');
	});

	it('sets fields to text, JSON or, if the sample has a number, a number', async () => {
		const values = [
			...['data.card_id=abc', 'data.triggered_rule.max_authorizations=9', 'data.blocked_at='],
			...['data.last_authorization_id:=null', 'data.new.field=x=y'],
		];
		await emit('cards.card_blocked_by_velocity', ...values.flatMap((value) => ['--set', value]));
		expect(receiver.received[0]!.json).toMatchObject({
			operation_id: 'abc',
			data: {
				...{ card_id: 'abc', last_authorization_id: null, new: { field: 'x=y' }, blocked_at: '' },
				triggered_rule: { max_authorizations: 9 },
			},
		});
	});

	it('sends several events with operation_ids of their own, unless one is set', async () => {
		const ids = () => receiver.received.map(({ json }) => json.operation_id);
		await emit('treasury.transfer', '--count', '3');
		expect(new Set(ids()).size).toBe(3);
		await emit('treasury.transfer', '--count', '2', '--set', 'operation_id=same');
		expect(ids().slice(3)).toEqual(['same', 'same']);
	});

	it('ends at the first 404 with its cause, unless attempts are set', async () => {
		receiver.answer = () => ({ status: 404, body: 'The requested webhook is not registered.' });
		const { code, text } = await emit('cards.refund', '--count', '3');
		expect([code, receiver.received.length]).toEqual([1, 1]);
		expect(text).toContain('404: nothing listens at this URL. Publish the workflow');
		expect((await emit('cards.refund', '--attempts', '2')).text).toContain('next attempt in 1 s');
		expect(receiver.received).toHaveLength(3);
	});

	it('reports an event that was not delivered, with exit code 1', async () => {
		const nobody = ['--to', 'http://127.0.0.1:1', '--attempts', '1'];
		const { code, text } = await run(['emit', 'cards.refund', ...nobody]);
		expect(code).toBe(1);
		expect(text).toMatch(/nothing is listening there[^]*Not delivered: 1 of 1\./);
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
		['emit cards.refund --to URL --set data:={', /must be JSON/],
		[
			'emit cards.card_blocked_by_velocity --to URL --set data.triggered_rule.max_authorizations=many',
			/must be a number/,
		],
		['emti', /Unknown command "emti"/],
		['--prot 1', /--prot/],
		['--port 99999', /--port must be a whole number/],
		['--latency 1.5', /--latency must be a whole number from 0 to 600000, not "1\.5"/],
		['--fault earthquake', /--fault earthquake: kind: /],
		['--fault {"kind":', /--fault \{"kind":: body: /],
	])('%s is explained, exits with 2 and sends nothing', async (line, message) => {
		const { code, text } = await run(line.replace('URL', receiver.url).split(' '));
		expect([code, text]).toEqual([2, expect.stringMatching(message)]);
		expect(text).toContain('--help');
		expect(receiver.received).toEqual([]);
	});

	it('reports a port in use', async () => {
		const { port } = new URL(receiver.url);
		const { code, text } = await run(['--port', port]);
		expect([code, text]).toEqual([1, expect.stringContaining(`Port ${port} is already in use`)]);
	});
});

it.each([
	['events', EVENT_NAMES.join('\n')],
	...['--help', '-h', 'help', 'emit --help'].map((line) => [line, 'emit EVENT --to URL']),
])('%s is shown', async (line, shown) => {
	const { code, text } = await run(line.split(' '));
	expect([code, text]).toEqual([0, expect.stringContaining(shown)]);
});

describe('simulator command', () => {
	it('starts with the settings and faults of its flags', async () => {
		const flags =
			'--port 0 --requests-per-second 0 --latency 1 --pending-transfer 7 --fault 429 --fault {"kind":"status","status":503}';
		const { code, printed, interrupt } = start(flags.split(' '));
		await until(() => printed.length > 0);
		const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed[0]!)![0];
		const control = async (name: string) =>
			(await (await fetch(`${url}/_simulator/${name}`)).json()) as unknown;
		expect(await control('settings')).toEqual({
			...{ requestsPerSecond: 0, latencyMs: 1, pendingTransferMs: 7 },
		});
		expect(await control('faults')).toMatchObject([{ kind: '429' }, { status: 503 }]);
		interrupt.abort();
		expect(await code).toBe(0);
	});

	it.each(['SIGINT', 'SIGTERM'] as const)(
		'serves until %s and ends cleanly',
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
