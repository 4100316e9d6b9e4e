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
			message:
				'Dry run: the requests are shown and nothing was sent. Turn off Dry Run in the options to send them.',
		});
	}
	const unsent = results.filter(({ kind }) => kind === 'not sent').length;
	if (unsent > 0) {
		const message = `${unsent} of ${results.length} items ${unsent === 1 ? 'was' : 'were'} not sent.`;
		hints.push({ message, warning: true });
	}
	hints.push(...operation.hints(json));
	const attempts = results.map((result) => (result.kind === 'not sent' ? 0 : result.attempts));
	const retried = attempts.filter((count) => count > 1).length;
	if (retried > 0) {
		hints.push({ message: `${retried} of ${results.length} items needed more than one attempt.` });
	}
	const sent = attempts.reduce((total, count) => total + count, 0);
	if (sent > SERVICE_RATE) {
		hints.push({
			message: `${sent} requests were sent, spread over time to stay below the service's limit of ${SERVICE_RATE} per second.`,
		});
	}
	return hints;
}
