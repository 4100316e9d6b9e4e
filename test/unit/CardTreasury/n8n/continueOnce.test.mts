import type { Plan } from '../../../../nodes/CardTreasury/batch/batch.ts';
import type { Note } from '../../../../nodes/CardTreasury/n8n/continueOnce.ts';
import { Database, HOUR_MS, PLAN, type Run } from './notes.mts';

const OTHER = { fingerprint: 'other' };
const UNKEYED = { allKeyed: false };

const FIRST = { kind: 'first' };
const FIX =
	'If the execution was retried before, retry its latest retry instead. Otherwise find out what was executed (wait for the events, or ask the provider), and start a new execution for the rest.';
const OWN =
	'A new execution is safe only with the same Idempotency Keys as then, as long as the service remembers them.';
const REFUSED = {
	kind: 'refused',
	why: expect.objectContaining({
		message:
			'This retry continues an execution that was continued before, or that seems to have been cut off while it was sending',
		fix: `${FIX} ${OWN}`,
	}),
};
const NOT_NOTED = expect.objectContaining({
	message:
		"This execution was not begun, because n8n's database could not note that it begins to write: without the note, another retry could send everything again",
	fix: 'Retry when the database works.',
});

describe('a first execution', () => {
	it('is never refused, and keeps as many notes as the node may have', async () => {
		const database = new Database();
		for (const executionId of ['7', '7', '8']) {
			expect(await database.begin({ executionId, plan: UNKEYED })).toEqual(FIRST);
		}
		expect(database.calls[0]).toEqual([
			['round 5 0 0'],
			'node',
			{ mode: 'entries', maxEntries: 20_000 },
		]);
	});

	it('notes each round, and its plan where it has one', async () => {
		const database = new Database();
		const begun: Note['begun'] = {};
		for (const plan of [UNKEYED, UNKEYED, PLAN, OTHER]) await database.begin({ begun, plan });
		expect(database.stored.map((note) => note.replace(/(plan 5 0) .*/, '$1'))).toEqual([
			'Pay: round 5 0 0',
			'Pay: round 7@5 0 1',
			'Pay: round 7@5 0 2',
			'Pay: plan 5 0',
			'Pay: round 7@5 0 3',
			'Pay: plan 5 0',
		]);
		expect(begun).toEqual({ Pay: { run: '7', state: 0, round: 3 } });
	});

	it('that could not be noted leaves no plan behind that another run could take for its own', async () => {
		const database = new Database();
		database.fails = [0, 1];
		database.failsAfterStoring = true;
		await database.begin();
		expect(database.stored.some((note) => note.startsWith('plan'))).toBe(false);
	});

	it('is found by its retry after a crash, whatever the node is called', async () => {
		const database = new Database();
		const run = { node: 'constructor', plan: UNKEYED };
		await database.begin(run);
		expect(await database.retry({ ...run, root: '8@5' })).toMatchObject({ kind: 'refused' });
	});

	it('is not begun while it cannot be noted', async () => {
		const database = new Database();
		database.fails = [0, 1];
		const begun: Note['begun'] = {};
		expect(await database.begin({ begun })).toEqual({
			kind: 'not noted',
			why: NOT_NOTED,
		});
		expect(begun).toEqual({ Pay: { run: '7', state: 0, round: 0, unnoted: ['round 5 0 0'] } });
		expect(await database.begin({ begun })).toEqual(FIRST);
		expect(begun).toEqual({ Pay: { run: '7', state: 0, round: 1 } });
	});

	it.each([false, true])(
		'that was not begun is continued by its retry, whether the note is there or not: %s',
		async (failsAfterStoring) => {
			const database = new Database();
			database.fails = [0, 1];
			database.failsAfterStoring = failsAfterStoring;
			const begun: Note['begun'] = {};
			await database.begin({ begun, plan: UNKEYED });
			expect(await database.retry({ begun, plan: UNKEYED })).toEqual(FIRST);
		},
	);

	it('that was not begun at first, and then was, is not continued from what it knew in between', async () => {
		for (const rounds of [0, 2]) {
			const database = new Database();
			const begun: Note['begun'] = {};
			for (let round = 0; round < rounds; round++) await database.begin({ begun, plan: UNKEYED });
			const earlier = structuredClone(begun);
			database.fails = [rounds, rounds + 1, rounds + 2, rounds + 3];
			for (let attempt = 0; attempt < 2; attempt++)
				expect((await database.begin({ begun, plan: UNKEYED })).kind).toBe('not noted');
			const between = structuredClone(begun);
			expect(await database.begin({ begun, plan: UNKEYED })).toEqual(FIRST);
			for (const known of [earlier, between]) {
				const retry = { executionId: '9', begun: known, plan: UNKEYED };
				expect(await database.retry(retry)).toEqual(REFUSED);
			}
		}
	});

	it('goes on where the database fails once, or only at a later round', async () => {
		const database = new Database();
		database.fails = [0, 2, 3];
		const begun: Note['begun'] = {};
		for (const plan of [PLAN, OTHER, UNKEYED]) {
			expect(await database.begin({ begun, plan })).toEqual(FIRST);
		}
	});

	it.each([
		['without an execution', { executionId: null }],
		['of a workflow that is not saved', { workflowId: '' }],
	])('%s notes nothing, and continues nothing', async (_name, run) => {
		const database = new Database();
		await database.begin();
		database.calls.length = 0;
		expect(await database.retry(run)).toEqual(FIRST);
		expect(database.calls).toEqual([]);
	});
});

