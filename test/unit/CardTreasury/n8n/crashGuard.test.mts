import type { ICheckProcessedOptions, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { createCrashGuard } from '../../../../nodes/CardTreasury/n8n/crashGuard.ts';
import type { ExecutionMemory } from '../../../../nodes/CardTreasury/n8n/execution.ts';

interface Run {
	mode?: WorkflowExecuteMode;
	executionId?: string | null;
	nodeId?: string;
	startedAt?: number;
	/** What started the execution. */
	items?: object[];
}

/** n8n's notes of one database, whose next operations may fail. */
class Notes {
	readonly marks: string[] = [];
	readonly calls: Array<[string[], string, ICheckProcessedOptions]> = [];
	readonly warnings: string[] = [];
	failures = 0;
	/** Whether what fails has been stored all the same. */
	failsAfterStoring = false;
	gate: Promise<void> = Promise.resolve();

	n8n(run: Run = {}): IExecuteFunctions {
		const { mode = 'trigger', executionId = '7', nodeId = 'n', startedAt = 1_000, items } = run;
		return Object.assign(Object.create(null), {
			getExecutionId: () => executionId ?? undefined,
			getMode: () => mode,
			getNode: () => ({ id: nodeId }),
			getWorkflow: () => ({ id: 'w' }),
			getExecutionContext: () => ({ establishedAt: startedAt, triggerNode: { name: 'Start' } }),
			getWorkflowDataProxy: () => ({
				$items: () => (items ?? [{ id: 1 }]).map((json) => ({ json })),
			}),
			logger: { warn: (text: string) => this.warnings.push(text) },
			helpers: {
				checkProcessedAndRecord: async (
					marks: string[],
					scope: string,
					options: ICheckProcessedOptions,
				) => {
					this.calls.push([marks, scope, options]);
					await this.gate;
					const fails = this.failures > 0;
					if (fails) this.failures -= 1;
					const processed = marks.filter((mark) => this.marks.includes(mark));
					if (!fails || this.failsAfterStoring) this.marks.push(...marks);
					if (fails) throw new Error('The database is gone');
					return { new: marks, processed };
				},
				removeProcessed: async (marks: string[]) => {
					for (const mark of marks) this.marks.splice(this.marks.indexOf(mark), 1);
				},
			},
		});
	}
}

const FIX =
	'Find out what was executed (wait for the events, or ask the provider), and start a new execution for the rest. With a key of your own from the start, such as an order number, a retry is safe as long as the service remembers the key.';
const CUT_OFF = {
	message:
		'Idempotency Key is not set, and this retries an execution that seems to have been cut off while it was sending',
	fix: FIX,
	outcome: 'unknown',
};

it('notes once per execution that writes begin', async () => {
	const notes = new Notes();
	const guard = createCrashGuard();
	const memory: ExecutionMemory = {};
	expect(await guard(notes.n8n(), memory, 'derived', 0)).toBeUndefined();
	expect(await guard(notes.n8n(), memory, 'derived', 0)).toBeUndefined();
	// By this very mark, or an update between a crash and the retry would let the retry send everything again.
	expect(notes.calls).toEqual([
		[['1000-bb41eeeedb7789a3'], 'node', { mode: 'entries', maxEntries: 20_000 }],
	]);
	expect(memory).toEqual({ start: '1000-bb41eeeedb7789a3', noted: ['w/n/1000-bb41eeeedb7789a3'] });
});

it('notes each round of a loop of writes that carry no key', async () => {
	const notes = new Notes();
	const guard = createCrashGuard();
	const memory: ExecutionMemory = {};
	for (const round of [0, 0, 1]) {
		expect(await guard(notes.n8n(), memory, 'none', round)).toBeUndefined();
	}
	expect(notes.marks).toEqual([
		expect.stringMatching(/^1000-[0-9a-f]{16}$/),
		expect.stringMatching(/^1000-[0-9a-f]{16}-0$/),
		expect.stringMatching(/^1000-[0-9a-f]{16}-1$/),
	]);
	// Of the second round only the memory of the first was saved.
	const saved: ExecutionMemory = { noted: memory.noted?.slice(0, 2) };
	expect(await guard(notes.n8n({ mode: 'retry' }), saved, 'none', 1)).toMatchObject(CUT_OFF);
});

it('refuses the retry of a crashed loop whose rounds n8n counts from another number', async () => {
	const notes = new Notes();
	const guard = createCrashGuard();
	await guard(notes.n8n(), {}, 'none', 0);
	expect(await guard(notes.n8n({ mode: 'retry' }), {}, 'none', 1)).toMatchObject(CUT_OFF);
});

it('notes each node of an execution, though an agent has them share a memory', async () => {
	const notes = new Notes();
	const memory: ExecutionMemory = {};
	const guard = createCrashGuard();
	await guard(notes.n8n({ nodeId: 'freeze' }), memory, 'derived', 0);
	await guard(notes.n8n({ nodeId: 'unfreeze' }), memory, 'derived', 0);
	expect(notes.calls).toHaveLength(2);
});

it('notes nothing without an execution', async () => {
	const notes = new Notes();
	expect(
		await createCrashGuard()(notes.n8n({ executionId: null }), {}, 'derived', 0),
	).toBeUndefined();
	expect(notes.calls).toEqual([]);
});

it('refuses the retry of an execution that had begun and forgotten it', async () => {
	const notes = new Notes();
	await createCrashGuard()(notes.n8n(), {}, 'derived', 0);
	const memory: ExecutionMemory = {};
	const refusal = await createCrashGuard()(
		notes.n8n({ mode: 'retry', executionId: '8' }),
		memory,
		'derived',
		0,
	);
	expect(refusal).toMatchObject(CUT_OFF);
	expect(memory.noted).toEqual([]);
});

it('lets the retry of one that remembers, or had not begun, go on', async () => {
	const notes = new Notes();
	const guard = createCrashGuard();
	const memory: ExecutionMemory = {};
	await guard(notes.n8n(), memory, 'derived', 0);
	expect(await guard(notes.n8n({ mode: 'retry' }), memory, 'derived', 0)).toBeUndefined();
	const fresh: ExecutionMemory = {};
	expect(
		await guard(notes.n8n({ mode: 'retry', startedAt: 2_000 }), fresh, 'derived', 0),
	).toBeUndefined();
	expect(fresh.noted).toHaveLength(1);
});

describe('with keys of the user', () => {
	it('notes nothing, and lets a retry go on, however often', async () => {
		const notes = new Notes();
		const guard = createCrashGuard();
		expect(await guard(notes.n8n(), {}, 'own', 0)).toBeUndefined();
		expect(notes.calls).toEqual([]);
		expect(await guard(notes.n8n({ mode: 'retry' }), {}, 'own', 0)).toBeUndefined();
		expect(await guard(notes.n8n({ mode: 'retry' }), {}, 'own', 0)).toBeUndefined();
		expect(notes.marks).toEqual([]);
	});

	it('refuses the retry of a crashed execution that had begun with derived keys', async () => {
		const notes = new Notes();
		await createCrashGuard()(notes.n8n(), {}, 'derived', 0);
		for (const _retry of [1, 2]) {
			const refusal = await createCrashGuard()(notes.n8n({ mode: 'retry' }), {}, 'own', 0);
			expect(refusal).toMatchObject({
				message:
					'Idempotency Key is set now, and was not when the execution that this retries was cut off while it was sending',
				fix: 'Find out what was executed (wait for the events, or ask the provider), and start a new execution for the rest.',
				outcome: 'unknown',
			});
		}
	});

	it('lets the retry of an execution that remembers what it has sent go on', async () => {
		const notes = new Notes();
		const memory: ExecutionMemory = {};
		await createCrashGuard()(notes.n8n(), memory, 'derived', 0);
		const retry = notes.n8n({ mode: 'retry' });
		expect(await createCrashGuard()(retry, memory, 'own', 0)).toBeUndefined();
	});

	it('lets a retry go on while the database fails', async () => {
		const notes = new Notes();
		notes.failures = 2;
		expect(await createCrashGuard()(notes.n8n({ mode: 'retry' }), {}, 'own', 0)).toBeUndefined();
	});
});

it('tells executions of the same millisecond apart by what started them', async () => {
	const notes = new Notes();
	const guard = createCrashGuard();
	await guard(notes.n8n({ items: [{ id: 1 }] }), {}, 'derived', 0);
	const other: Run = { mode: 'retry', items: [{ id: 2 }] };
	expect(await guard(notes.n8n(other), {}, 'derived', 0)).toBeUndefined();
	expect(await guard(notes.n8n(other), {}, 'derived', 0)).toMatchObject(CUT_OFF);
});

describe('when the database fails', () => {
	it('lets a first execution go on with a warning, and notes it at the next write', async () => {
		const notes = new Notes();
		notes.failures = 2;
		const guard = createCrashGuard();
		const memory: ExecutionMemory = {};
		expect(await guard(notes.n8n(), memory, 'derived', 0)).toBeUndefined();
		expect(memory.noted).toEqual([]);
		expect(notes.warnings).toEqual([
			'The note of begun writes could not be stored: after a crash of n8n, do not retry this execution.',
		]);
		await guard(notes.n8n(), memory, 'derived', 0);
		expect(memory.noted).toHaveLength(1);
		expect(notes.calls).toHaveLength(3);
	});

	it('refuses a retry, because nobody knows whether the first had begun', async () => {
		const notes = new Notes();
		notes.failures = 2;
		expect(await createCrashGuard()(notes.n8n({ mode: 'retry' }), {}, 'derived', 0)).toMatchObject({
			message:
				"Idempotency Key is not set, and n8n's database could not say whether the execution being retried had begun to send",
			fix: FIX,
			outcome: 'unknown',
		});
	});

	it('once, tries again; a mark stored by the failed attempt is its own', async () => {
		const notes = new Notes();
		notes.failures = 1;
		notes.failsAfterStoring = true;
		const memory: ExecutionMemory = {};
		expect(await createCrashGuard()(notes.n8n(), memory, 'derived', 0)).toBeUndefined();
		expect(memory.noted).toHaveLength(1);
		expect(notes.warnings).toEqual([]);
	});

	it('once, refuses a retry whose mark is there', async () => {
		const notes = new Notes();
		await createCrashGuard()(notes.n8n(), {}, 'derived', 0);
		notes.failures = 1;
		const refusal = await createCrashGuard()(notes.n8n({ mode: 'retry' }), {}, 'derived', 0);
		expect(refusal).toMatchObject(CUT_OFF);
	});
});

it('notes one execution of a node after the other, and other nodes at the same time', async () => {
	const notes = new Notes();
	let open = () => {};
	notes.gate = new Promise((resolve) => (open = resolve));
	const guard = createCrashGuard();
	const running = [
		guard(notes.n8n({ startedAt: 1 }), {}, 'derived', 0),
		guard(notes.n8n({ startedAt: 2 }), {}, 'derived', 0),
		guard(notes.n8n({ startedAt: 3, nodeId: 'other' }), {}, 'derived', 0),
	];
	await new Promise((resolve) => setImmediate(resolve));
	expect(notes.calls.map(([[mark]]) => mark?.split('-')[0])).toEqual(['1', '3']);
	open();
	expect(await Promise.all(running)).toEqual([undefined, undefined, undefined]);
	expect(notes.calls).toHaveLength(3);
});
