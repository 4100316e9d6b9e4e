import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Action } from './engine.mts';
import { chanceOf, generate } from './generate.mts';
import type { History } from './history.mts';

const NODES = new URL('../../nodes/', import.meta.url);
const COPY = new URL('../../node_modules/.cache/faulty-nodes/', import.meta.url);

interface Fault {
	/** History that finds it, or its seed. */
	found: History | number;
	/** Files of `nodes/CardTreasury`, texts that occur once in them, and their replacements. */
	change: Array<[file: string, text: string, instead: string]>;
}

const MEMORY = 'batch/memory.ts';
const PARTS = 'batch/parts.ts';
const READ = 'batch/read.ts';

/** Faults that the model must notice. Nearly every one switches off a rule of the payment memory. */
export const FAULTS: Record<string, Fault> = {
	// Notes
	'no ref': {
		found: 2,
		change: [
			[MEMORY, '...items.map(({ notes }) => notes.ref),', ''],
			[MEMORY, '[own.ref, own.paid]', '[own.paid]'],
		],
	},
	'no open': { found: 13, change: [[MEMORY, '...items.map(({ notes }) => notes.open),', '']] },
	'no paid': { found: 19, change: [[MEMORY, 'looked.was.has(notes.paid),', 'false,']] },
	'no part': { found: 28, change: [[MEMORY, 'looked.was.has(notes.part) &&', 'false &&']] },
	'no part for calls of an agent': {
		found: {
			world: { agent: true, nodes: [{ naming: 'anew' }] },
			commands: [{ do: 'start', crash: { at: 4 } }, { do: 'retry' }],
		},
		change: [[MEMORY, 'caller.isTool ? earlier === undefined : ', '!caller.isTool && ']],
	},
	'notes recorded after sending': {
		found: 38,
		change: [
			[
				'n8n/notes.ts',
				'const own = new Set<string>();',
				'const own = new Set<string>(), later = new Set<string>();',
			],
			[
				'n8n/notes.ts',
				'const { fresh, attempts } = recorded;',
				`const { fresh, attempts } = recorded;
				for (const note of fresh) later.add(note);
				await n8n.helpers.removeProcessed([...fresh], 'node', OPTIONS).catch(() => {});`,
			],
			[
				'n8n/notes.ts',
				'remove: async (notes) =>',
				'remove: async (notes) => (notes.forEach((note) => later.delete(note)), true) &&',
			],
			[
				'n8n/notes.ts',
				'unlock: () => {',
				"unlock: () => { n8n.helpers.checkProcessedAndRecord([...later], 'node', OPTIONS).catch(() => {});",
			],
		],
	},
	// Recording and deciding
	'all parts at once': {
		found: {
			world: { partSize: 1, partsInFlight: 1 },
			commands: [{ do: 'start', rows: [{}, { row: 1 }, { row: 2 }], crash: { at: 6 } }],
		},
		change: [[PARTS, 'unsettled.size < most &&', '']],
	},
	'a re-send that never happens': {
		found: {
			world: { promisedHours: 24 },
			commands: [{ do: 'start', faults: [{}] }, { do: 'retry' }],
		},
		change: [
			[
				MEMORY,
				"return was.paid ? refuse('open', 'unknown') : { kind: 'send', isFirst: false };",
				"return refuse('open', 'unknown');",
			],
		],
	},
	'a known reference shown as accepted': {
		found: 2,
		change: [
			[
				MEMORY,
				"if (was.paid) return { kind: 'already sent'",
				"if (was.ref) return { kind: 'already sent'",
			],
		],
	},
	'refused items not undone': {
		found: 19,
		change: [
			[
				MEMORY,
				'await undo(unneeded, isUnsent ? refused : [], looked, run);\n	return { items: permitted, looked };',
				'return { items: permitted, looked };',
			],
		],
	},
	'old notes undone, too': {
		found: 13,
		change: [[MEMORY, 'asked.has(note) && !was.has(note)', 'asked.has(note)']],
	},
	'no window': {
		found: {
			world: { promisedHours: 0.5, windowHours: 0.5 },
			commands: [{ do: 'start', faults: [{}] }, { do: 'wait' }, { do: 'retry' }],
		},
		change: [
			[MEMORY, 'isInWindow: isInWindow(batch),', 'isInWindow: true,'],
			['batch/send.ts', 'forgottenAt: forgottenAt(', 'forgottenAt: Infinity || forgottenAt('],
		],
	},
	'known references lose open when the second look fails': {
		found: {
			world: {},
			commands: [
				{ do: 'start' },
				{ do: 'edit', change: { amountPlus: 1 } },
				{ do: 'start', notes: [{ at: 1, after: true }] },
				{ do: 'start' },
			],
		},
		change: [[MEMORY, 'named.filter((item) => !isKnown(item, looked))', 'named']],
	},
	'not sent, says a retry without a database': {
		found: 232,
		change: [[MEMORY, "run.batch.isRetry ? 'unknown' : undefined", 'undefined']],
	},
	'no lock of a reference': {
		found: {
			world: {},
			commands: [{ do: 'together', runs: [{ do: 'start' }, { do: 'start' }] }],
		},
		change: [[MEMORY, 'notes.lock(ref) &&', 'true &&']],
	},
	'no lock of a part': {
		found: {
			world: { nodes: [{ continueOnFail: true }] },
			commands: [
				{ do: 'start', rows: [{ bad: true }, { row: 1 }], crash: {} },
				{ do: 'edit', change: { repaired: true } },
				{
					do: 'together',
					runs: [{ do: 'retry' }, { do: 'retry', saved: true }],
				},
			],
		},
		change: [[MEMORY, '(!isRetry || part === undefined || notes.lock(part))', 'true']],
	},
	'parts after a changed one are sent': {
		found: {
			world: { partSize: 2, nodes: [{ naming: 'oddEveryTry', continueOnFail: true }] },
			commands: [
				{
					do: 'start',
					rows: [{ row: 1 }, { row: 3 }, { row: 2 }, { row: 5 }],
					crash: { at: 12 },
				},
				{ do: 'retry' },
			],
		},
		change: [
			[
				MEMORY,
				'for (const item of run.isChanged ? first : changed)',
				'for (const item of changed)',
			],
		],
	},
	'a rejected item explains its part': {
		found: {
			world: { nodes: [{ naming: 'oddEveryTry' }] },
			commands: [
				{
					do: 'start',
					rows: [{ row: 2 }, { row: 1 }],
					faults: [{ times: 2, kind: '404' }],
				},
				{ do: 'retry', faults: [{ kind: '404' }], crash: { at: 6 } },
				{ do: 'retry' },
			],
		},
		change: [[PARTS, 'isSent(earlier.outcome) &&', '']],
	},
	'an item explains its part under another reference': {
		found: {
			world: { partSize: 2, nodes: [{ naming: 'everyTry', attempts: 2 }] },
			commands: [
				{
					do: 'start',
					rows: [{}, { row: 1 }, { row: 2 }, { row: 3 }],
					faults: [
						{ times: 2, kind: '429' },
						{ at: 2, kind: '404' },
					],
				},
				{ do: 'edit', change: { continueOnFail: true } },
				{ do: 'retry', saved: true, crash: { at: 5, after: true } },
				{ do: 'retry', saved: true },
			],
		},
		change: [
			[PARTS, '(work === undefined || earlier.reference === work.payment?.reference)', 'true'],
		],
	},
	'a payment that another tool of the agent has sent since': {
		found: {
			world: { agent: true, nodes: [{}, {}], windowHours: 0.5 },
			commands: [
				// Gives the first call the later reply.
				{ do: 'start', rows: [{ row: 2 }] },
				{
					do: 'start',
					rows: [{}, { tool: 1 }],
					atOnce: true,
					agentFails: true,
					faults: [{ kind: '404' }],
				},
				{ do: 'wait' },
				{ do: 'retry' },
			],
		},
		change: [[MEMORY, "now && now !== earlier && now.outcome !== 'rejected'", 'false']],
	},
	'no window when a re-send leaves': {
		found: {
			world: { nodes: [{ attempts: 2 }], promisedHours: 0.5, windowHours: 0.5 },
			commands: [
				{ do: 'start', faults: [{ after: true, times: 2 }] },
				{ do: 'wait', minutes: 29.8 },
				{ do: 'retry', faults: [{ kind: 'timeout' }] },
			],
		},
		change: [
			['batch/send.ts', 'forgottenAt: forgottenAt(', 'forgottenAt: Infinity || forgottenAt('],
		],
	},
	'open in another execution of a copied node': {
		found: {
			world: { promisedHours: 24 },
			commands: [
				{ do: 'start', faults: [{}] },
				{ do: 'edit', change: { copied: 1 } },
				{ do: 'start', faults: [{}] },
				{ do: 'retry', of: 1, saved: true },
			],
		},
		change: [[READ, 'earlier.node === node && ', '']],
	},
	'open is dropped before the reference': {
		found: {
			world: { bound: 6, promisedHours: 24 },
			commands: [
				{ do: 'start', faults: [{}] },
				{ do: 'retry', faults: [{}], crash: { at: 3, after: true } },
				{ do: 'start', rows: [{ row: 1 }] },
				{ do: 'start' },
			],
		},
		change: [
			[
				MEMORY,
				'...items.map(({ notes }) => notes.ref),',
				'...items.map(({ notes }) => notes.open),',
			],
			[
				MEMORY,
				'...items.map(({ notes }) => notes.open),\n	];',
				'...items.map(({ notes }) => notes.ref),\n	];',
			],
		],
	},
	'a re-send that a crash has interrupted': {
		found: {
			world: { promisedHours: 24 },
			commands: [
				{ do: 'start', faults: [{}] },
				{ do: 'retry', crash: { at: 2, after: true } },
				{ do: 'retry' },
			],
		},
		change: [[MEMORY, '? isOwnOpen(item, batch) && isInWindow(batch)', '? false']],
	},
	"a part stays because another tool has sent an agent's equal call": {
		found: {
			world: { agent: true, nodes: [{}, { maximumTotal: 1 }] },
			commands: [
				{ do: 'start', rows: [{}, { tool: 1, reference: 1 }], crash: {} },
				{ do: 'retry', agentFails: true },
				{ do: 'retry' },
			],
		},
		change: [['batch/journal.ts', ' && only.node === sender', '']],
	},
	'a failed retry does not look on': {
		found: {
			world: { partSize: 1 },
			commands: [
				{ do: 'start', rows: [{}, { row: 1 }], crash: { at: 7, after: true } },
				{ do: 'edit', change: { amountPlus: 1, only: 0 } },
				{ do: 'retry', saved: true },
			],
		},
		change: [
			['batch/run.ts', '(this.isOver && !isRetry)', 'this.isOver'],
			[MEMORY, '(run.isOver && !run.batch.isRetry)', 'run.isOver'],
		],
	},
	// Journal
	'other values than those that are unknown': {
		found: {
			world: { promisedHours: 24 },
			commands: [
				{ do: 'start', faults: [{ after: true }] },
				{ do: 'edit', change: { amountPlus: 1 } },
				{ do: 'retry', saved: true },
			],
		},
		change: [
			[
				READ,
				'if (!isSame) return run.fail(item, valuesChanged(outcome, caller.isTool));\n	if (earlier.credential',
				'if (earlier.credential',
			],
		],
	},
	'what is unknown is sent with another API key': {
		found: {
			world: { promisedHours: 24, keysPerApiKey: true },
			commands: [
				{ do: 'start', faults: [{ after: true }] },
				{ do: 'credential', target: 2 },
				{ do: 'retry' },
			],
		},
		change: [[READ, 'earlier.credential !== service.credential', 'false']],
	},
	'a rotated API key refuses what was accepted': {
		found: {
			world: { agent: true },
			commands: [
				{ do: 'start', agentFails: true },
				{ do: 'credential', target: 2 },
				{ do: 'retry' },
			],
		},
		change: [
			[READ, 'earlier.target !== service.target', 'earlier.credential !== service.credential'],
		],
	},
	'a journal without notes is forgotten': {
		found: {
			world: { promisedHours: 0.5 },
			commands: [
				{ do: 'start', faults: [{ after: true }] },
				{ do: 'edit', change: { copied: 1 } },
				{ do: 'wait' },
				{ do: 'retry', saved: true },
			],
		},
		change: [[MEMORY, 'if (!isOpenHere) return', 'return']],
	},
	'FAILED is forgotten': {
		found: {
			world: {},
			commands: [{ do: 'start', faults: [{ kind: 'FAILED' }] }, { do: 'retry' }],
		},
		change: [
			[
				READ,
				"if (outcome === 'failed') return run.fail(item, failedAgain(work, caller.isTool));",
				'',
			],
		],
	},
	// Settling
	'open leaves before paid is recorded': {
		found: {
			world: {},
			commands: [{ do: 'start', crash: { at: 4, after: true } }, { do: 'start' }],
		},
		change: [
			[
				MEMORY,
				'(await notes.record(',
				'(await notes.remove(paid.map(({ notes: own }) => own.open)), await notes.record(',
			],
		],
	},
	'open leaves although paid is not recorded': {
		found: {
			world: {},
			commands: [
				{ do: 'start', notes: [{ at: 1, times: 2 }], crash: { at: 8, after: true } },
				{ do: 'retry' },
			],
		},
		change: [[MEMORY, 'return isRecorded ? [own.open] : [];', 'return [own.open];']],
	},
	'open never leaves': {
		found: { world: {}, commands: [{ do: 'start' }, { do: 'start' }] },
		change: [[MEMORY, 'return isRecorded ? [own.open] : [];', 'return [];']],
	},
	'paid stays after an unknown re-send': {
		found: {
			world: { promisedHours: 24 },
			commands: [{ do: 'start', faults: [{}] }, { do: 'retry', faults: [{}] }, { do: 'retry' }],
		},
		change: [[MEMORY, 'return isFirst ? [] : [own.paid];', 'return [];']],
	},
	'a rejected re-send was not executed': {
		found: {
			world: { promisedHours: 24 },
			commands: [
				{ do: 'start', faults: [{ kind: 'late' }] },
				{ do: 'retry', faults: [{ kind: '404' }] },
			],
		},
		change: [
			['batch/send.ts', 'const outcomeUnknown = !isFirst;', 'const outcomeUnknown = false;'],
		],
	},
	'part stays although nothing was sent': {
		found: {
			world: { nodes: [{ naming: 'anew' }] },
			commands: [
				{ do: 'start', faults: [{ kind: '404' }], crash: { at: 4, after: true } },
				{ do: 'retry' },
			],
		},
		change: [[MEMORY, '? [part]', '? []']],
	},
	'accepted references are not recorded again': {
		found: {
			world: { twoProcesses: true },
			commands: [
				{
					do: 'together',
					runs: [{ do: 'start' }, { do: 'start', rows: [{ row: 10 }], process: 1 }],
				},
			],
		},
		change: [[MEMORY, '[own.ref, own.paid]', '[own.paid]']],
	},
	'key without the amount': {
		found: {
			world: {},
			commands: [
				{ do: 'start' },
				{ do: 'edit', change: { copied: 1, amountPlus: 1 } },
				{ do: 'start' },
			],
		},
		change: [['request/idempotencyKey.ts', '...values]', '...values.slice(0, -1)]']],
	},
};

/** History that finds the fault. */
export function historyOf(name: string): History {
	const { found } = FAULTS[name]!;
	return typeof found === 'number' ? generate(chanceOf(found)) : found;
}

/** Copy of the action node with the fault. */
export async function faultyAction(name: string): Promise<Action> {
	const copy = new URL(`${encodeURIComponent(name)}/`, COPY);
	rmSync(copy, { recursive: true, force: true });
	cpSync(NODES, copy, { recursive: true });
	for (const [file, text, instead] of FAULTS[name]!.change) {
		const path = new URL(`CardTreasury/${file}`, copy);
		const parts = readFileSync(path, 'utf8').split(text);
		if (parts.length !== 2) throw new Error(`${file} does not have this once: ${text}`);
		writeFileSync(path, parts.join(instead));
	}
	return (await import(fileURLToPath(new URL('CardTreasury/n8n/run.ts', copy)))) as Action;
}
