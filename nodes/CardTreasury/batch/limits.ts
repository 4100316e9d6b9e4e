import { addDecimals, compareDecimals } from '../../shared/decimal';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { fail, pending, type Batch, type Prepared, type Row } from './batch';

/** Checks what holds for all items of a run together, before the first is sent. */
export function checkTogether(rows: Row[], batch: Batch): void {
	refuseSame(
		rows,
		({ key }) => key,
		(items) => [
			'Idempotency Key',
			`is the same for items ${items}: the service may execute only the first`,
			'Make it different for each item, e.g. by putting wallet, token and date into it.',
		],
	);
	refuseSame(rows, sweepOf, (items) => [
		'Amount Mode',
		`is Above Floor for items ${items}, which have the same wallet and token: each would send the whole surplus`,
		'Sweep a wallet and token once in a run: remove the duplicate items before this node.',
	]);
	const refusal = checkLimits(rows, batch);
	for (const row of refusal ? rows : []) if (row.result === undefined) fail(row, refusal!);
}

/** Rejects items that are equal in something that has to tell them apart. */
function refuseSame(
	rows: Row[],
	markOf: (work: Prepared) => string | undefined,
	why: (items: string) => ConstructorParameters<typeof InvalidFieldError>,
): void {
	const groups = new Map<string, Row[]>();
	for (const { row, work } of pending(rows)) {
		const mark = markOf(work);
		if (mark !== undefined) groups.set(mark, [...(groups.get(mark) ?? []), row]);
	}
	for (const group of groups.values()) {
		if (group.length < 2) continue;
		const items = group.slice(0, 10).map(({ index }) => index);
		for (const row of group) fail(row, new InvalidFieldError(...why(items.join(', '))));
	}
}

const sweepOf = ({ limits }: Prepared) => limits?.sweeps;

/**
 * An agent's calls are runs of their own, so what it has transferred before in this execution counts too; and so does what
 * an earlier try has sent for an item that is refused now.
 */
function checkLimits(
	rows: Row[],
	{ journal, caller }: Pick<Batch, 'caller' | 'journal'>,
): InvalidFieldError | undefined {
	const sending = pending(rows).flatMap(({ work: { limits, place } }) =>
		limits ? [{ ...limits, place }] : [],
	);
	const places = new Set(sending.map(({ place }) => place));
	const others = journal.otherAmounts(places, caller.isTool);
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
