import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Read } from './batch';
import { itemList } from './duplicates';
import type { Run } from './run';

/** Maximum number of causes in one message. */
const MOST = 20;

/**
 * Puts all refused items of a run into the message of the first one, by reference. Without Continue On Fail, n8n shows
 * only that message.
 */
export function listRefused(run: Run): void {
	if (!run.isOver || run.batch.count < 2) return;
	const { failed } = run;
	const causes = new Map<string, { why: InvalidFieldError; items: Read[] }>();
	for (const { item, failure } of failed) {
		if (!(failure instanceof InvalidFieldError)) return;
		const key = `${failure.message}\n${failure.fix}`;
		const cause = causes.get(key) ?? { why: failure, items: [] };
		cause.items.push(item);
		causes.set(key, cause);
	}
	// A cause that concerns all items needs no list, and one that lists its items has done so.
	if (causes.size === 1 && failed.length > 1) return;
	const said = [...causes.values()].map(({ why, items }) => {
		const listed = why.message.includes('(items ') ? '' : `${namesOf(items, run)}: `;
		return { headline: `${listed}${why.message}`, fix: why.fix };
	});
	const [first, ...others] = said;
	const shown = others.slice(0, MOST - 1).map(({ headline, fix }) => `${headline}. ${fix}`);
	if (others.length > shown.length) shown.push(`And ${others.length - shown.length} more.`);
	const are = failed.length === 1 ? 'is' : 'are';
	const none = isSendingNothing(run) ? ', so none was sent' : '';
	const why = new InvalidFieldError(
		`${failed.length} of ${run.batch.count}`,
		`${are} refused${none}: ${first?.headline}`,
		[first?.fix, ...shown].join('\n'),
	);
	run.fail(failed[0]!.item, why, run.result(failed[0]!.item)?.outcome);
}

/** True if neither this run nor an earlier try of its execution has sent anything. */
const isSendingNothing = ({ batch, items }: Run): boolean =>
	batch.operation.effect !== 'read' &&
	!batch.isRetry &&
	items.every(({ earlier }) => earlier === undefined);

/** References and numbers of items, such as "INV-7 (item 2)". */
function namesOf(items: Read[], run: Run): string {
	const references = items.map((item) => referenceOf(item, run)).filter(Boolean);
	const numbers = itemList(items);
	if (references.length < items.length) return numbers;
	const [shown, more] = [references.slice(0, 5), references.length > 5 ? ', …' : ''];
	return `${shown.join(', ')}${more} (${numbers})`;
}

/** Reference of an item, readable even if another field is not. */
function referenceOf({ work, input }: Read, { batch }: Run): string | undefined {
	const { operation, caller } = batch;
	try {
		const shown =
			work?.payment?.shown ?? (input && operation.subject(input, caller)?.payment_reference);
		return typeof shown === 'string' ? shown : undefined;
	} catch {
		return undefined;
	}
}
