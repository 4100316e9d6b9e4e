import { once } from 'node:events';

import { describeIssues } from '../control.mts';
import { faultSchema, type Fault } from '../faults.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY, IDS, MAGIC_RECIPIENTS } from '../ids.mts';
import { startSimulator, type Simulator } from '../server.mts';
import type { CommandOptions, Terminal } from './command.mts';
import { givenSettings } from './settingFlags.mts';
import { table } from './table.mts';
import { DEFAULT_PORT } from './usage.mts';
import { UsageError, webhookUrl, wholeNumber } from './usageError.mts';

export async function serve(options: CommandOptions, terminal: Terminal): Promise<number> {
	const port = wholeNumber('port', options.port, DEFAULT_PORT, 0, 65_535);
	const settings = givenSettings(options);
	const faults = (options.fault ?? []).map(readFault);
	const target = options['webhook-url'];
	const url = target === undefined ? undefined : webhookUrl('webhook-url', target);
	const webhookKey = options.key ?? DEFAULT_WEBHOOK_KEY;

	let simulator: Simulator;
	try {
		const subscription = url === undefined ? undefined : { url, webhookKey };
		simulator = await startSimulator({ port, ...settings, faults, subscription });
	} catch (thrown) {
		terminal.printError(startFailure(thrown as NodeJS.ErrnoException, port));
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

/** Parses a fault given as its kind or as JSON. @throws UsageError */
function readFault(text: string): Fault {
	let value: unknown = { kind: text };
	if (text.startsWith('{')) {
		try {
			value = JSON.parse(text);
		} catch (thrown) {
			throw new UsageError(`--fault is not valid JSON: ${(thrown as Error).message}`);
		}
	}
	const fault = faultSchema.safeParse(value);
	if (fault.success) return fault.data;
	throw new UsageError(`--fault ${describeIssues(fault.error)}`);
}

function startFailure({ code, message }: NodeJS.ErrnoException, port: number): string {
	if (code === 'EADDRINUSE') {
		return `Port ${port} is already in use, perhaps by another simulator. Close that one, or choose another port with --port.`;
	}
	if (code === 'EACCES')
		return `Port ${port} may not be used by this user. Choose one above 1023 with --port.`;
	return `The simulator could not start: ${message}`;
}

function welcome({ url }: Simulator, webhookKey: string): string {
	return [
		`The simulator is running at ${url} (press Ctrl-C to stop)`,
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
			['', `${IDS.newClient} (no product requests)`],
			...Object.entries(MAGIC_RECIPIENTS).map(([outcome, address], index) => [
				index === 0 ? 'Recipients' : '',
				`${address} (the transfer ends with ${outcome})`,
			]),
		]),
		'',
		'Send an event to a workflow:',
		'  npm run simulator -- emit cards.authorization --to <URL of the webhook>',
		`Inspect or control it: GET ${url}/_simulator/ledger, …/requests, …/state; POST …/faults {"kind":"429"}, …/settings {"keepRejections":true}`,
	].join('\n');
}
