import { once } from 'node:events';
import { parseArgs } from 'node:util';
import lodash from 'lodash';

import { EVENT_NAMES } from './description.mts';
import { sampleEvent, type EventOverrides } from './events.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY } from './ids.mts';
import { parseJson } from './parseJson.mts';
import { deliver, type Attempt } from './sender.mts';
import { startSimulator, type Simulator } from './server.mts';

const DEFAULT_PORT = 4010;

const USAGE = `Simulator of the card, treasury and client-management service
Below, "simulator" stands for: npm run simulator --

  simulator                      run the service until Ctrl-C
    --port N                     default ${DEFAULT_PORT}; 0 = any free port
    --webhook-url URL            target of its own events: after a transfer, and when a velocity rule blocks a card
    --key KEY                    webhook key of these events; default ${DEFAULT_WEBHOOK_KEY}

  simulator emit EVENT --to URL  send an event as the service does, and show the answers
    --key KEY                    webhook key; default ${DEFAULT_WEBHOOK_KEY}
    --set PATH=VALUE             change a field of the sample, e.g. --set data.amount=5 (may be repeated);
                                 a field that holds no text takes JSON
    --count N                    number of events; each has its own operation_id unless --set sets one

Events
${EVENT_NAMES.map((name) => `  ${name}`).join('\n')}`;

/** Connection of a command to its process. */
export interface Terminal {
	print: (text: string) => void;
	printError: (text: string) => void;
	signal: AbortSignal;
}

const text = { type: 'string' } as const;
const OPTIONS = {
	help: { type: 'boolean', short: 'h' },
	...{ port: text, key: text, to: text, count: text, 'webhook-url': text },
	set: { type: 'string', multiple: true },
} as const;

/** Options as text; each command checks its own. */
type CommandOptions = ReturnType<typeof parse>['values'];

class UsageError extends Error {}

/**
 * Runs the command line.
 * @returns the exit code: 0 = done, 1 = an event was not delivered or the server could not start, 2 = wrong usage
 */
export async function runCommand(argv: string[], terminal: Terminal): Promise<number> {
	try {
		const { values, positionals } = parse(argv);
		const [command, ...names] = positionals;
		if (command === 'emit' && !values.help) return await emit(names, values, terminal);
		if (command === undefined && !values.help) return await serve(values, terminal);
		if (!values.help) throw new UsageError(`Unknown command "${command}"`);
		terminal.print(USAGE);
		return 0;
	} catch (thrown) {
		if (!(thrown instanceof UsageError)) throw thrown;
		terminal.printError(`${thrown.message}\nSee --help.`);
		return 2;
	}
}

function parse(argv: string[]) {
	try {
		return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
	} catch (thrown) {
		throw new UsageError((thrown as Error).message);
	}
}

/** Parses a whole number within the limits. @throws UsageError */
function wholeNumber(name: string, given: string, min: number, max: number): number {
	const value = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
	if (value >= min && value <= max) return value;
	throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${given}".`);
}

/** Parses the URL to deliver to. @throws UsageError */
function webhookUrl(name: string, given = ''): string {
	if (URL.canParse(given) && /^https?:/.test(given)) return given;
	throw new UsageError(
		`--${name} must be a full URL such as http://127.0.0.1:5678/webhook/…, not "${given}".`,
	);
}

async function serve(options: CommandOptions, terminal: Terminal): Promise<number> {
	const port = wholeNumber('port', options.port ?? String(DEFAULT_PORT), 0, 65_535);
	const { 'webhook-url': target, key: webhookKey = DEFAULT_WEBHOOK_KEY } = options;
	const subscription = target ? { url: webhookUrl('webhook-url', target), webhookKey } : undefined;
	let simulator: Simulator;
	try {
		simulator = await startSimulator({ port, subscription });
	} catch (thrown) {
		const { code, message } = thrown as NodeJS.ErrnoException;
		const isTaken = `Port ${port} is already in use: choose another one with --port.`;
		terminal.printError(code === 'EADDRINUSE' ? isTaken : message);
		return 1;
	}
	terminal.print(welcome(simulator, webhookKey));
	if (!terminal.signal.aborted) await once(terminal.signal, 'abort');
	await simulator.close();
	terminal.print(
		`Stopped. Requests: ${simulator.requests.length}, executed writes: ${simulator.ledger.length}.`,
	);
	return 0;
}

const welcome = ({ url }: Simulator, webhookKey: string): string =>
	[
		`The simulator is running at ${url} (press Ctrl-C to stop). A browser shows its records there.`,
		'',
		...Object.values(API_KEYS).map((key, index) => `  API key, level ${index + 1}  ${key}`),
		`  Webhook key       ${webhookKey}`,
		'',
		'Send an event to a workflow:',
		'  npm run simulator -- emit cards.authorization --to <URL of the webhook>',
	].join('\n');

const NOT_PUBLISHED =
	'404: nothing listens at this URL. Publish the workflow and copy the production URL of its trigger. A test URL works only while the editor waits for an event.';

/** Sends events one after the other by the rules of §6.4 and prints every answer. */
async function emit(names: string[], options: CommandOptions, terminal: Terminal): Promise<number> {
	const [name = ''] = names;
	if (names.length !== 1 || !EVENT_NAMES.includes(name))
		throw new UsageError(`One event is needed, not "${names.join(' ')}".`);
	const url = webhookUrl('to', options.to);
	const count = wholeNumber('count', options.count ?? '1', 1, 100_000);
	const overrides = overridesOf(name, options.set ?? []);

	let missed = 0;
	const stop = new AbortController();
	const signal = AbortSignal.any([terminal.signal, stop.signal]);
	for (let n = 1; n <= count && !signal.aborted; n++) {
		const event = sampleEvent(name, overrides);
		let tries = 0;
		const { delivered } = await deliver(event, {
			...{ url, signal, webhookKey: options.key ?? DEFAULT_WEBHOOK_KEY },
			onAttempt(attempt, nextInMs) {
				const { status = '-', ms } = attempt;
				const next = nextInMs === undefined ? '' : `  next attempt in ${nextInMs / 1_000} s …`;
				terminal.print(
					`${n}  ${name}  ${event.operation_id}  attempt ${++tries}  ${status}  ${Math.round(ms)} ms  ${answerOf(attempt)}${next}`,
				);
				// The service would retry, but waiting eight minutes for an unpublished workflow helps nobody.
				if (status !== 404) return;
				terminal.printError(NOT_PUBLISHED);
				stop.abort();
			},
		});
		if (!delivered) missed++;
	}
	if (missed > 0) terminal.printError(`Not delivered: ${missed} of ${count}.`);
	return missed > 0 || terminal.signal.aborted ? 1 : 0;
}

/** Reads settings such as `data.amount=5`. @throws UsageError */
function overridesOf(name: string, settings: string[]): EventOverrides {
	const sample = sampleEvent(name);
	const overrides: EventOverrides = {};
	for (const setting of settings) {
		const [, path = '', value = ''] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
		if (path === '') throw new UsageError(`--set needs PATH=VALUE, not "${setting}".`);
		const isText = typeof lodash.get(sample, path) === 'string';
		lodash.set(overrides, path, isText ? value : (parseJson(value) ?? value));
	}
	return overrides;
}

function answerOf({ error, body = '' }: Attempt): string {
	if (error === 'ECONNREFUSED') return 'nothing is listening there (ECONNREFUSED)';
	if (error !== undefined)
		return error === 'deadline' ? 'no full answer within the deadline' : error;
	const line = body.replace(/\s+/g, ' ').trim();
	return line === '' ? '(empty)' : lodash.truncate(line, { length: 80, omission: '…' });
}
