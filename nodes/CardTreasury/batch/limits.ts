import { addDecimals, compareDecimals } from '../../shared/decimal';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import type { Caller } from '../request/input';
import type { Batch, Checked } from './batch';

/**
 * Refuses limits over all calls if there is no execution, because n8n then records no earlier calls.
 * @returns undefined if the limits can be enforced
 */
export function uncountable({ limits, dryRun }: Work, { hasExecution }: Caller) {
	const { maximumTotal, maximumTransfers } = limits ?? {};
	if (hasExecution || dryRun || (maximumTotal ?? maximumTransfers) === undefined) return undefined;
	return new InvalidFieldError(
		maximumTotal === undefined ? 'Maximum Transfers' : 'Maximum Total',
		'cannot be enforced: earlier calls are not recorded outside an n8n execution',
		'Remove it, and set Maximum Amount and Allowed Recipients. To limit the total, let an AI Agent node of a workflow call this tool.',
	);
}

/**
 * Refuses items that exceed Maximum Total or Maximum Transfers. Counts all of them, although some may turn out to be
 * sent already, and what the journal has of the others, or of an agent's earlier calls.
 */
export function limitsRefusal(
	items: Checked[],
	{ journal, caller }: Pick<Batch, 'caller' | 'journal'>,
): InvalidFieldError | undefined {
	const sending = items.flatMap(({ work: { limits, place } }) =>
		limits ? [{ ...limits, place }] : [],
	);
	const others = journal.otherAmounts(new Set(sending.map(({ place }) => place)), caller.isTool);
	const amounts = [...others, ...sending.map(({ amount }) => amount)];
	const total = amounts.reduce(addDecimals, '0');
	for (const { maximumTotal, maximumTransfers } of sending) {
		if (maximumTotal !== undefined && compareDecimals(total, maximumTotal) > 0) {
			return new InvalidFieldError(
				'Maximum Total',
				`is ${maximumTotal}, and the transfers of this run add up to ${total}`,
				'Check where the amounts come from. Raise Maximum Total only if all of them are intended.',
			);
		}
		if (maximumTransfers !== undefined && amounts.length > maximumTransfers) {
			return new InvalidFieldError(
				'Maximum Transfers',
				`is ${maximumTransfers}, and this run has ${amounts.length} transfers`,
				'Check where the items come from. Raise Maximum Transfers only if all of them are intended.',
			);
		}
	}
	return undefined;
}
