import { amountOf, isLike, nameOf } from './evidence.mts';
import type { Entry, Evidence, RunRecord } from './evidence.mts';
import { ownKey, tagOf, type Item } from './parameters.mts';
import type { Told } from './told.mts';

type Json = Record<string, unknown>;

/** What the user is told of an item: nothing that the ledger knows better. */
export function checkTold(evidence: Evidence, by: RunRecord, told: Told): void {
	const item = by.items[told.index];
	if (item === undefined || told.outcome === 'dry run') return;
	const work = by.works.get(item.tag)!;
	if (told.outcome === 'success') return checkSuccess(evidence, by, item, work, told.json ?? {});
	const executed = evidence.executionsOf(work);
	const under = evidence.executionsUnder(work, by.execution, undefined);
	if (told.outcome === 'accepted' && executed.length + under.length === 0) {
		evidence.add('5', `${work}: told to be accepted, never executed`);
	}
	const known = executed.filter(
		(entry) => by.execution.continues(entry.by.execution) && isAsked(entry, by, item),
	);
	if (known.length === 0) return;
	if (told.outcome === 'not_sent' || told.outcome === 'rejected') {
		const isLost = known.every((entry) => isForgotten(entry, by));
		const hole = isLost ? '5 after a crash' : '5';
		evidence.add(hole, `${work}: told to be ${told.outcome}, but was executed`);
		return;
	}
	// What was lost in a crash cannot be shown.
	const kept = known.filter((entry) => !isForgotten(entry, by));
	if (told.json && kept.length > 0 && !kept.some((entry) => isLike(entry, by, told.json!))) {
		evidence.add('5', `${work}: told to be ${told.outcome} with values that were never sent`);
	}
}

/** An agent may have used its key for something else, which this refusal says nothing about. */
function isAsked(entry: Entry, by: RunRecord, item: Item): boolean {
	if (!by.isTool || entry.by === by) return true;
	if (isForgottenHere(entry, by)) return false;
	// Of what another call is doing at the same time, this one knows nothing.
	const isAtOnce = entry.by.execution === by.execution && !(entry.by.toldAt! <= by.at);
	if (isAtOnce) return false;
	const { kind, valueVersion = 0 } = by.setup;
	const isEqual = kind?.endsWith('freeze') || amountOf(entry) === item.amount + valueVersion;
	return isEqual && tagOf(entry.request.path, entry.request.body) === item.tag;
}

/** n8n has lost the record of what an execution has sent that crashed. */
const isForgotten = (entry: Entry, by: RunRecord) =>
	entry.by.execution.status === 'crashed' && entry.by.execution !== by.execution;

/** A crash forgets what was sent, and the notes are each node's own: what another node sent is another execution's. */
const isForgottenHere = (entry: Entry, by: RunRecord) =>
	isForgotten(entry, by) && entry.by.nodeName !== by.nodeName;

/** Its output is shown as done: then this very work was done, where the credential points to. */
function checkSuccess(
	evidence: Evidence,
	by: RunRecord,
	item: Item,
	work: string,
	json: Json,
): void {
	const key = ownKey(by.setup, item, { ...by, date: by.at });
	const isHere = ({ request }: Entry) =>
		request.host === by.target.host && request.company === by.target.company;
	const own = by.isTool && key === undefined ? byTool(evidence, by) : evidence.executionsOf(work);
	const underKey = evidence.executionsUnder(work, by.execution, key);
	const like = [...own, ...underKey].filter((entry) => isLike(entry, by, json));
	if (like.some(isHere)) return;
	if (own.some((entry) => like.includes(entry)) || (own.length > 0 && !own.some(isHere))) {
		return evidence.add('6', `${work}: shown as done at ${nameOf(by.target)}, was done elsewhere`);
	}
	const isKnown = (entry: Entry) => by.execution.continues(entry.by.execution);
	const values = `${work}: shown as done with values that were never sent`;
	if (underKey.some((entry) => isKnown(entry) && !isForgottenHere(entry, by))) {
		return evidence.add('7', `${values} under ${key}`);
	}
	if (own.length > 0 && !own.some(isKnown)) {
		return evidence.add('2', `${values}, from one state, continued twice`);
	}
	// What another execution has done under this key, nobody can know here.
	if (underKey.length > 0) return;
	if (by.isTool && key !== undefined) {
		return evidence.add('9', `${work}: told to be done, but ${key} was never paid`);
	}
	evidence.add('other', `${work}: shown as done, but was not: ${JSON.stringify(json)}`);
}

/** An agent's equal call is answered by what was done before, under whichever key, by whichever of its tools. */
function byTool({ ledger, requests }: Evidence, { execution }: RunRecord): Entry[] {
	const isOurs = ({ by }: Pick<Entry, 'by'>) => by.execution.root === execution.root;
	const keys = new Set(requests.filter(isOurs).map(({ key }) => key));
	keys.delete(undefined);
	return ledger.executed.filter((entry) => isOurs(entry) || keys.has(entry.request.key));
}

/** After a retry that went well n8n takes the Retry button away, and what is left to do would get new keys. */
export function checkDryRun({ ledger }: Evidence, by: RunRecord): string | undefined {
	if (!by.setup.dryRun || by.isTool) return undefined;
	const hasSent = ledger.executed.some(
		(entry) =>
			entry.by.execution !== by.execution &&
			by.execution.continues(entry.by.execution) &&
			entry.by.nodeName === by.nodeName &&
			!isForgotten(entry, by),
	);
	return hasSent
		? 'a dry run in the retry of an execution that has sent something went well'
		: undefined;
}
