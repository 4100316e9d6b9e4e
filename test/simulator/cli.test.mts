import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { runCommand } from './command.mts';
import { EVENT_NAMES } from './index.mts';
import { startReceiver, type Receiver } from './receiver.mts';
import { until } from './until.mts';

let receiver: Receiver;
beforeAll(async () => {
	receiver = await startReceiver();
});
beforeEach(() => receiver.reset());
afterAll(() => receiver.close());

/** Runs a command in this process. `URL` stands for the receiver. */
async function run(line: string) {
	const { signal } = new AbortController();
	const printed: string[] = [];
	const print = (text: string) => void printed.push(text);
	const argv = line.replace('URL', receiver.url).split(' ');
	const code = await runCommand(argv, { print, printError: print, signal });
	return { code, text: printed.join('\n') };
}

describe('emit command', () => {
	it('sends the event with a key, and shows its answer', async () => {
		const { code, text } = await run('emit cards.refund --to URL');
		expect([code, receiver.received[0]!.headers['x-webhook-key']]).toEqual([0, 'test-webhook-key']);
		expect(text).toMatch(
			/^1 {2}cards\.refund {2}[0-9a-f-]{36} {2}attempt 1 {2}200 {2}\d+ ms {2}\{"response_code":"OK"\}$/,
		);
		receiver.answer = () => ({ body: { response_code: '05' } });
		const decided = await run('emit cards.authorization --key other --to URL');
		expect(receiver.received[1]!.headers['x-webhook-key']).toBe('other');
		expect(decided.text).toContain('{"response_code":"05"}');
	});

	it('sets fields to text, or to JSON if the sample holds no text', async () => {
		await run(
			'emit cards.card_blocked_by_velocity --to URL --set data.card_id=5 --set data.blocked_at= --set data.triggered_rule.max_authorizations=9 --set data.new.field=x=y',
		);
		expect(receiver.received[0]!.json).toMatchObject({
			operation_id: '5',
			data: {
				...{ card_id: '5', blocked_at: '', new: { field: 'x=y' } },
				triggered_rule: { max_authorizations: 9 },
			},
		});
	});

	it('sends several events with operation_ids of their own, unless one is set', async () => {
		const ids = () => receiver.received.map(({ json }) => json.operation_id);
		await run('emit treasury.transfer --to URL --count 3');
		expect(new Set(ids()).size).toBe(3);
		await run('emit treasury.transfer --to URL --count 2 --set operation_id=same');
		expect(ids().slice(3)).toEqual(['same', 'same']);
	});

	it('ends at the first 404 with its cause', async () => {
		receiver.answer = () => ({ status: 404, body: 'The requested webhook is not registered.' });
		const { code, text } = await run('emit cards.refund --to URL --count 3');
		expect([code, receiver.received.length]).toEqual([1, 1]);
		expect(text).toContain('404: nothing listens at this URL. Publish the workflow');
	});

	it('reports an event that was not delivered, with exit code 1', async () => {
		const { code, text } = await run('emit cards.authorization --to http://127.0.0.1:1');
		expect(code).toBe(1);
		expect(text).toMatch(/nothing is listening there[^]*Not delivered: 1 of 1\./);
	});
});

it.each<[line: string, code: number, shown: RegExp]>([
	['emit cards.autorization --to URL', 2, /One event is needed, not "cards\.autorization"/],
	['emit --to URL', 2, /One event is needed/],
	['emit cards.refund cards.cleared --to URL', 2, /One event is needed/],
	['emit cards.refund', 2, /--to must be a full URL/],
	['emit cards.refund --to localhost:5678', 2, /--to must be a full URL/],
	['emit cards.refund --to URL --count 0', 2, /--count must be a whole number from 1/],
	['emit cards.refund --to URL --set data.amount', 2, /PATH=VALUE/],
	['emti', 2, /Unknown command "emti"/],
	['--prot 1', 2, /--prot[^]*See --help/],
	['--port 99999', 2, /--port must be a whole number/],
	['emit --help', 0, new RegExp(`emit EVENT --to URL[^]*${EVENT_NAMES.at(-1)!}`)],
])('%s ends with %d and %s, and sends nothing', async (line, code, shown) => {
	expect(await run(line)).toEqual({ code, text: expect.stringMatching(shown) });
	expect(receiver.received).toEqual([]);
});

it('reports a port in use', async () => {
	const { port } = new URL(receiver.url);
	const text = expect.stringContaining(`Port ${port} is already in use`) as string;
	expect(await run(`--port ${port}`)).toEqual({ code: 1, text });
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
