/** Sentences of a run about its items. */

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
	fields: IDataObject,
): string {
	const { outcome, problem } = result!;
	const [begins, next] = WORDS[outcome];
	const request = operation?.kind === 'request' ? operation : undefined;
	const say = operation?.kind === 'answer' ? undefined : operation?.say;
	const write = problem?.facts.what ?? say?.(values, fields) ?? operation?.action ?? 'this item';
	const status =
		outcome === 'pending' && fields.status !== 'PENDING' && (fields.status ?? fields.code);
	const replied = [status, request?.subject && fields.answer].filter(Boolean).map(textOf);
	const said = problem?.facts.said ?? replied.join(' ');
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

/** Items by their ends, in the order of WORDS. */
export function endsOf(items: Item[]): Array<[end: string, items: Item[]]> {
	return [...Object.keys(WORDS), 'not_reached'].flatMap((end): ReturnType<typeof endsOf> => {
		const ended = items.filter(({ result }) => (result?.outcome ?? 'not_reached') === end);
		return ended.length > 0 ? [[end.replace('_', ' '), ended]] : [];
	});
}

/** The one count of a run, e.g. "12 done, 1 unknown, 7 not reached." */
export const countOf = (items: Item[]): string =>
	`${endsOf(items)
		.map(([end, { length }]) => `${length} ${end}`)
		.join(', ')}.`;
