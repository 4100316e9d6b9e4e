import { parseArgs } from 'node:util';

import { EVENT_NAMES } from '../events/index.mts';
import { emit } from './emit.mts';
import { serve } from './serve.mts';
import { SETTING_OPTIONS } from './settingFlags.mts';
import { USAGE } from './usage.mts';
import { UsageError } from './usageError.mts';

/** Connection of a command to its process. */
export interface Terminal {
	print: (text: string) => void;
	printError: (text: string) => void;
	signal: AbortSignal;
}

const OPTIONS = {
	help: { type: 'boolean', short: 'h' },
	port: { type: 'string' },
	'webhook-url': { type: 'string' },
	fault: { type: 'string', multiple: true },
	to: { type: 'string' },
	key: { type: 'string' },
	set: { type: 'string', multiple: true },
	count: { type: 'string' },
	attempts: { type: 'string' },
} as const;

/** Options as text; each command checks its own. */
export type CommandOptions = ReturnType<typeof parse>['values'] & Record<string, unknown>;

/**
 * Runs the command line.
 * @returns the exit code: 0 = done, 1 = an event was not delivered or the server could not start, 2 = wrong usage
 */
export async function runCommand(argv: string[], terminal: Terminal): Promise<number> {
	try {
		const { values, positionals } = parse(argv);
		const [command, ...rest] = positionals;
		if (values.help || command === 'help') return done(terminal, USAGE);
		if (command === undefined) return await serve(values, terminal);
		if (command === 'events') return done(terminal, EVENT_NAMES.join('\n'));
		if (command === 'emit') return await emit(rest, values, terminal);
		throw new UsageError(
			`Unknown command "${command}". Commands: emit, events; without one, the simulator runs.`,
		);
	} catch (thrown) {
		if (!(thrown instanceof UsageError)) throw thrown;
		terminal.printError(`${thrown.message}\nSee --help.`);
		return 2;
	}
}

function parse(argv: string[]) {
	try {
		return parseArgs({
			args: argv,
			options: { ...SETTING_OPTIONS, ...OPTIONS },
			allowPositionals: true,
		});
	} catch (thrown) {
		throw new UsageError((thrown as Error).message);
	}
}

function done(terminal: Terminal, text: string): number {
	terminal.print(text);
	return 0;
}
