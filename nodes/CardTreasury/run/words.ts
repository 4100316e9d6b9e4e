/** What a run says of its items, in words. */

import type { IDataObject } from 'n8n-workflow';

import type { Outcome, Problem } from '../../shared/problem';
import { shortened, summaryLine, textOf } from '../../shared/text';
import type { Operation } from '../operations/operation';
import type { Item } from './item';

/** Beginning of a summary by outcome, and what to do where no problem says it. */
export const WORDS: Record<Outcome, [begins: string, next?: string]> = {
	done: ['Sent'],
	pending: ['Pending', 'Accepted, not final: wait for its event.'],
	already_sent: ['Already sent', 'Accepted before, so nothing was sent: look for its event.'],
	dry_run: ['Dry run', 'Everything was checked, and nothing was sent.'],
	failed: ['Failed'],
	rejected: ['Rejected'],
	unknown: ['May have been sent'],
	not_sent: ['Not sent'],
};

/** One line that can be posted: the outcome, the write, the reason, and what to do. */
export function summaryOf(
	operation: Operation | undefined,
	{ values, result }: Item,
	own: IDataObject,
): string {
	const { outcome, problem } = result!;
	const [begins, next] = WORDS[outcome];
	const request = operation?.kind === 'request' ? operation : undefined;
	const say = operation?.kind === 'answer' ? undefined : operation?.say;
	const write = say?.(values, own) ?? operation?.action ?? 'this item';
	const said = problem?.facts.said ?? (request?.subject && own.answer && textOf(own.answer));
	return summaryLine(
		`${begins}: ${write}`,
		problem?.message,
		problem?.fix ?? next,
		said && `The service replied: ${shortened(said, 80)}`,
	);
}

/** Headline of an error. An error workflow posts little else. */
export const headlineOf = ({ outcome, message }: Problem): string =>
	outcome === 'unknown' ? `${WORDS.unknown[0]}: ${message}` : message;

/** The one count of a run, e.g. "12 done, 1 unknown, 7 not reached." */
export function countOf(items: Item[]): string {
	const ended = items.map(({ result }) => result?.outcome ?? 'not_reached');
	const counts = [...Object.keys(WORDS), 'not_reached'].flatMap((name) => {
		const { length } = ended.filter((outcome) => outcome === name);
		return length > 0 ? [`${length} ${name.replace('_', ' ')}`] : [];
	});
	return `${counts.join(', ')}.`;
}
