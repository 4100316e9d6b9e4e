import type { WorkflowHarness } from '../workflowHarness.mts';

type Tables = Record<string, object[]>;

/** What a workflow is started with, what people answer, and what must come of it. */
export interface Situation {
	tables?: Tables | ((harness: WorkflowHarness) => Promise<Tables>);
	given?(harness: WorkflowHarness): void;
	/** Event, input of the caller, or what a client sends. */
	event?: object;
	press?: string;
	/** One pattern for each message, in any order, for `said`. */
	told?: RegExp[];
	/** Amounts of transfers, other operations, recipients of mails, and subjects of mails to operations, in any order. */
	done?: string[];
	/** Text of the last page that a client sees, if it is not the one after a success. */
	page?: string;
	/** Fields of the rows that a table has at the end. */
	rows?: Record<string, object[]>;
	/** Nodes that the usual situation does not reach. */
	nodes?: string[];
}

export interface Case {
	file: string;
	/** The first one is the usual one. */
	situations: Record<string, Situation>;
}
