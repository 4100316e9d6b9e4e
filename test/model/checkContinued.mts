import { isDefinite, type Evidence, type RunRecord, type Sent } from './evidence.mts';
import type { Execution } from './execution.mts';
import type { Setup } from './history.mts';

/** The last minutes before the promised window ends may be refused already. */
const MARGIN_MS = 10 * 60_000;

/** So much of the window at its end may be refused to those who continue a state that somebody else has continued. */
const COARSENESS = 1 / 8;

const WAY = /\bretry|new execution|ask the provider/i;

/**
 * A retry in which nothing goes wrong, of an execution to which nothing has happened that would forbid it, goes well. Any
 * other that is refused says what to do instead.
 */
export function checkContinued(evidence: Evidence, execution: Execution, at: number): void {
	const { parent, plan } = execution;
	if (parent === undefined || plan.isAgent || plan.steps.some(({ items }) => items.length === 0))
		return;
	const runs = evidence.runs.filter((run) => run.execution === execution);
	const before = evidence.runs.filter((run) => execution.continues(run.execution));
	if (!isUnchanged(execution, execution.lineage, before)) return;
	const text = runs.at(-1)?.text ?? '';
	const age = at - execution.root.data.establishedAt;
	const isSafe = (these: RunRecord[], windowMs: number) => {
		const requests = evidence.requests.filter((sent) => these.includes(sent.by));
		return age < windowMs - MARGIN_MS && requests.every(mayGoOn) && !mayBeRefused(requests);
	};
	const all = evidence.runs.filter((run) => run.execution.root === execution.root);
	// After a crash a call is not told from the others of its parent.
	const isLost = execution.lineage.some(({ data }) => data.source === 'retry');
	const mustGoOn = isOnlyLine(execution)
		? !isLost && isSafe(before, evidence.promisedMs)
		: !isLost && mayRepeat(execution, all) && isSafe(all, evidence.promisedMs * (1 - COARSENESS));
	if (mustGoOn) evidence.continued += 1;
	if (execution.status !== 'failed') return;
	if (mustGoOn) {
		evidence.add('refused', `execution ${execution.id} could have gone on: ${text}`);
	} else if (runs.every(({ sent }) => sent === 0) && !WAY.test(text)) {
		evidence.add('refused', `execution ${execution.id} is refused without a way out: ${text}`);
	}
}

/** The same workflow, credential and values all the time. */
function isUnchanged(execution: Execution, others: Execution[], runs: RunRecord[]): boolean {
	return (
		runs.every(({ target }) => target === runs[0]?.target) &&
		execution.workflow.every(isStable) &&
		others.every(
			({ workflow, plan, hasTrouble }) =>
				!hasTrouble && plan === execution.plan && workflow === execution.workflow,
		)
	);
}

function isStable({ kind, key, fromClock, dryRun, ...guards }: Setup): boolean {
	const { maximumAmount, maximumTotal, maximumTransfers, onlyInEnvironment } = guards;
	const isGuarded = [maximumAmount, maximumTotal, maximumTransfers, onlyInEnvironment].some(
		(guard) => guard !== undefined,
	);
	return !isGuarded && !fromClock && !dryRun && kind !== 'sweep' && (!key || key === 'payment');
}

/** Nobody else has continued any of its states, and none was lost. */
const isOnlyLine = ({ lineage }: Execution) =>
	lineage.slice(0, -1).every(({ status, retries }) => status === 'failed' && retries === 1);

/**
 * Others have continued the same state before, or it was lost in a crash, but all of them with the same keys and requests,
 * one after the other, and nobody has gone on from there.
 */
function mayRepeat(execution: Execution, runs: RunRecord[]): boolean {
	const { lineage, parent, plan, workflow } = execution;
	const family = [...new Set(runs.map((run) => run.execution))];
	const siblings = family.filter((other) => other !== execution && other.parent === parent);
	// Derived keys are those of the first execution that has run the node, where it was stored.
	const ran = runs.some((run) => run.execution !== execution && execution.continues(run.execution));
	const keepsKeys = parent?.status !== 'crashed' && ran;
	const begun = runs.find((run) => run.execution === execution)?.at ?? 0;
	// Killed before it has sent anything, it may have noted its state and not yet its plan.
	const isOver = (run: RunRecord) =>
		run.execution.status === 'crashed' ? run.sent > 0 : (run.toldAt ?? Infinity) < begun;
	return (
		isUnchanged(execution, family, runs) &&
		lineage.slice(0, -2).every(({ status, retries }) => status === 'failed' && retries === 1) &&
		family.every((other) => lineage.includes(other) || siblings.includes(other)) &&
		runs.every((run) => run.execution === execution || isOver(run)) &&
		// What a round has sent belongs to its plan.
		plan.steps.length <= workflow.length &&
		workflow.every(({ kind, key }) => key === 'payment' || (keepsKeys && kind !== 'request'))
	);
}

/** What is open holds up an equal request of another node that has no key of its own: here all nodes send the same. */
const mayBeRefused = (requests: Sent[]) =>
	requests.some((sent) => {
		const { workflow } = sent.by.execution;
		const lacksKey = workflow.some(({ key }) => key === undefined);
		return workflow.length > 1 && lacksKey && !isDefinite(sent);
	});

/** Nothing is open without a key, and nothing was answered in a way that stays. */
function mayGoOn(sent: Sent): boolean {
	const isUnkeyed = sent.by.setup.kind === 'request' && sent.by.setup.key === undefined;
	const stays = [302, 404, 409].includes(sent.status ?? 0);
	return !stays && (!isUnkeyed || isDefinite(sent));
}
