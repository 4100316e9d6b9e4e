// Loaded into n8n with `--import`: makes Data Table nodes fail on demand, and lets tests wait less for n8n. Plain
// JavaScript, because n8n's Node loads it.
import { readFileSync, writeFileSync } from 'node:fs';
import Module from 'node:module';

/**
 * n8n then looks once a second, not once a minute, which waits have ended; not while it continues one, because it would
 * read it once more, and continue what has waited again since as it was before.
 */
function lookSoon({ WaitTracker: { prototype: tracker } }) {
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
function letGoFirst({ ActiveExecutions: { prototype: executions } }) {
	const { add } = executions;
	executions.add = async function (data, resumed) {
		// Older versions of n8n hand over the ID alone.
		const asking = this.activeExecutions[resumed?.executionId ?? resumed];
		if (asking?.workflowExecution) await asking.postExecutePromise.promise;
		return await add.call(this, data, resumed);
	};
}

/** n8n's Data Table nodes then look up if they should fail before they use the database. */
function failOnDemand(access) {
	for (const name of ['getDataTableProxyExecute', 'getDataTableAggregateProxy']) {
		const use = access[name];
		access[name] = async (context, ...more) => {
			const file = process.env.DATA_TABLE_FAULTS;
			const { node, fault } = JSON.parse(readFileSync(file, 'utf8'));
			if (node !== context.getNode().name) return await use(context, ...more);
			if (fault === 'once') writeFileSync(file, '{}');
			throw new Error('SQLITE_BUSY: database is locked');
		};
	}
}

/** Changes of n8n's modules, by the end of their names and an export. */
const CHANGES = [
	['/wait-tracker', 'WaitTracker', lookSoon],
	['/active-executions', 'ActiveExecutions', letGoFirst],
	['common/utils', 'getDataTableProxyExecute', failOnDemand],
];

const load = Module._load;
const changed = new WeakSet();
Module._load = function (request, ...rest) {
	const loaded = load.call(this, request, ...rest);
	for (const [end, name, change] of CHANGES) {
		if (!request.endsWith(end) || !loaded[name] || changed.has(loaded)) continue;
		changed.add(loaded);
		change(loaded);
	}
	return loaded;
};
