import { parseArgs } from 'node:util';

import { soakActions } from './actions.mts';
import { soakDeliveries } from './deliveries.mts';
import { startSoakedN8n } from './instance.mts';
import type { Verdict } from './verdict.mts';

const USAGE = `npm run test:soak -- [--deliveries 10000] [--rate 15] [--kills 5] [--rounds 2]
  Sends deliveries to the real n8n, and has it write to the simulated service, while n8n is killed with SIGKILL and
  started again. Then holds what the sender and the service know against what n8n has stored. 10,000 deliveries at
  15 per second take about 12 minutes. --rounds is the number of batches of writes of each kind that are cut off.
`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the exit code */
async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			deliveries: { type: 'string', default: '10000' },
			rate: { type: 'string', default: '15' },
			kills: { type: 'string', default: '5' },
			rounds: { type: 'string', default: '2' },
			help: { type: 'boolean' },
		},
	});
	const [deliveries, ratePerSecond, kills, rounds] = [values.deliveries, values.rate, values.kills, values.rounds].map(Number);
	if (values.help || !(deliveries! >= 0 && ratePerSecond! > 0 && kills! >= 0 && rounds! >= 0)) {
		say(USAGE);
		return values.help ? 0 : 1;
	}
	const soaked = await startSoakedN8n(say);
	try {
		let faults = 0;
		if (deliveries! > 0) faults += report('Deliveries', await soakDeliveries(soaked, { deliveries: deliveries!, ratePerSecond: ratePerSecond!, kills: kills!, say }));
		if (rounds! > 0) faults += report('Writes', await soakActions(soaked, rounds!, say));
		return faults === 0 ? 0 : 1;
	} finally {
		await soaked.close();
	}
}

/** Prints a verdict; gives the number of faults. */
function report(title: string, { facts, faults }: Verdict): number {
	const width = Math.max(...facts.map(([what]) => what.length));
	say(`\n${title}\n`);
	for (const [what, value] of facts) say(`  ${what.padEnd(width)}  ${value}`);
	say(faults.length === 0 ? '\n  Nothing was lost, and nothing happened that should not have.\n' : `\n  FAULTS\n  - ${faults.join('\n  - ')}\n`);
	return faults.length;
}

process.exitCode = await main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	return 1;
});
