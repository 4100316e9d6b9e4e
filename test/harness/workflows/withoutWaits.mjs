// Loaded into n8n with `--import`, so that tests need not wait for n8n. Plain JavaScript, because n8n's Node loads it.
import Module from 'node:module';

/**
 * n8n then looks once a second, not once a minute, which waits have ended; not while it continues one, because it would
 * read it once more, and continue what has waited again since as it was before.
 */
function WaitTracker(tracker) {
	const { startTracking, startExecution } = tracker;
	let starting = 0;
	tracker.startTracking = function () {
		startTracking.call(this);
		setInterval(() => starting > 0 || void this.getWaitingExecutions(), 1_000).unref();
	};
	tracker.startExecution = async function (id) {
		starting++;
		return await startExecution.call(this, id).finally(() => starting--);
	};
}

/**
 * n8n stores that an execution waits before it has let go of it, and an answer that comes between the two leaves the
 * execution running for ever. n8n then lets go of it first.
 */
function ActiveExecutions(executions) {
	const { add } = executions;
	executions.add = async function (data, resumed) {
		// Older versions of n8n hand over the ID alone.
		const asking = this.activeExecutions[resumed?.executionId ?? resumed];
		if (asking?.workflowExecution) await asking.postExecutePromise.promise;
		return await add.call(this, data, resumed);
	};
}

/** Changes of n8n's classes, keyed by file. Each function has the name of its class. */
const CHANGES = { '/wait-tracker': WaitTracker, '/active-executions': ActiveExecutions };

const load = Module._load;
const changed = new WeakSet();
Module._load = function (request, ...rest) {
	const loaded = load.call(this, request, ...rest);
	for (const [end, change] of Object.entries(CHANGES)) {
		const prototype = request.endsWith(end) && loaded[change.name]?.prototype;
		if (!prototype || changed.has(prototype)) continue;
		changed.add(prototype);
		change(prototype);
	}
	return loaded;
};
