import { asInvalid, type Failure, type Outcome } from '../request/errors';
import {
	isWrite,
	knownOutcome,
	type Batch,
	type Checked,
	type EndedRow,
	type Read,
	type Result,
} from './batch';

/** Items of a run and their results. Each step sets the results of the items that it does not pass on. */
export class Run {
	readonly items: Read[];
	private readonly results = new Map<number, Result>();
	private readonly wakeUps: Array<() => void> = [];
	/** Names from a check that all items share. An item that could not be read has them too. */
	names: EndedRow['names'];
	/** True once a retry has found that the references of this execution were made anew. */
	isChanged = false;
	/** True once a failed item has stopped the requests of this run. */
	isHalted = false;

	constructor(readonly batch: Batch) {
		this.items = Array.from({ length: batch.count }, (_, index) => ({ index }));
	}

	result({ index }: Read): Result | undefined {
		return this.results.get(index);
	}

	end({ index }: Read, result: Result): void {
		this.results.set(index, result);
		this.changed();
	}

	fail(item: Read, failure: Failure, outcome: Outcome = knownOutcome(item), attempts = 0): void {
		this.end(item, { kind: 'failed', failure, outcome, attempts });
	}

	get failed(): Array<{ item: Read; failure: Failure }> {
		return this.items.flatMap((item) => {
			const result = this.result(item);
			return result?.kind === 'failed' ? [{ item, failure: result.failure }] : [];
		});
	}

	/** True if a failed item ends the run, because Continue On Fail is off. */
	get isOver(): boolean {
		if (this.batch.continueOnFail) return false;
		for (const { kind } of this.results.values()) if (kind === 'failed') return true;
		return false;
	}

	/** True if no further part may be recorded. A retry looks up all parts, so that it can report what was sent. */
	get isEnded(): boolean {
		const { group, isRetry } = this.batch;
		return (group.stopped && !this.isHalted) || (this.isOver && !isRetry);
	}

	/** Stops the requests that have not started, after an item has failed. */
	halt(): void {
		this.isHalted = true;
		this.batch.group.halt();
	}

	/** Items that were read and have no result yet. */
	get pending(): Checked[] {
		return this.items.flatMap((item) =>
			item.work && !this.result(item) ? [{ ...item, work: item.work }] : [],
		);
	}

	/** Reports a change to `until`. */
	changed(): void {
		for (const wakeUp of this.wakeUps.splice(0)) wakeUp();
	}

	async until(condition: () => boolean): Promise<void> {
		while (!condition()) await new Promise<void>((resolve) => this.wakeUps.push(resolve));
	}

	/** Fails the items without a result. A throw is a defect in this package. */
	failRest(thrown: unknown, items: Read[] = this.items): void {
		for (const item of items) {
			if (this.result(item)) continue;
			this.fail(item, asInvalid(thrown), this.recordOf(item)?.outcome ?? knownOutcome(item));
		}
	}

	ended(): EndedRow[] {
		return this.items.map((item) => ({
			...item,
			names: this.names,
			result: this.result(item) ?? unsent(item),
			record: this.recordOf(item),
		}));
	}

	/** Journal entry of the item. Undefined for a read, or for a write that this execution has not sent. */
	private recordOf({ index, work, earlier }: Read) {
		const { journal, caller, operation } = this.batch;
		if (operation.effect === 'read' || (work && !isWrite(work))) return undefined;
		if (work) return journal.find(work.place) ?? earlier;
		return caller.isTool ? undefined : journal.find(journal.itemPlace(index));
	}
}

/** Result of an item that the run did not reach. */
export const unsent = (item: Read): Result => ({
	kind: 'unsent',
	attempts: 0,
	outcome: knownOutcome(item),
});
