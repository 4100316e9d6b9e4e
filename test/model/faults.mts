import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Action } from './engine.mts';

const NODES = new URL('../../nodes/', import.meta.url);
const COPY = new URL('../../node_modules/.cache/faulty-nodes/', import.meta.url);

type Replacement = [text: string, instead: string];

/**
 * Faults that the model must notice: a file of `nodes/CardTreasury`, texts that occur once in it, and their
 * replacements.
 */
export const FAULTS: Record<string, { file: string; replace: Replacement[] }> = {
	'no memory': {
		file: 'batch/memory.ts',
		replace: [['found.has(notes[kind])', 'false']],
	},
	'memory written after sending': {
		file: 'n8n/notes.ts',
		replace: [
			[
				'const own = new Set<string>();',
				'const own = new Set<string>(), later = new Set<string>();',
			],
			[
				'const fresh = new Set(recorded.new.map(String));',
				`const fresh = new Set(recorded.new.map(String));
				for (const note of fresh) later.add(note);
				await n8n.helpers.removeProcessed([...fresh], 'node', OPTIONS).catch(() => {});`,
			],
			[
				'remove: async (notes) => {',
				'remove: async (notes) => { for (const note of notes) later.delete(note);',
			],
			[
				'unlock: () => {',
				"unlock: () => { n8n.helpers.checkProcessedAndRecord([...later], 'node', OPTIONS).catch(() => {});",
			],
		],
	},
	'open never removed': {
		file: 'batch/memory.ts',
		replace: [['[notes.open, notes.own]', '[notes.own]']],
	},
	'place not looked at': {
		file: 'batch/memory.ts',
		replace: [["isRetry && was('place')", 'false']],
	},
	'key without the amount': {
		file: 'request/idempotencyKey.ts',
		replace: [['...values]', '...values.slice(0, -1)]']],
	},
};

/** Copy of the action node with the fault. */
export async function faultyAction(name: string): Promise<Action> {
	const { file, replace } = FAULTS[name]!;
	let code = readFileSync(new URL(`CardTreasury/${file}`, NODES), 'utf8');
	for (const [text, instead] of replace) {
		const parts = code.split(text);
		if (parts.length !== 2) throw new Error(`${file} does not have this once: ${text}`);
		code = parts.join(instead);
	}
	const copy = new URL(`${encodeURIComponent(name)}/`, COPY);
	rmSync(copy, { recursive: true, force: true });
	cpSync(NODES, copy, { recursive: true });
	writeFileSync(new URL(`CardTreasury/${file}`, copy), code);
	const path = fileURLToPath(new URL('CardTreasury/n8n/run.ts', copy));
	return (await import(path)) as Action;
}
