import type { ExecutionData } from './fakeN8n.mts';
import type { Call, Setup } from './history.mts';
import type { Item } from './parameters.mts';

/** What an execution was started with. */
export interface Plan {
	steps: Array<{ node: number; items: Item[] }>;
	/** An agent makes them one after the other, or at once. */
	isAgent: boolean;
	together: boolean;
}

export type Status = 'running' | 'success' | 'failed' | 'crashed' | 'stopped';

/** One execution in n8n's list. */
export class Execution {
	status: Status = 'running';
	/** n8n's stored copy of its data: what a retry begins with. */
	stored = '';
	/** How often a retry of it was started. */
	retries = 0;
	/** n8n offers no retry any more once one was successful. */
	retried = false;
	/** The first one, whose work this continues. */
	readonly root: Execution;
	/** This one, and all that it continues. */
	readonly lineage: Execution[];
	/** Whether n8n itself or the credential was in trouble while it ran. */
	hasTrouble = false;

	constructor(
		readonly id: string,
		readonly data: ExecutionData,
		readonly plan: Plan,
		/** The workflow that it runs. */
		readonly workflow: Setup[],
		readonly parent?: Execution,
	) {
		this.root = parent?.root ?? this;
		this.lineage = [...(parent?.lineage ?? []), this];
		// n8n stores the call of a sub-workflow before it has a context (2.41).
		const isCall = parent === undefined && data.parentExecutionId !== undefined;
		this.stored = JSON.stringify(
			isCall ? { ...data, establishedAt: undefined, source: undefined } : data,
		);
	}

	get isRetriable(): boolean {
		return (this.status === 'failed' || this.status === 'crashed') && !this.retried;
	}

	continues(other: Execution): boolean {
		return this.lineage.includes(other);
	}
}

/** The items of a workflow with one node or two: each round of a loop through the first, then the second. */
export function planOf(
	workflow: Setup[],
	{
		items,
		rounds,
		batch,
		oneWallet,
	}: {
		items: number;
		rounds: number;
		batch: number;
		oneWallet: boolean;
	},
): Plan {
	const round = (node: number, number: number) => ({
		node,
		items: Array.from({ length: items }, (_, index): Item => {
			const tag = `b${batch}r${number}i${index}`;
			const wallet = oneWallet ? `wallet-b${batch}` : `wallet-${tag}`;
			return { tag, batch, round: number, index, wallet, amount: index + 1 };
		}),
	});
	const steps = Array.from({ length: rounds }, (_, number) => round(0, number));
	if (workflow.length > 1) steps.push(round(1, 0));
	return { steps, isAgent: false, together: false };
}

/** An agent's calls, each a run of its tool with one item. */
export function planOfCalls(calls: Call[], itemOf: (call: Call) => Item, together: boolean): Plan {
	const steps = calls.map((call) => ({ node: call.tool ?? 0, items: [itemOf(call)] }));
	return { steps, isAgent: true, together };
}
