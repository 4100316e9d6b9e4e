import type { Database } from '../../harness/database/database.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';

/** When something was down, on the clock of `performance.now()`: from its end until everything was ready again. */
export interface Outage {
	what: string;
	from: number;
	to: number;
}

/** The n8n that is soaked: one process on SQLite, or queue mode. */
export interface Target {
	/** As it can be reached now; the address stays the same. */
	n8n(): N8nAccess;
	/** Whether one process takes all deliveries in, and so knows every repetition as long as it lives. */
	oneProcess: boolean;
	/** What is killed while deliveries come in, one after the other; each is started again before it resolves. */
	kills: ReadonlyArray<{ what: string; run(): Promise<void> }>;
	/** Kills what runs executions, in the middle of them; what was killed is started again before it resolves. */
	killExecuting(): Promise<void>;
	/** Has n8n look for executions of which nobody knows any more. */
	recover(): Promise<void>;
	/** How often n8n has ended by itself while it was started again; undefined where whatever supervises it does not count. */
	failedStarts(): number | undefined;
	/** How n8n marks an execution that was cut off so. */
	cutOffStatus: 'crashed' | 'error';
	/** How long it can take until n8n has marked an execution that was cut off, in milliseconds. */
	noticesWithinMs: number;
	/** Resident memory per process, in bytes. */
	memory(): Record<string, number>;
	openDatabase(): Promise<Database>;
	close(): Promise<void>;
}

/** Every execution is a witness, so none may be pruned (n8n keeps 10,000 by default). */
export const SOAK_ENV = {
	EXECUTIONS_DATA_PRUNE: 'false',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
};
