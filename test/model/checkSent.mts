import { amountOf, isDefinite, movesMoney, nameOf, workOf } from './evidence.mts';
import type { Entry, Evidence, RunRecord, Sent } from './evidence.mts';
import { TARGETS } from './ledger.mts';

/** Between the beginning of a run and its last repetition of a request. */
const TOLERANCE_MS = 5 * 60_000;

/** What leaves n8n: only what was asked for, to where the credential belongs, and nothing that is open for too long. */
export function checkSent(evidence: Evidence, sent: Sent, path: string): void {
	const { work, by, at, target } = sent;
	if (target === undefined) evidence.add('credential', `a key went to the other service, ${path}`);
	if (by.setup.dryRun) evidence.add('8', `a dry run sent ${path}`);
	if (work === '') evidence.add('other', `${path} was sent, though not asked for`);
	const [open] = evidence.requestsOf(work, by.execution).filter((other) => !isDefinite(other));
	if (open === undefined) return;
	if (at - open.at > evidence.promisedMs + TOLERANCE_MS) {
		const hours = Math.round((at - open.at) / 360_000) / 10;
		evidence.add('3', `${work}: sent again after ${hours} h, with unknown outcome`);
	}
	if (target && open.target && open.target !== target) {
		const places = `${nameOf(open.target)}, then sent to ${nameOf(target)}`;
		evidence.add('6', `${work}: of unknown outcome at ${places}`);
	}
}

/** What the service does: each piece of work once, and within the guards. */
export function checkExecuted(evidence: Evidence, by: RunRecord, entry: Entry): void {
	const work = workOf(entry);
	const [first] = evidence
		.executionsOf(work)
		.filter((other) => other !== entry && !areAskedAtOnce(other, entry));
	if (first) {
		const { hole, why } = whyTwice(first, entry);
		evidence.add(hole, `${work}: executed twice, ${why}`);
	}
	// What was paid twice for want of a note exceeds the guards too.
	const isPaidTwice = first !== undefined && lacksNote(first);
	if (movesMoney(by) && !isPaidTwice) checkGuards(evidence, by, entry);
}

/** What an agent asks for twice at once is one work if it moves money or carries no key; a change it may get twice. */
function areAskedAtOnce(first: Entry, { by }: Entry): boolean {
	const isOver = first.by.toldAt !== undefined && first.by.toldAt <= by.at;
	const isChange = !movesMoney(by) && by.setup.kind !== 'request';
	return by.isTool && isChange && first.by.execution === by.execution && !isOver;
}

function checkGuards(evidence: Evidence, by: RunRecord, entry: Entry): void {
	const { maximumAmount, maximumTotal, maximumTransfers, onlyInEnvironment, kind } = by.setup;
	const amount = amountOf(entry);
	if (maximumAmount !== undefined && amount > maximumAmount) {
		evidence.add('guard', `${amount} was sent, Maximum Amount is ${maximumAmount}`);
	}
	const host = TARGETS.find((target) => target.host === entry.request.host);
	if (onlyInEnvironment && host?.environment !== onlyInEnvironment) {
		evidence.add('guard', `sent to ${host?.environment}, only allowed in ${onlyInEnvironment}`);
	}
	const together = evidence.ledger.executed.filter((other) => isOfSameRun(other, by));
	const total = together.reduce((sum, other) => sum + amountOf(other), 0);
	if (maximumTotal !== undefined && total > maximumTotal + 1e-9) {
		evidence.add('guard', `${total} was sent, Maximum Total is ${maximumTotal}`);
	}
	if (maximumTransfers !== undefined && together.length > maximumTransfers) {
		evidence.add('guard', `${together.length} transfers, Maximum Transfers is ${maximumTransfers}`);
	}
	const swept = together.filter(({ request }) => request.path === entry.request.path);
	if (kind === 'sweep' && swept.some((other) => workOf(other) !== workOf(entry))) {
		evidence.add('4', `${entry.request.path}: ${swept.length} items swept it above one floor`);
	}
}

/** One round of a node, with its retries; all calls of an agent. */
function isOfSameRun(other: Entry, by: RunRecord): boolean {
	return (
		by.execution.continues(other.by.execution) &&
		other.by.nodeName === by.nodeName &&
		movesMoney(other.by) &&
		(by.isTool || other.by.items[0]?.round === by.items[0]?.round)
	);
}

/** What led to a second execution of the same work. */
function whyTwice(first: Entry, second: Entry): { hole: string; why: string } {
	const [before, now] = [first.by.execution, second.by.execution];
	const isHere =
		first.request.host === second.request.host && first.request.company === second.request.company;
	if (!isHere) return { hole: '6', why: 'at two targets' };
	if (before === now) return { hole: 'other', why: 'in one execution' };
	if (lacksNote(first)) return { hole: 'note', why: 'and n8n could not note the first time' };
	const isCopy = first.by.setup.copied !== second.by.setup.copied;
	if (!now.continues(before)) {
		const by = isCopy ? ' (the node was copied)' : '';
		return { hole: `2${by}`, why: `from one state, continued twice${by}` };
	}
	if (first.request.key !== undefined && first.request.key === second.request.key) {
		return { hole: '3', why: 'under one key, which the service had forgotten' };
	}
	const why = keysOf(first, second);
	const between = now.lineage.slice(now.lineage.indexOf(before), -1);
	if (between.some(({ status }) => status === 'crashed')) {
		return { hole: `1 (${why})`, why: `after a crash: ${why}` };
	}
	if (isCopy) {
		return { hole: 'copied', why: 'by the copy of the node' };
	}
	return { hole: `other (${why})`, why: `in a retry: ${why}` };
}

/** n8n could not note the first time, and says so in its log. */
const lacksNote = ({ by }: Entry) => by.lacksNote === true;

/** What had become of the key by the second time. */
function keysOf(first: Entry, second: Entry): string {
	const [before, now] = [first.by.setup, second.by.setup];
	if (before.copied !== now.copied) return 'the node was copied';
	if (before.key !== undefined && now.key === undefined) return 'own key removed';
	if (before.key === undefined && now.key !== undefined) return 'own key added';
	if (before.key !== now.key || before.keyVersion !== now.keyVersion) return 'own key changed';
	if (now.key === 'day') return 'own key with $today';
	if (now.key === 'execution') return 'own key with $execution.id';
	return first.request.key === undefined ? 'no key' : 'derived key';
}
