import type { Hint, ServiceOperation } from '../operation';
import { SERVICE_RATE } from '../request';
import type { ItemResult } from './batch';

/** What is worth knowing after the run. */
export function batchHints(
	operation: ServiceOperation,
	results: Array<ItemResult<unknown>>,
): Hint[] {
	const hints: Hint[] = [];
	const json = results.flatMap((result) =>
		result.kind === 'done' ? [result.items.map((item) => item.json)] : [],
	);
	if (json.flat().some(({ dry_run: dryRun }) => dryRun === true)) {
		hints.push({
			message: 'Dry run: the requests are shown and nothing was sent.',
		});
	}
	const unsent = results.filter(({ kind }) => kind === 'not sent').length;
	if (unsent > 0) {
		const message = `${unsent} of ${results.length} items ${unsent === 1 ? 'was' : 'were'} not sent.`;
		hints.push({ message, warning: true });
	}
	hints.push(...operation.hints(json));
	const effort = describeEffort(results);
	if (effort !== '') hints.push({ message: effort });
	return hints;
}

/** What the run took, in one hint: each takes room in the output panel. */
function describeEffort(results: Array<ItemResult<unknown>>): string {
	const attempts = results.map((result) => (result.kind === 'not sent' ? 0 : result.attempts));
	const retried = attempts.filter((count) => count > 1).length;
	const sent = attempts.reduce((total, count) => total + count, 0);
	const facts: string[] = [];
	if (retried > 0)
		facts.push(`${retried} of ${results.length} items needed more than one attempt.`);
	if (sent > SERVICE_RATE)
		facts.push(
			`${sent} requests were sent, at most ${SERVICE_RATE} per second: that is the service's limit.`,
		);
	return facts.join(' ');
}
