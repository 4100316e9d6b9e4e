import { isDefinite, type Evidence, type RunRecord, type Sent } from './evidence.mts';
import type { Execution } from './execution.mts';
import type { Setup } from './history.mts';

/** The last minutes before the promised window ends may be refused already. */
const MARGIN_MS = 10 * 60_000;

const WAY = /\bretry|new execution|ask the provider/i;

/**
 * A retry in which nothing goes wrong, of an execution to which nothing has happened that would forbid it, goes well. Any
 * other that is refused says what to do instead.
 */
export function checkContinued(evidence: Evidence, execution: Execution, at: number): void {
	if (execution.parent === undefined || execution.plan.isAgent) return;
	const runs = evidence.runs.filter((run) => run.execution === execution);
	const before = evidence.runs.filter((run) => execution.continues(run.execution));
	if (!isUnchanged(execution, before)) return;
	const text = runs.at(-1)?.text ?? '';
	const requests = evidence.requests.filter((sent) => before.includes(sent.by));
	const isNew = at - execution.data.establishedAt < evidence.promisedMs - MARGIN_MS;
	const mustGoOn = isNew && isOnlyLine(execution) && requests.every(mayGoOn);
	if (mustGoOn) evidence.continued += 1;
	if (execution.status !== 'failed') return;
	if (mustGoOn) {
		evidence.add('refused', `execution ${execution.id} could have gone on: ${text}`);
	} else if (runs.every(({ sent }) => sent === 0) && !WAY.test(text)) {
		evidence.add('refused', `execution ${execution.id} is refused without a way out: ${text}`);
	}
}

/** The same workflow, credential and values all the time. */
function isUnchanged(execution: Execution, runs: RunRecord[]): boolean {
	return (
		runs.every(({ target }) => target === runs[0]?.target) &&
		execution.workflow.every(isStable) &&
		execution.lineage.every(
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

/** Nothing is open without a key, and nothing was answered in a way that stays. */
function mayGoOn(sent: Sent): boolean {
	const isUnkeyed = sent.by.setup.kind === 'request' && sent.by.setup.key === undefined;
	const stays = [302, 404, 409].includes(sent.status ?? 0);
	return !stays && (!isUnkeyed || isDefinite(sent));
}
