import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { markdownTable } from './markdownTable.mts';

/** README's table of operations, generated from the node. */
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
	if (operation.kind === 'calculation') return 'none: it cannot send';
	const { method, path } = operation.endpoint;
	return path.startsWith('(') ? path.slice(1, -1) : `\`${method} ${path}\``;
}
