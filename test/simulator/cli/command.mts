import { parseArgs } from 'node:util';

import { EVENT_NAMES } from '../events.mts';
import { FAULT_KINDS } from '../faults.mts';
import { DEFAULT_WEBHOOK_KEY } from '../ids.mts';
import { emit } from './emit.mts';
import { DEFAULT_PORT, serve } from './serve.mts';
import { UsageError } from './usageError.mts';

const USAGE = `Simulator of the card, treasury and client-management service
Below, "simulator" stands for: npm run simulator --

  simulator                      run the service until Ctrl-C
    --port N                     default ${DEFAULT_PORT}; 0 = any free port
    --webhook-url URL            target of its own events: after a transfer, and when a velocity rule blocks a card
    --key KEY                    webhook key of these events; default ${DEFAULT_WEBHOOK_KEY}
    --requests-per-second N      limit of §8; default 15, 0 = no limit
    --latency MS                 delay of every answer; default 0
    --pending-transfer MS        time until a pending transfer succeeds; default 3000
    --fault KIND                 start with a fault, e.g. --fault reset-after (may be repeated), or as JSON,
                                 e.g. --fault '{"kind":"status","status":503,"times":3}'. The kinds:
                                 ${FAULT_KINDS.join(', ')}

  simulator emit EVENT --to URL  send an event as the service does, and show the answers
    --key KEY                    webhook key; default ${DEFAULT_WEBHOOK_KEY}
    --set PATH=TEXT              change a field of the sample, e.g. --set data.amount=5 (may be repeated);
                                 a field that holds a number or true/false keeps its type
    --set PATH:=JSON             any JSON value, e.g. --set data.decline_reason:=null
    --count N                    number of events; each has its own operation_id unless --set sets one
    --attempts N                 maximum number of attempts; default as the service: 10, for an authorization 1

  simulator events               list the events

Examples
  simulator emit cards.authorization --to http://127.0.0.1:5678/webhook/abc --set data.bill_amount=19.90
  simulator emit treasury.transfer --to http://127.0.0.1:5678/webhook/abc --set status=failed --count 3`;

/** Connection of a command to its process. */
export interface Terminal {
	print: (text: string) => void;
	printError: (text: string) => void;
	signal: AbortSignal;
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const OPTIONS = {
	help: { type: 'boolean', short: 'h' },
	...{ port: text, key: text, to: text, count: text, attempts: text, 'webhook-url': text },
	...{ 'requests-per-second': text, latency: text, 'pending-transfer': text },
	...{ fault: texts, set: texts },
} as const;

/** Options as text; each command checks its own. */
export type CommandOptions = ReturnType<typeof parse>['values'];

/**
 * Runs the command line.
 * @returns the exit code: 0 = done, 1 = an event was not delivered or the server could not start, 2 = wrong usage
 */
export async function runCommand(argv: string[], terminal: Terminal): Promise<number> {
	try {
		const { values, positionals } = parse(argv);
		const [command, ...rest] = positionals;
		if (values.help || command === 'help') terminal.print(USAGE);
		else if (command === 'events') terminal.print(EVENT_NAMES.join('\n'));
		else if (command === 'emit') return await emit(rest, values, terminal);
		else if (command === undefined) return await serve(values, terminal);
		else
			throw new UsageError(
				`Unknown command "${command}". Commands: emit, events; without one, the simulator runs.`,
			);
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
