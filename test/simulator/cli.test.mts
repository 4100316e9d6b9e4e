import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { runCommand } from './command.mts';
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
	const printed: string[] = [];
	const argv = line.replace('URL', receiver.url).split(' ');
	const code = await runCommand(argv, (text) => printed.push(text));
	return { code, text: printed.join('\n') };
}

it('emit sends events with their changes and a key, and shows each answer', async () => {
	const { code, text } = await run(
		'emit cards.card_blocked_by_velocity --to URL --key k --count 2 --set data.card_id=5 --set data.triggered_rule.max_authorizations=9',
	);
	expect(text).toMatch(/^1 {2}cards\.card_blocked_by_velocity {2}5 {2}200 {2}\d+ ms/);
	const data = { card_id: '5', triggered_rule: { max_authorizations: 9 } };
	expect([code, receiver.received.map(({ json }) => json)]).toMatchObject([
		0,
		[{ data }, { data }],
	]);
	expect(receiver.received[0]!.headers['x-webhook-key']).toBe('k');
});

it.each<[line: string, code: number, shown: RegExp]>([
	['emit cards.authorization --to http://127.0.0.1:1', 1, /Not delivered: 1 of 1\./],
	['emit cards.autorization --to URL', 2, /Unknown event: cards\.autorization/],
	['emit cards.refund', 2, /Invalid URL/],
	['emti', 2, /Unknown command "emti"/],
	['emit --help', 0, /emit EVENT --to URL[^]*company_activity\.client_status/],
])('%s ends with %d and %s, and sends nothing', async (line, code, shown) => {
	expect(await run(line)).toEqual({ code, text: expect.stringMatching(shown) });
	expect(receiver.received).toEqual([]);
});

it('serves until SIGTERM and ends cleanly', async () => {
	// The loader runs in the same process, so that the signal reaches the simulator itself.
	const args = ['--import', 'tsx', join(__dirname, 'cli.mts'), '--port', '0'];
	const child = spawn(process.execPath, args);
	const ended = once(child, 'close');
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	await until(() => /http:\/\/127\.0\.0\.1:\d+/.test(output), 30_000);
	child.kill('SIGTERM');
	expect(await ended).toEqual([0, null]);
	expect(output).toContain('Stopped. Requests: 0,');
}, 60_000);