describe('the retry of an execution that was cut off', () => {
	it.each<[string, Partial<Plan>, Partial<Plan>]>([
		['whose keys were derived, or changed', {}, OTHER],
		['that carries no keys', UNKEYED, UNKEYED],
		['that carries no keys any more', {}, UNKEYED],
		['that carries keys only now', UNKEYED, {}],
		['whose Idempotency Window was changed', {}, { windowMs: 23.9 * HOUR_MS }],
	])('is refused, again and again: %s', async (_name, then, now) => {
		const database = new Database();
		await database.begin({ plan: then });
		for (const executionId of ['8', '9', '10']) {
			const begun: Note['begun'] = {};
			expect(await database.retry({ executionId, begun, plan: now })).toEqual(REFUSED);
			expect(begun).toEqual({});
		}
	});

	it("says that keys of one's own would have made it safe, where there were none", async () => {
		const database = new Database();
		await database.begin();
		expect(await database.retry({ plan: { ...OTHER, allOwn: false } })).toMatchObject({
			why: {
				fix: `${FIX} With keys of your own from the start, such as an order number, a retry is safe as long as the service remembers them.`,
			},
		});
	});

	it('goes on with the same keys and requests, again and again', async () => {
		const database = new Database();
		await database.begin();
		for (let executionId = 8; executionId < 12; executionId++) {
			expect(await database.retry({ executionId: `${executionId}` })).toMatchObject({
				kind: 'same',
			});
		}
	});

	it('goes on while the service remembers the keys, told as no later than they were sent', async () => {
		for (let hour = 0; hour < 24; hour++) {
			const database = new Database();
			database.now += hour * HOUR_MS;
			const sent = database.now;
			await database.begin();
			for (const later of [0, 6, 12, 20, 21]) {
				database.now = sent + later * HOUR_MS;
				const beginning = await database.retry();
				const since = beginning.kind === 'same' ? beginning.since : NaN;
				expect(since).toBeLessThanOrEqual(sent);
				expect(since).toBeGreaterThan(database.now - PLAN.windowMs);
			}
			database.now = sent + 24 * HOUR_MS;
			expect(await database.retry()).toEqual(REFUSED);
		}
	});

	it('asks for nothing from before the execution began, and for the whole window where that is not known', async () => {
		const database = new Database();
		const asked = async (run: Run) => {
			await database.begin(run);
			database.calls.length = 0;
			database.now += 7 * HOUR_MS;
			await database.retry({ ...run, executionId: '9' });
			return database.calls[1]![0].length / 2;
		};
		expect(await asked({ start: database.now })).toBe(3);
		expect(await asked({ origin: 'sub 3' })).toBe(8);
	});

	it('asks at least for the present, where the clock is behind', async () => {
		const database = new Database();
		await database.begin();
		expect(await database.retry({ start: database.now + 12 * HOUR_MS, origin: '5' })).toMatchObject(
			{
				kind: 'same',
			},
		);
	});

	it('of a sub-workflow is refused by the name that its parent gives it, its own retry is not', async () => {
		const calls = [{ start: 5 }, { start: 6 }].map((run) => ({ ...run, alias: 'sub 3' }));
		const database = new Database();
		await database.begin({ ...calls[0], plan: UNKEYED });
		// It failed before it began: n8n has stored its own context.
		expect(await database.retry({ ...calls[1], plan: UNKEYED })).toEqual(FIRST);
		const lost = { origin: 'sub 3', root: '9@7' };
		expect(await database.retry({ ...lost, executionId: '9', plan: UNKEYED })).toEqual(REFUSED);
		expect(await database.retry({ ...lost, executionId: '10' })).toEqual(REFUSED);
	});

	it('of a sub-workflow is refused also where its first round could not be noted', async () => {
		const database = new Database();
		const begun: Note['begun'] = {};
		const call = { start: 5, alias: 'sub 3', begun, plan: UNKEYED };
		database.fails = [0, 1];
		expect((await database.begin(call)).kind).toBe('not noted');
		expect(await database.begin(call)).toEqual(FIRST);
		const lost = { origin: 'sub 3', root: '9@7', executionId: '9', plan: UNKEYED };
		expect(await database.retry(lost)).toEqual(REFUSED);
	});

	it('of a sub-workflow goes on with the same keys', async () => {
		const database = new Database();
		await database.begin({ start: 5, alias: 'sub 3' });
		const lost = { origin: 'sub 3', root: '9@7', executionId: '9' };
		expect(await database.retry(lost)).toMatchObject({ kind: 'same' });
	});

	it('asks once, however many rounds it has: each question leaves a note, and the oldest notes go', async () => {
		const database = new Database();
		await database.begin();
		database.calls.length = 0;
		const begun: Note['begun'] = {};
		for (let round = 0; round < 100; round++)
			expect(await database.retry({ begun, plan: OTHER })).toEqual(REFUSED);
		expect(database.calls).toHaveLength(2);
		expect(await database.retry({ begun, plan: OTHER, node: 'Freeze' })).toEqual(FIRST);
		expect(await database.retry({ begun, executionId: '9' })).toMatchObject({ kind: 'same' });
	});

	it('is refused at another node too, which would send the same in its place; one with keys of its own goes on', async () => {
		const database = new Database();
		await database.begin({ plan: UNKEYED });
		const begun: Note['begun'] = {};
		await database.retry({ begun, plan: UNKEYED });
		const other = { begun, node: 'Pay otherwise' };
		for (const plan of [UNKEYED, { allOwn: false }])
			expect((await database.retry({ ...other, plan })).kind).toBe('refused');
		expect(await database.retry(other)).toEqual(FIRST);
		const later = { ...other, begun: {}, executionId: '9', plan: { allOwn: false } };
		expect(await database.retry({ ...later, node: 'Not begun' })).toEqual(FIRST);
	});

	it('is not allowed by another one that only asked', async () => {
		const database = new Database();
		await database.begin({ plan: OTHER });
		for (let retry = 0; retry < 4; retry++) expect(await database.retry()).toEqual(REFUSED);
		expect(await database.retry({ plan: OTHER })).toMatchObject({ kind: 'same' });
		expect(await database.retry()).toEqual(REFUSED);
	});

	it('may be refused a round that was not reached before', async () => {
		const database = new Database();
		await database.begin();
		const begun: Note['begun'] = {};
		expect(await database.retry({ begun })).toMatchObject({ kind: 'same' });
		expect(await database.retry({ begun, plan: OTHER })).toEqual(REFUSED);
		// Retry On Fail runs the first round again.
		expect(await database.retry({ begun })).toMatchObject({ kind: 'same' });
	});

	it('is told from executions that started at another moment, and from other nodes', async () => {
		const database = new Database();
		await database.begin();
		expect(await database.retry({ start: 6, plan: UNKEYED })).toEqual(FIRST);
		expect(await database.retry({ node: 'Freeze', plan: UNKEYED })).toEqual(FIRST);
		await database.begin({ start: 7, plan: UNKEYED });
		expect(await database.retry({ start: 7 })).toEqual(REFUSED);
	});
});

