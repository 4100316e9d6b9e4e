import { addDecimals } from '../../shared/decimal';
import { isObject } from '../../shared/isObject';
import type { Batch, EndedRow } from './batch';
import { outcomeOf, textsOf } from './outcome';

/** Most units that a total names. */
const NAMED = 10;

const LIST = new Intl.ListFormat('en-GB');

/**
 * Sum of what a dry run would send, e.g. "1500 USDC (0x70ce…0001) and 20 of the native coin", or "nothing". Amounts in
 * different units are never added up.
 * @returns undefined if there is no dry run, or if the operation has no amounts
 */
export function totalOf(
	rows: EndedRow[],
	{ operation }: Pick<Batch, 'operation'>,
): string | undefined {
	if (operation.unit === undefined || !rows.some(isDry)) return undefined;
	const sums = new Map<string, { sum: string; name: string }>();
	for (const row of rows) {
		const { subject = {}, limits } = row.work ?? {};
		if (limits === undefined || outcomeOf(row) !== 'dry_run') continue;
		const { id, name } = operation.unit(textsOf({ ...subject, ...row.names?.(subject) }));
		sums.set(id, { sum: addDecimals(sums.get(id)?.sum ?? '0', limits.amount), name });
	}
	const named = [...sums.values()].slice(0, NAMED).map(({ sum, name }) => `${sum} ${name}`);
	if (sums.size > NAMED) named.push(`amounts of ${sums.size - NAMED} more tokens`);
	return named.length === 0 ? 'nothing' : LIST.format(named);
}

/** True for an item with Dry Run. One that could not be read has no request, but may have the option. */
const isDry = ({ work, input }: EndedRow): boolean =>
	work?.dryRun ?? isDryRun(input?.parameters.options);

const isDryRun = (options: unknown) => isObject(options) && options.dryRun === true;
