import type { Executed } from './ledger.mts';
import type { RunRecord } from './checks.mts';

/** Something that may not be. `hole`: the number in issue 24, or what else it is. */
export interface Violation {
	hole: string;
	what: string;
}

/** What led to a second execution of the same work. */
export function whyTwice(
	first: Executed<RunRecord>,
	second: Executed<RunRecord>,
): { hole: string; why: string } {
	const [before, now] = [first.by.execution, second.by.execution];
	const isHere =
		first.request.host === second.request.host && first.request.company === second.request.company;
	if (before === now) return { hole: 'other', why: 'in one execution' };
	if (!isHere) return { hole: '6', why: 'at another target' };
	const crashed = second.by.execution.lineage
		.slice(second.by.execution.lineage.indexOf(before), -1)
		.some(({ status }) => status === 'crashed');
	if (!now.continues(before)) return { hole: '2', why: 'from one state, continued twice' };
	if (crashed) return { hole: '1', why: `after a crash (${keysOf(first, second)})` };
	if (second.at - first.at > 20 * 60_000) return { hole: '3', why: 'long after it was first sent' };
	return { hole: 'other', why: 'in a retry' };
}

function keysOf(first: Executed<RunRecord>, second: Executed<RunRecord>): string {
	const [before, now] = [first.by.setup, second.by.setup];
	if (before.copied !== now.copied) return 'node copied';
	if (before.key !== now.key) return `key: ${before.key ?? 'none'}, then ${now.key ?? 'none'}`;
	return first.request.key === undefined ? 'no key' : `key: ${before.key ?? 'derived'}`;
}
