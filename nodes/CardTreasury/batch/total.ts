import { addDecimals } from '../../shared/decimal';
import { isObject } from '../../shared/isObject';
import { listOf } from '../../shared/plainLine';
import type { Batch, EndedRow } from './batch';
import { outcomeOf, textsOf } from './outcome';

/** Most units that a total names. */
const NAMED = 10;

/**
 * Sum of what a dry run would send, e.g. "1500 USDC (0x70ce…0001) and 20 of the native coin in wal-1", or "nothing". Amounts
 * in different units are never added up.
 * @returns undefined unless all items are dry runs, and if the operation has no amounts
 */
export function totalOf(
	rows: EndedRow[],
	{ operation }: Pick<Batch, 'operation'>,
): string | undefined {
	const isReal = rows.some(({ work }) => work?.dryRun === false);
	if (operation.unit === undefined || isReal || !rows.some(isDry)) return undefined;
	const sums = new Map<string, { sum: string; name: string }>();
	for (const row of rows) {
		const { subject = {}, limits } = row.work ?? {};
		if (limits === undefined || outcomeOf(row) !== 'dry_run') continue;
		const { id, name } = operation.unit(textsOf({ ...subject, ...row.names?.(subject) }));
		sums.set(id, { sum: addDecimals(sums.get(id)?.sum ?? '0', limits.amount), name });
	}
	const named = [...sums.values()].slice(0, NAMED).map(({ sum, name }) => `${sum} ${name}`);
	if (sums.size > NAMED) named.push(`${sums.size - NAMED} more amounts`);
	return named.length === 0 ? 'nothing' : listOf(named);
}

/** True for an item with Dry Run. One that could not be read has no request, but may have the option. */
const isDry = ({ work, input }: EndedRow): boolean =>
	work?.dryRun ?? isDryRun(input?.parameters.options);

const isDryRun = (options: unknown) => isObject(options) && options.dryRun === true;
