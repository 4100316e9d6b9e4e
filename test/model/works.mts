import { movesMoney } from './evidence.mts';
import type { Execution } from './execution.mts';
import type { NodeRun } from './fakeN8n.mts';
import { ownKey, type Item } from './parameters.mts';

/** Names the piece of work that each item stands for, across tries, retries and crashes. */
export class Works {
	/** By execution and item: an agent's equal state change after a definite answer is new work. */
	private readonly answers = new Map<string, number>();

	/** A node's work is its item, whatever the item's fields give now; an agent's is its key, or what it asks for: a transfer, by any of its tools. */
	nameOf(execution: Execution, run: NodeRun, item: Item, date: number): string {
		const { id } = execution.root;
		if (!run.isTool) return `${id}/${run.nodeName}/${item.tag}`;
		const { kind = 'transfer', valueVersion = 0 } = run.setup;
		const key = ownKey(run.setup, item, { ...run, date });
		const value = kind.endsWith('freeze') ? '' : `/${item.amount + valueVersion}`;
		// Of what may be repeated after an answer nobody can tell which tool's call was lost in a crash: notes are the tool's.
		const asked = movesMoney(run) ? id : `${id}/${run.nodeName}`;
		const equal = key === undefined ? `${asked}/${item.tag}/${kind}${value}` : `${id}/${key}`;
		if (movesMoney(run) || key !== undefined) return equal;
		const answers = execution.lineage.map((each) => this.answers.get(stateOf(each, item)) ?? 0);
		return `${equal}/${answers.reduce((sum, count) => sum + count, 0)}`;
	}

	/** The agent was told what became of its call. */
	answered(execution: Execution, run: NodeRun): void {
		const [item] = run.items;
		if (!run.isTool || movesMoney(run) || item === undefined) return;
		const state = stateOf(execution, item);
		this.answers.set(state, (this.answers.get(state) ?? 0) + 1);
	}
}

/** Freeze and unfreeze change the same state. */
const stateOf = (execution: Execution, item: Item) => `${execution.id}/${item.tag}`;
