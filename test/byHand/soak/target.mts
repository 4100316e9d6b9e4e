import type { Database } from '../../harness/database/database.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';

/**
 * Period in which something was down, from its end until everything was ready again, on the clock of
 * `performance.now()`.
 */
export interface Outage {
	what: string;
	from: number;
	to: number;
}

/** n8n under test: one process on SQLite, or queue mode. */
export interface Target {
	/** Current access; the address never changes. */
	n8n(): N8nAccess;
	/** Base URL that deliveries are sent to, if it is not n8n's own. */
	deliverTo?: string;
	/** True if one process receives all deliveries, and so knows every repetition as long as it lives. */
	oneProcess: boolean;
	/** Kills to perform in turn while deliveries arrive. Each resolves after the restart. */
	kills: ReadonlyArray<{ what: string; run(): Promise<void> }>;
	/** Kills the process that runs executions and resolves after its restart. */
	killExecuting(): Promise<void>;
	/** Lets n8n look for executions without a process. */
	recover(): Promise<void>;
	/** Number of times n8n ended while it was being started; undefined if the supervisor does not count. */
	failedStarts(): number | undefined;
	/** Status that n8n gives to a cut-off execution. */
	cutOffStatus: 'crashed' | 'error';
	/** Longest time in milliseconds until n8n sets that status. */
	noticesWithinMs: number;
	/** Resident memory per process, in bytes. */
	memory(): Record<string, number>;
	openDatabase(): Promise<Database>;
	close(): Promise<void>;
}

/** Every execution counts as evidence, so none may be pruned (n8n keeps 10,000 by default). */
export const SOAK_ENV = {
	EXECUTIONS_DATA_PRUNE: 'false',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
};
