import { isUnknown } from './promises.mts';
import { fateOf, serve } from './service.mts';
import type { Call, Execution, Reply, Request, World } from './world.mts';

/** Settles one call that waits, or kills n8n. */
export function step(world: World): void {
	const { calls, options, settings, is, pick, chooseKill } = world;
	const call = pick(calls);
	const { execution, names, read, sent, reply } = call;
	const { cutAt = chooseKill() < options.killed ? world.steps : -1 } = settings;
	const dies = cutAt === world.steps++;
	if (dies && chooseKill() < 0.5) return kill(world, execution.process);
	if (is(options.stopped)) {
		execution.isStopped = true;
		world.log(() => `   #${execution.id} Stop`);
	}
	if (sent && !reply) call.reply = serve(world, execution, sent, fateOf(world));
	else if (names && options.processes > 1 && !read) call.read = [...world.notes];
	else {
		calls.splice(calls.indexOf(call), 1);
		let settle: () => void = call.resolve;
		if (reply) settle = answered(world, call, reply);
		if (names) settle = changed(world, call, names);
		if (!dies) return settle();
	}
	if (dies) kill(world, execution.process);
}

/** Returns how the node learns of a reply. */
function answered(world: World, { execution, resolve }: Call, { request, outcome }: Reply) {
	const end = execution.isStopped && request && world.is(0.5) ? 'unknown' : outcome;
	// The service accepts some requests, and tells the end later.
	const isPending = end === 'done' && request!.at % 4 === 3;
	return () => {
		if (request) request.end = end;
		execution.hasFailed ||= end !== 'done';
		resolve(isPending ? 'pending' : end);
	};
}

/** Changes notes, or fails before or after. Returns how the node learns of it. */
function changed(world: World, call: Call, names: string[]): () => void {
	const { execution, isRecord, read = world.notes, resolve, reject } = call;
	const fault = world.is(world.options.databaseFails) && world.pick(['before', 'after']);
	let there = new Set<string>();
	if (fault !== 'before') there = world.write((world.notes = read), names, isRecord);
	for (const name of isRecord ? names.filter((each) => !there.has(each)) : [])
		world.adders.set(name, new Set([...(world.adders.get(name) ?? []), execution.root]));
	const failure = fault ? `, FAILS ${fault}` : '';
	world.log(() => `   #${execution.id} ${textOf(world, call)} (${world.show(there)})${failure}`);
	if (fault) {
		for (const key of [...world.keysOf(names), ...execution.held]) world.taint.add(key);
		return () => reject(new Error('database'));
	}
	const closed = names.filter((name) => !isRecord || there.has(name));
	for (const key of world.keysOf(closed, true)) {
		execution.held.delete(key);
		const isEnded = ({ end, ...request }: Request) =>
			request.key === key && (end === 'done' || end === 'failed');
		if (!isRecord && world.requests.some(isEnded)) world.settled.add(key);
	}
	return () => resolve(there);
}

const textOf = (world: World, { isRecord, names = [] }: Call) =>
	`${isRecord ? 'record' : 'remove'} ${world.show(names)}`;

/** Kills a process of n8n. Some of what is on its way arrives. */
function kill(world: World, process: number): void {
	const { executions, requests, taint, counts } = world;
	counts.kills!++;
	world.turns.delete(process);
	for (const execution of executions) {
		if (execution.status !== 'running' || execution.process !== process) continue;
		execution.status = 'crashed';
		const own = requests.filter((request) => request.execution === execution);
		checkHeld(world, execution, own);
		for (const key of execution.held) taint.add(key);
		for (const request of own) request.end ??= 'unknown';
		world.log(() => `   #${execution.id} killed`);
	}
	const cut = world.calls.filter(({ execution }) => execution.process === process);
	world.calls = world.calls.filter((call) => !cut.includes(call));
	for (const call of cut.filter(() => world.chooseKill() < 0.3)) {
		const { execution, names, isRecord, sent, reply } = call;
		if (names) {
			world.log(() => `   arrives: ${textOf(world, call)}`);
			world.write(world.notes, names, isRecord);
		}
		if (sent && !reply) serve(world, execution, sent, 'unanswered').request!.end = 'unknown';
	}
}

/** Counts what a killed execution leaves open. */
function checkHeld(world: World, { held }: Execution, own: Request[]): void {
	const { code, databaseFails } = world.options;
	const known = new Set(own.filter(isUnknown).map(({ key }) => key));
	const unsettled = [...held].filter((key) => !known.has(key));
	if (databaseFails === 0 && unsettled.length > code.part * code.atOnce)
		world.violated('7 more payments in flight than the parts allow', unsettled[0]!);
}
