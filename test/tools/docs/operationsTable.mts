import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { markdownTable } from './markdownTable.mts';

/** The README's table of operations, from the list that the node is made of. */
export function operationsTable(): string {
	const rows = RESOURCES.flatMap(({ displayName, operations }) =>
		operations.map(([, operation]) => [
			displayName,
			operation.name,
			operation.description,
			requestOf(operation),
			operation.kind === 'service' ? String(operation.level ?? '–') : 'none',
		]),
	);
	return markdownTable(['Resource', 'Operation', 'What it does', 'Request', 'Key level'], rows);
}

function requestOf(operation: Operation): string {
	if (operation.kind === 'response') return 'answers the waiting authorization';
	const { method, path } = operation.endpoint;
	return path.startsWith('(') ? path.slice(1, -1) : `\`${method} ${path}\``;
}
