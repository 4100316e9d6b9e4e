import { once } from 'node:events';
import lodash from 'lodash';

import { describeIssues } from '../control.mts';
import { faultSchema, type Fault } from '../faults.mts';
import { API_KEYS, DEFAULT_WEBHOOK_KEY, IDS, MAGIC_RECIPIENTS } from '../ids.mts';
import { parseJson } from '../parseJson.mts';
import { startSimulator, type Simulator } from '../server.mts';
import type { CommandOptions, Terminal } from './command.mts';
import { UsageError, webhookUrl, wholeNumber } from './usageError.mts';

export const DEFAULT_PORT = 4010;

export async function serve(options: CommandOptions, terminal: Terminal): Promise<number> {
	const count = (name: 'requests-per-second' | 'latency' | 'pending-transfer') =>
		wholeNumber(name, options[name], 0, name === 'requests-per-second' ? 100_000 : 600_000);
	const port = wholeNumber('port', options.port, 0, 65_535) ?? DEFAULT_PORT;
	const settings = {
		requestsPerSecond: count('requests-per-second'),
		latencyMs: count('latency'),
		pendingTransferMs: count('pending-transfer'),
	};
	const faults = (options.fault ?? []).map(readFault);
	const target = options['webhook-url'];
	const webhookKey = options.key ?? DEFAULT_WEBHOOK_KEY;
	const subscription = target ? { url: webhookUrl('webhook-url', target), webhookKey } : undefined;

	let simulator: Simulator;
	try {
		simulator = await startSimulator({ port, faults, subscription, ...settings });
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
	const fault = faultSchema.safeParse(text.startsWith('{') ? parseJson(text) : { kind: text });
	if (fault.success) return fault.data;
	throw new UsageError(`--fault ${text}: ${describeIssues(fault.error)}`);
}

function startFailure({ code, message }: NodeJS.ErrnoException, port: number): string {
	if (code === 'EADDRINUSE')
		return `Port ${port} is already in use, perhaps by another simulator. Close that one, or choose another port with --port.`;
	return `The simulator could not start: ${message}`;
}

function welcome({ url }: Simulator, webhookKey: string): string {
	const facts = {
		'API key, level 1': API_KEYS[1],
		'API key, level 2': API_KEYS[2],
		'API key, level 3': `${API_KEYS[3]} (for every operation)`,
		'Webhook key': webhookKey,
		'Account and wallet': `${IDS.account} ${IDS.wallet}`,
		'Individual cards': `${IDS.activeCard} (active), ${IDS.blockedCard} (blocked)`,
		'Enterprise card': `${IDS.enterpriseCard} (transactions ${IDS.purchase} …)`,
		'Ramp transfer': `${IDS.pendingRamp} (pending)`,
		Client: `${IDS.client}, product request ${IDS.pendingProductRequest} (pending documentation)`,
		...lodash.mapKeys(MAGIC_RECIPIENTS, (_address, ending) => `Recipient, ${ending}`),
	};
	return [
		`The simulator is running at ${url} (press Ctrl-C to stop)`,
		'',
		...Object.entries(facts).map(([name, value]) => `  ${name.padEnd(24)}  ${value}`),
		'',
		'Send an event to a workflow:',
		'  npm run simulator -- emit cards.authorization --to <URL of the webhook>',
		`Inspect or control it: GET ${url}/_simulator/ledger, …/requests, …/state; POST …/faults {"kind":"429"}, …/settings {"latencyMs":500}`,
	].join('\n');
}
