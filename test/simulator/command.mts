import { once } from 'node:events';
import { parseArgs } from 'node:util';
import lodash from 'lodash';

import { EVENT_NAMES } from './description.mts';
import { sampleEvent, type EventOverrides } from './events.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY } from './ids.mts';
import { parseJson } from './parseJson.mts';
import { deliver } from './sender.mts';
import { startSimulator } from './server.mts';

const USAGE = `Simulator of the card, treasury and client-management service
Below, "simulator" stands for: npm run simulator --

  simulator                      run the service until Ctrl-C
    --port N                     default 4010; 0 = any free port
    --webhook-url URL            target of its own events, after a transfer
    --key KEY                    webhook key of these events; default ${DEFAULT_WEBHOOK_KEY}

  simulator emit EVENT --to URL  send an event as the service does, and show the answers
    --key KEY                    webhook key; default ${DEFAULT_WEBHOOK_KEY}
    --set PATH=VALUE             change a field of the sample, e.g. --set data.amount=5 (may be repeated);
                                 a field that holds no text takes JSON
    --count N                    number of events; each has its own operation_id unless --set sets one

Events
${EVENT_NAMES.map((name) => `  ${name}`).join('\n')}`;

const text = { type: 'string' } as const;
const OPTIONS = {
	help: { type: 'boolean', short: 'h' },
	...{ port: text, key: text, to: text, count: text, 'webhook-url': text },
	set: { type: 'string', multiple: true },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
type Print = (text: string) => void;

/**
 * Runs the command line to its end.
 * @returns the exit code: 0 = done, 1 = an event was not delivered, 2 = wrong usage or a port that is taken
 */
export async function runCommand(args: string[], print: Print): Promise<number> {
	try {
		const parsed = parseArgs({ args, options: OPTIONS, allowPositionals: true });
		const { values, positionals } = parsed;
		const [command, name = ''] = positionals;
		if (values.help) print(USAGE);
		else if (command === 'emit') return await emit(name, values, print);
		else if (command === undefined) await serve(values, print);
		else throw new Error(`Unknown command "${command}"`);
		return 0;
	} catch (thrown) {
		print(`${(thrown as Error).message}\nSee --help.`);
		return 2;
	}
}

async function serve(options: Options, print: Print): Promise<void> {
	const { port = '4010', 'webhook-url': url, key: webhookKey = DEFAULT_WEBHOOK_KEY } = options;
	const subscription = url === undefined ? undefined : { url: new URL(url).href, webhookKey };
	const simulator = await startSimulator({ port: Number(port), subscription });
	// A second signal ends the process at once.
	const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
	print(`The simulator is running at ${simulator.url} (press Ctrl-C to stop). A browser shows its records there.

${Object.entries(API_KEYS)
	.map(([level, key]) => `  API key, level ${level}  ${key}`)
	.join('\n')}
  Webhook key       ${webhookKey}

Send an event to a workflow:
  npm run simulator -- emit cards.authorization --to <URL of the webhook>`);
	await ended;
	await simulator.close();
	const { requests, ledger } = simulator;
	print(`Stopped. Requests: ${requests.length}, executed writes: ${ledger.length}.`);
}

/** Sends events one after the other by the rules of §6.4 and prints every answer. */
async function emit(name: string, options: Options, print: Print) {
	const { to = '', key: webhookKey = DEFAULT_WEBHOOK_KEY, count = '1', set = [] } = options;
	const { href: url } = new URL(to);
	const overrides = overridesOf(name, set);
	let missed = 0;
	for (let n = 1; n <= Number(count); n++) {
		const event = sampleEvent(name, overrides);
		const { delivered } = await deliver(event, {
			...{ url, webhookKey },
			onAttempt({ status, error, ms, body }, nextInMs) {
				const answer = lodash.truncate(body, { length: 80 });
				const next = nextInMs && `next attempt in ${nextInMs / 1_000} s …`;
				const words = [n, name, event.operation_id, status ?? error, `${Math.round(ms)} ms`];
				print(lodash.compact([...words, answer, next]).join('  '));
				if (status === 404)
					print('Publish the workflow, and take the production URL of its trigger.');
			},
		});
		if (!delivered) missed++;
	}
	if (missed > 0) print(`Not delivered: ${missed} of ${count}.`);
	return missed > 0 ? 1 : 0;
}

/** Reads settings such as `data.amount=5`. @throws RangeError for an unknown event */
function overridesOf(name: string, settings: string[]): EventOverrides {
	const sample = sampleEvent(name);
	const overrides: EventOverrides = {};
	for (const setting of settings) {
		const [path = '', ...rest] = setting.split('=');
		const value = rest.join('=');
		const isText = typeof lodash.get(sample, path) === 'string';
		lodash.set(overrides, path, isText ? value : (parseJson(value) ?? value));
	}
	return overrides;
}