describe('the retry of an execution that failed', () => {
	/** An execution that n8n has stored, as each retry of it finds it. */
	async function stored(database: Database, plan?: Partial<Plan>) {
		const begun: Note['begun'] = {};
		await database.begin({ begun, plan });
		return () => structuredClone(begun);
	}

	it('goes on, and so does the retry of that one', async () => {
		const database = new Database();
		const state = (await stored(database, UNKEYED))();
		for (const executionId of ['8', '9', '10']) {
			const run: Run = { executionId, begun: state, plan: UNKEYED };
			expect(await database.retry(run)).toEqual(FIRST);
			// Rounds of a loop, and Retry On Fail.
			expect(await database.retry(run)).toEqual(FIRST);
		}
		expect(state).toEqual({ Pay: { run: '10', state: 3, round: 1 } });
	});

	it('goes on once: a second retry of the same state is refused without keys', async () => {
		const database = new Database();
		const state = await stored(database, UNKEYED);
		const run = { plan: UNKEYED };
		expect(await database.retry({ ...run, begun: state() })).toEqual(FIRST);
		const begun = state();
		expect(await database.retry({ ...run, executionId: '9', begun })).toEqual(REFUSED);
		// So the retry of the refused one continues the same state, and is refused too.
		expect(begun).toEqual(state());
		expect(await database.retry({ ...run, executionId: '10', begun })).toEqual(REFUSED);
	});

	it('is refused a second time when somebody has gone on from the first retry: other keys may have been sent since', async () => {
		const database = new Database();
		const first: Note['begun'] = {};
		await database.begin({ begun: first });
		const begun = { ...first };
		expect(await database.retry({ begun })).toEqual(FIRST);
		const later = { executionId: '9', begun, plan: OTHER };
		expect(await database.retry(later)).toEqual(FIRST);
		expect(await database.retry({ executionId: '10', begun: { ...first } })).toEqual(REFUSED);
	});

	it('goes on a second time with the same keys, derived ones too, and does not become a state of its own', async () => {
		const database = new Database();
		const state = await stored(database);
		const run = { plan: { allOwn: false } };
		expect(await database.retry({ ...run, begun: state() })).toEqual(FIRST);
		const begun = state();
		expect(await database.retry({ ...run, executionId: '9', begun })).toMatchObject({
			kind: 'same',
		});
		expect(begun).toEqual({ Pay: { run: '9', state: 1, round: 0, shared: true } });
		// What the other run has sent is not known to this one's retry either.
		expect(await database.retry({ executionId: '10', begun, plan: UNKEYED })).toEqual(REFUSED);
		expect(await database.retry({ ...run, executionId: '11', begun })).toMatchObject({
			kind: 'same',
		});
	});

	it('goes on beside that of another one that started in the same millisecond, and had more rounds', async () => {
		const database = new Database();
		for (const [root, rounds] of [
			['7@5', 2],
			['8@5', 1],
		] as const) {
			const begun: Note['begun'] = {};
			for (let round = 0; round < rounds; round++)
				await database.begin({ root, begun, plan: UNKEYED });
			expect(await database.retry({ executionId: '9', root, begun, plan: UNKEYED })).toEqual(FIRST);
		}
	});

	it.each<[string, Partial<Plan>, object]>([
		['is refused', UNKEYED, REFUSED],
		['goes on with the same keys', {}, { kind: 'same' }],
	])(
		'from what was stored before it crashed in a later round %s',
		async (_name, plan, expected) => {
			const database = new Database();
			const begun: Note['begun'] = {};
			await database.begin({ begun, plan });
			const atWait = structuredClone(begun);
			await database.begin({ begun, plan });
			const retry = { executionId: '8', begun: atWait, plan };
			expect(await database.retry(retry)).toMatchObject(expected);
			expect(await database.retry({ ...retry, executionId: '9' })).toMatchObject(expected);
		},
	);

	it('from what was stored goes on where no later round had begun', async () => {
		const database = new Database();
		const begun: Note['begun'] = {};
		await database.begin({ begun, plan: UNKEYED });
		const retry = { begun, plan: UNKEYED };
		expect(await database.retry(retry)).toEqual(FIRST);
		expect(database.calls.at(-1)![0]).toEqual(['round 7@5 0 1', 'round 7@5 1 0']);
	});

	it('goes on once of two at the same moment', async () => {
		const database = new Database();
		const state = await stored(database, UNKEYED);
		const both = ['8', '9'].map((executionId) =>
			database.retry({ executionId, begun: state(), plan: UNKEYED }),
		);
		expect(await Promise.all(both)).toEqual([FIRST, REFUSED]);
	});

	it("goes on with an agent's calls at the same moment, which are one run", async () => {
		const database = new Database();
		const state = (await stored(database, UNKEYED))();
		const calls = [UNKEYED, UNKEYED, PLAN].map((plan) => database.retry({ begun: state, plan }));
		expect(await Promise.all(calls)).toEqual([FIRST, FIRST, FIRST]);
	});

	it('continues the state of its own node: another one may not have begun', async () => {
		const database = new Database();
		const state = (await stored(database, UNKEYED))();
		const freeze: Run = { node: 'Freeze', plan: UNKEYED };
		expect(await database.retry({ ...freeze, begun: state })).toEqual(FIRST);
		expect(await database.retry({ ...freeze, executionId: '9' })).toEqual(REFUSED);
	});
});

