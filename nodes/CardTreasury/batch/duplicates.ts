import { InvalidFieldError } from '../../shared/fields/invalidField';
import { listOf } from '../../shared/plainLine';
import type { Checked, Prepared, Read } from './batch';
import { labelOf } from './refusals';
import type { Run } from './run';

/** Refuses items that share a reference, or another value that must be unique in a run. */
export function refuseDuplicates(run: Run): void {
	const items = run.items.flatMap((item) => (item.work ? [{ ...item, work: item.work }] : []));
	refuseSame(items, run, ({ payment }) => payment?.reference, sameReference);
	refuseSame(items, run, caselessReference, otherCase);
	refuseSame(
		items,
		run,
		({ unique }) => unique?.value,
		(same) => new InvalidFieldError(...same[0]!.work.unique!.why(numbersOf(same))),
	);
}

/** Once per Day has IDs in its reference, whose letter case may count. */
const caselessReference = ({ payment }: Prepared) =>
	payment?.oncePerDay ? undefined : payment?.reference.toLowerCase();

function refuseSame(
	items: Checked[],
	run: Run,
	markOf: (work: Prepared) => string | undefined,
	whyOf: (same: Checked[]) => InvalidFieldError,
): void {
	const groups = new Map<string, Checked[]>();
	for (const item of items) {
		const mark = markOf(item.work);
		if (mark === undefined) continue;
		const group = groups.get(mark);
		if (group) group.push(item);
		else groups.set(mark, [item]);
	}
	for (const group of groups.values()) {
		if (group.length < 2) continue;
		const why = whyOf(group);
		for (const item of group) if (!run.result(item)) run.fail(item, why);
	}
}

/** Never advises another reference for equal payments: a person who renamed one of two equal rows paid it twice. */
function sameReference(items: Checked[]): InvalidFieldError {
	const [{ work }] = items as [Checked];
	const { oncePerDay, reference } = work.payment!;
	const at = `(${itemList(items)})`;
	if (oncePerDay)
		return new InvalidFieldError(
			labelOf(work),
			`is in the list ${times(items)} ${at}: wallet, recipient and token are equal`,
			'Remove one: both would be the one payment of today.',
		);
	return items.every((item) => item.work.fingerprint === work.fingerprint)
		? new InvalidFieldError(
				reference,
				`is in the list ${times(items)} ${at}: remove ${items.length === 2 ? 'one' : 'all but one'}`,
				'The items are equal, so they name one payment.',
			)
		: new InvalidFieldError(
				reference,
				`names ${items.length === 2 ? 'two' : items.length} payments ${at}`,
				'Take the reference from what names each payment in your data, or remove the wrong item.',
			);
}

function otherCase(items: Checked[]): InvalidFieldError {
	const references = [...new Set(items.map(({ work }) => work.payment!.reference))];
	return new InvalidFieldError(
		references.slice(0, 3).join(' and '),
		`differ only in letter case (${itemList(items)})`,
		'If they name one payment, remove all but one item. Otherwise correct the reference of one.',
	);
}

const times = ({ length }: Checked[]) => (length === 2 ? 'twice' : `${length} times`);

/** Numbers of items for a person, counted from 1. */
const numbersOf = (items: Read[]): string => {
	const shown = items.slice(0, 10).map(({ index }) => `${index + 1}`);
	return listOf(items.length > 10 ? [...shown, 'more'] : shown);
};

export const itemList = (items: Read[]): string =>
	`${items.length === 1 ? 'item' : 'items'} ${numbersOf(items)}`;
