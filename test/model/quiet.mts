import { retry, textOf } from './executions.mts';
import { runNode, stored } from './n8n.mts';
import { checkLedger, checkTruth, isNoteSure, isUnknown, isUnsent } from './promises.mts';
import { serve } from './service.mts';
import type { Execution, Item, Start, Told, World } from './world.mts';

/** Checks what a new execution, and a retry of each old one, would do now, without faults. Ends the history. */
export async function checkQuiet(world: World): Promise<void> {
	const { isShifted } = world.options;
	Object.assign(world.options, { hasKeys: false, isEdited: false, isShifted: false });
	const hosts = ['A', 'B'].filter((host) => world.told.some((told) => told.host === host));
	for (world.host of hosts) await checkNew(world);
	for (const from of world.executions) {
		const { status, root, journals, round, isDone } = from;
		if (isDone || (status !== 'failed' && status !== 'crashed')) continue;
		const again = retry(world, from);
		const items = again.rounds[again.round];
		if (items === undefined) continue;
		const isKnown = journals[round]?.began || isNoteSure(world, from);
		if (status === 'failed' && isKnown && isUnsent(world, root)) {
			const others = items.map((item) => ({ ...item, reference: `z${item.reference}` }));
			const copy = { ...again, journals: stored(again.journals) };
			for (const told of await quietly(world, copy, others))
				expectTold(world, told, 'Retry, nothing was sent', 'done');
		}
		const { began } = again.journals[world.settings.hasOneJournal ? 0 : again.round] ?? {};
		const told = await quietly(world, again, items);
		const isSameData = hosts.length < 2 && told.every(({ item }) => item.made === 'data');
		if (isSameData && !isShifted) checkRetry(world, from, told, began);
	}
}

const isSure = (world: World, key: string) => !world.taint.has(key) && !world.isEvicted;

function expectTold(world: World, { key, outcome }: Told, when: string, expected: string): void {
	if (isSure(world, key) && outcome !== expected)
		world.violated(`5 ${when}: ${expected} expected, told ${outcome}`, key);
}

/** Values with which a payment was accepted, or its state. */
function stateOf(world: World, key: string): string {
	const sent = world.requests.filter((request) => request.key === key);
	if (sent.some(isUnknown)) return 'open';
	if (sent.some(({ end }) => end === 'failed')) return 'failed';
	return sent.find(({ end }) => end === 'done')?.item.values ?? 'new';
}

async function checkNew(world: World): Promise<void> {
	const all = world.executions.flatMap(({ rounds }) => rounds.flat());
	const items = [...new Map(all.map((item) => [item.reference, item])).values()];
	for (const values of ['v1', 'v2']) {
		const asked = items.map((item, id) => ({ ...item, values, id }));
		for (const told of await quietly(world, { root: -1, startedAt: -1 }, asked)) {
			const state = stateOf(world, told.key);
			const ofAccepted = state === values ? 'already_sent' : 'not_sent';
			const expected = { open: 'unknown', failed: 'failed', new: 'done' }[state] ?? ofAccepted;
			expectTold(world, told, 'a new execution', expected);
		}
	}
}

function checkRetry(world: World, from: Execution, told: Told[], began = false): void {
	const isAccepted = ({ key }: Told) => isSure(world, key) && stateOf(world, key).startsWith('v');
	const isKnown = began || told.slice(0, world.options.code.part).some(isAccepted);
	for (const each of told) {
		const { key, item, outcome } = each;
		const isOwn = (own: Told) =>
			own.execution === from && own.key === key && own.item.values === item.values;
		const before = world.told.findLast(isOwn)?.outcome ?? '';
		const isKept = from.status === 'failed' && ['done', 'pending', 'failed'].includes(before);
		const state = stateOf(world, key);
		const ofNew = isKnown ? 'done' : outcome;
		const ofState = { open: 'unknown', failed: 'failed', new: ofNew }[state];
		expectTold(world, each, 'Retry', isKept ? before : (ofState ?? outcome));
	}
}

/** Runs the node without faults, and restores the world. */
async function quietly(world: World, start: Partial<Start>, items: Item[]): Promise<Told[]> {
	const [notes, ledger, requests] = [[...world.notes], [...world.ledger], [...world.requests]];
	const id = start.from ? `retry of ${start.from.id}` : 'probe';
	const execution = { round: 0, journals: {}, ...start, id, continueOnFail: true } as Execution;
	world.log(() => `-- ${id} ${textOf(items)}`);
	const told = await runNode(world, execution, items, {
		turn: async () => {},
		notes: {
			inTurn: async (work) =>
				await work({
					record: async (names) => world.write(notes, names, true),
					remove: async (names) => void world.write(notes, names),
				}),
		},
		send: async (sent) => serve(world, execution, sent, 'done').outcome,
	});
	checkTruth(world, told);
	checkLedger(world);
	Object.assign(world, { ledger, requests });
	return told;
}