describe('a retry while the database fails', () => {
	const UNKNOWN = { kind: 'refused', why: NOT_NOTED };

	it('is refused, and may go on once the database works', async () => {
		const database = new Database();
		database.fails = [0, 1];
		const begun: Note['begun'] = {};
		expect(await database.retry({ begun })).toEqual(UNKNOWN);
		expect(begun).toEqual({});
		expect(await database.retry({ begun })).toEqual(FIRST);
	});

	it('once, goes on; where the failed attempt has stored the note, it is refused', async () => {
		const database = new Database();
		database.fails = [0];
		expect(await database.retry()).toEqual(FIRST);
		const other = new Database();
		other.fails = [0];
		other.failsAfterStoring = true;
		expect(await other.retry({ plan: UNKEYED })).toEqual(REFUSED);
	});

	it('with the same keys is refused when that cannot be told', async () => {
		const database = new Database();
		await database.begin();
		// The state is written at 2; the plan is asked for at 3, and a second time.
		database.fails = [3, 4];
		expect(await database.retry()).toEqual(UNKNOWN);
		expect(await database.retry()).toMatchObject({ kind: 'same' });
	});

	it('with the same keys goes on though it cannot leave its own note; the next one is refused', async () => {
		const database = new Database();
		await database.begin();
		// After the state of the next one at 4.
		database.fails = [5, 6];
		expect(await database.retry()).toMatchObject({ kind: 'same' });
		expect(await database.retry()).toEqual(REFUSED);
	});

	it('goes on as the first though its plan cannot be noted; a second retry is refused', async () => {
		const database = new Database();
		database.fails = [1, 2];
		expect(await database.retry()).toEqual(FIRST);
		expect(await database.retry({ executionId: '9' })).toEqual(REFUSED);
	});
});
