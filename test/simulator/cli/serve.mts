import { API_KEYS, DEFAULT_WEBHOOK_KEY, IDS } from '../ids.mts';
import { startSimulator, type Simulator } from '../server.mts';
import type { CommandOptions, Terminal } from './command.mts';
import { webhookUrl, wholeNumber } from './mistake.mts';
import { table } from './table.mts';
import { DEFAULT_PORT } from './usage.mts';

/** Runs the simulator until the terminal's signal. */
export async function serve(options: CommandOptions, terminal: Terminal): Promise<number> {
	const port = wholeNumber('port', options.port, DEFAULT_PORT, 0, 65_535);
	const requestsPerSecond = wholeNumber(
		'requests-per-second',
		options['requests-per-second'],
		15,
		0,
		100_000,
	);
	const latencyMs = wholeNumber('latency', options.latency, 0, 0, 600_000);
	const url =
		options['webhook-url'] === undefined
			? undefined
			: webhookUrl('webhook-url', options['webhook-url']);
	const webhookKey = options.key ?? DEFAULT_WEBHOOK_KEY;

	let simulator: Simulator;
	try {
		simulator = await startSimulator({
			port,
			requestsPerSecond,
			latencyMs,
			...(url !== undefined && { subscription: { url, webhookKey } }),
		});
	} catch (thrown) {
		terminal.complain(startFailure(thrown as NodeJS.ErrnoException, port));
		return 1;
	}
	terminal.print(welcome(simulator, webhookKey));
	await aborted(terminal.signal);
	await simulator.close();
	terminal.print(
		`Closed after ${simulator.requests.length} requests and ${simulator.ledger.length} executed writes.`,
	);
	return 0;
}

function startFailure({ code, message }: NodeJS.ErrnoException, port: number): string {
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use already, perhaps by another simulator. Close that one, or choose another port with --port.`;
	}
	if (code === 'EACCES')
		return `Port ${port} may not be used by this user. Choose one above 1023 with --port.`;
	return `The simulator could not start: ${message}`;
}

function welcome({ url }: Simulator, webhookKey: string): string {
	return [
		`The simulator runs at ${url} (Ctrl-C ends it)`,
		'',
		table([
			['API key, level 1', API_KEYS[1]],
			['API key, level 2', API_KEYS[2]],
			['API key, level 3', `${API_KEYS[3]} (for every operation)`],
			['Webhook key', webhookKey],
			['Account and wallet', `${IDS.account} ${IDS.wallet}`],
			['Individual card', `${IDS.activeCard} (active)`],
			['', `${IDS.blockedCard} (blocked)`],
			['Enterprise card', `${IDS.enterpriseCard} (transactions ${IDS.purchase} …)`],
			['Ramp transfer', `${IDS.pendingRamp} (pending)`],
			[
				'Client',
				`${IDS.client}, product request ${IDS.pendingProductRequest} (pending documentation)`,
			],
		]),
		'',
		'Send an event to a workflow:',
		'  npm run simulator -- emit cards.authorization --to <URL of the webhook>',
		`Watch or steer it: GET ${url}/_simulator/ledger, …/requests, …/state; POST …/faults {"kind":"429"}`,
	].join('\n');
}

async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
