import { markdownTable } from './markdownTable.mts';
import { requestOf, SHOWN, type Shown } from './samples.mts';

/** README's table of operations, generated from the node. */
export const operationsTable = (): string =>
	markdownTable(
		['Resource', 'Operation', 'What it does', 'Request', 'Key level'],
		SHOWN.map((shown) => {
			const { label, operation } = shown;
			const level = operation.kind === 'request' ? String(operation.level ?? '–') : 'none';
			return [label, operation.name, operation.description, requestInWords(shown), level];
		}),
	);

export function requestInWords(shown: Shown): string {
	const { kind } = shown.operation;
	if (kind === 'answer') return 'answers the waiting authorization';
	const request = requestOf(shown);
	if (request === undefined) return 'none: it cannot send';
	const path = decodeURIComponent(request.path);
	return path.includes('…') ? 'any path below the Base URL' : `\`${request.method} ${path}\``;
}
