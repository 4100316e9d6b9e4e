import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

import { nodeKey } from '../../shared/execution';
import type { Notes } from './batch';

/** n8n drops the oldest notes of a node beyond this number. */
const OPTIONS = { mode: 'entries' as const, maxEntries: 20_000 };

/** One call per node at a time, because n8n reads all notes of a node and writes them all back. */
const turns = new Map<string, ReturnType<typeof pLimit>>();

/** Notes of this node in n8n's database. */
export function notesOf(n8n: IExecuteFunctions): Notes {
	const node = nodeKey(n8n);
	const inTurn = turns.get(node) ?? pLimit(1);
	turns.set(node, inTurn);
	const { helpers } = n8n;
	return {
		record: async (names) => {
			const found = await inTurn(
				async () => await helpers.checkProcessedAndRecord(names, 'node', OPTIONS),
			);
			return new Set(found.processed.map(String));
		},
		remove: async (names) => {
			await inTurn(async () => await helpers.removeProcessed(names, 'node', OPTIONS));
		},
	};
}
