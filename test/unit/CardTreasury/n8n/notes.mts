import type { ICheckProcessedOptions, IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import type { Plan } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { createContinueOnce, type Note } from '../../../../nodes/CardTreasury/n8n/continueOnce.ts';
import { createRecordKeys } from '../../../../nodes/shared/recordKeys.ts';

export const HOUR_MS = 3_600_000;

export interface Run {
	mode?: WorkflowExecuteMode;
	executionId?: string | null;
	node?: string;
	workflowId?: string;
	/** What a retry finds it by, also after a crash. */
	origin?: string;
	alias?: string;
	/** Moment in which the execution was first started. */
	start?: number;
	/** What nothing else has, where its record is there. */
	root?: string;
	plan?: Partial<Plan>;
	/** What its data holds of the runs before; a crash loses it. */
	begun?: Note['begun'];
}

/** n8n's database, with the runs that share it. */
export class Database {
	readonly stored: string[] = [];
	readonly calls: Array<[string[], string, ICheckProcessedOptions]> = [];
	/** Epoch milliseconds. */
	now = 1_000 * HOUR_MS;
	/** Of the next writes: those at these numbers, counted from 0, fail. */
	fails: number[] = [];
	/** Whether what fails is stored all the same. */
	failsAfterStoring = false;
	private readonly continueOnce = createContinueOnce(
		createRecordKeys(async () => await new Promise<void>(() => undefined)),
	);

	/** A run begins to write. */
	async begin(run: Run = {}) {
		const { start, origin = `${start ?? 5}`, root = `7@${origin}`, alias, plan, begun = {} } = run;
		const origins = alias === undefined ? [origin] : [origin, alias];
		const note = { origins, root, begun, now: () => this.now, ...(start && { start }) };
		return await this.continueOnce(this.n8n(run), note, { ...PLAN, ...plan });
	}

	async retry(run: Run = {}) {
		return await this.begin({ mode: 'retry', executionId: '8', ...run });
	}

	private n8n(run: Run): IExecuteFunctions {
		const { mode = 'trigger', executionId = '7', node = 'Pay', workflowId = 'w' } = run;
		return Object.assign(Object.create(null), {
			getExecutionId: () => executionId ?? undefined,
			getMode: () => mode,
			getNode: () => ({ id: `id of ${node}`, name: node }),
			getWorkflow: () => ({ id: workflowId }),
			helpers: {
				checkProcessedAndRecord: async (
					keys: string[],
					scope: string,
					options: ICheckProcessedOptions,
				) => {
					const fails = this.fails.includes(this.calls.length);
					this.calls.push([keys, scope, options]);
					await Promise.resolve();
					const there = keys.map((key) => `${node}: ${key}`);
					const fresh = keys.filter((_, index) => !this.stored.includes(there[index]!));
					if (!fails || this.failsAfterStoring) this.stored.push(...there);
					if (fails) throw new Error('The database is gone');
					return { new: fresh, processed: [] };
				},
			},
		});
	}
}

/** Keys that n8n's ID of the execution or the date goes into make another plan each time. */
export const PLAN: Plan = {
	fingerprint: 'plan',
	allKeyed: true,
	allOwn: true,
	windowMs: 24 * HOUR_MS,
};
