import { addDecimals, compareDecimals } from '../../shared/decimal';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import type { Caller } from '../request/input';
import { fail, knownOutcome, pending, type Batch, type Prepared, type Row } from './batch';
import { labelOf } from './refusals';

/** Refuses items that share a reference, or another value that must be unique in a run. */
export function refuseDuplicates(rows: Row[]): void {
	refuseSame(
		rows,
		({ payment }) => payment && JSON.stringify([payment.reference]),
		(items, work) => [
			labelOf(work),
			work.payment?.oncePerDay
				? `is the same for items ${items}: wallet, recipient and token are equal`
				: `is the same for items ${items}`,
			'Give each payment a different reference, or remove the duplicate items before this node.',
		],
	);
	refuseSame(
		rows,
		({ unique }) => unique?.value,
		(items, { unique }) => unique!.why(items),
	);
}

function refuseSame(
	rows: Row[],
	markOf: (work: Prepared) => string | undefined,
	why: (items: string, work: Prepared) => ConstructorParameters<typeof InvalidFieldError>,
): void {
	const groups = new Map<string, Row[]>();
	for (const row of rows) {
		const mark = row.work && markOf(row.work);
		if (mark === undefined) continue;
		const group = groups.get(mark);
		if (group) group.push(row);
		else groups.set(mark, [row]);
	}
	for (const group of groups.values()) {
		if (group.length < 2) continue;
		const items = group.slice(0, 10).map(({ index }) => index);
		for (const row of group)
			if (!row.result)
				fail(row, new InvalidFieldError(...why(items.join(', '), row.work!)), knownOutcome(row));
	}
}

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
 * Refuses a run that exceeds Maximum Total or Maximum Transfers. Also counts an agent's earlier calls, and items that
 * an earlier run sent and this run refuses.
 */
export function limitsRefusal(
	rows: Row[],
	{ journal, caller, isRetry }: Pick<Batch, 'caller' | 'journal' | 'isRetry'>,
): InvalidFieldError | undefined {
	const sending = pending(rows).flatMap(({ work: { limits, place } }) =>
		limits ? [{ ...limits, place }] : [],
	);
	const places = new Set(sending.map(({ place }) => place));
	const others = [
		...journal.otherAmounts(places, caller.isTool),
		// After a crash the journal is empty, so a retry takes these amounts from the payment memory.
		...(isRetry ? rows.flatMap(amountSentBefore) : []),
	];
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

function amountSentBefore({ work, result, earlier }: Row): string[] {
	const isSent = result?.outcome === 'accepted' || result?.outcome === 'unknown';
	// An item with a rejection in the journal may have been sent by another retry since.
	const isCounted = earlier !== undefined && earlier.outcome !== 'rejected';
	return isSent && !isCounted && work?.limits ? [work.limits.amount] : [];
}
