import { parseArgs } from 'node:util';

import { copies, copy, REAL } from './code.mts';
import { isPromised, play, search } from './histories.mts';
import { RULES, type Rule } from './rules.mts';

const USAGE = `npm run test:model -- [--histories 10000] [--seed 1]
  --large      runs of up to 91 payments, by the imported code with its parts of 10
  --cuts       repeats each history with one kill at each of its steps, instead of random kills
  --procs 2    two processes that overwrite each other's notes
  --evict      n8n keeps few notes
  --once       requests that are named by their places, instead of payments
  --rule NAME  switches a rule off
  --table      switches each rule off, and prints what breaks
  --show SEED  prints a history; with --cut=STEP, n8n is killed there`;

const { values } = parseArgs({
	options: {
		histories: { type: 'string', default: '10000' },
		seed: { type: 'string', default: '1' },
		large: { type: 'boolean', default: false },
		cuts: { type: 'boolean', default: false },
		cut: { type: 'string' },
		procs: { type: 'string', default: '1' },
		evict: { type: 'boolean', default: false },
		once: { type: 'boolean', default: false },
		rule: { type: 'string' },
		table: { type: 'boolean', default: false },
		show: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});
const say = (text: string) => process.stdout.write(`${text}\n`);

const rules = Object.entries(RULES).filter(([name]) => name.includes(values.rule ?? ''));
if (rules.length === 0) throw new Error(`No rule is called ${values.rule}`);
const chosen = values.rule === undefined ? undefined : rules[0]![1];

const large = (rule?: Rule) => (rule ? copy(rule.edits) : REAL);
const codesOf = (rule?: Rule) => (values.large ? [large(rule)] : copies(rule?.edits));
const settingsOf = (rule?: Rule) => ({
	...{ processes: Number(values.procs), isEvicting: values.evict, isOnce: values.once, ...rule },
	scale: values.large ? 13 : 1,
});

async function show(seed: number): Promise<void> {
	const settings = { ...settingsOf(chosen), isTraced: true };
	const cut = values.cut === undefined ? {} : { cutAt: Number(values.cut) };
	say((await play(codesOf(chosen), seed, { ...settings, ...cut })).trace.join('\n'));
}

/** Plays histories, and prints what breaks, with the seed of the shortest one. Returns true if it is promised. */
async function tryAll(name: string, rule?: Rule): Promise<boolean> {
	const range = { first: Number(values.seed), histories: Number(values.histories) };
	const settings = settingsOf(rule);
	const { counts, found } = await search(codesOf(rule), { ...range, isCut: values.cuts }, settings);
	say(`${name} ${JSON.stringify(counts)}`);
	for (const [what, { count, seed, cutAt }] of found)
		if (!rule || isPromised(what) || settings.processes > 1)
			say(`  ${what}: ${count} [${seed}${cutAt === undefined ? '' : ` --cut=${cutAt}`}]`);
	return [...found.keys()].some(isPromised);
}

if (values.help) say(USAGE);
else if (values.show !== undefined) await show(Number(values.show));
else if (values.table) for (const [name, rule] of rules) await tryAll(name, rule);
else process.exitCode = (await tryAll(`from seed ${values.seed}`, chosen)) ? 1 : 0;
