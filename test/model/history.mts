/**
 * History: a world, and the actions of users, n8n and the service in it, in order. Plain data whose fields are all
 * optional, so that a history is shortened by deleting parts, and a found one is stored unchanged.
 */
export interface History {
	world: WorldSettings;
	commands: Command[];
}

export interface WorldSettings {
	/** Nodes of the workflow, one or two in a row; the agent's tools if `agent` is set. */
	nodes?: Setup[];
	agent?: boolean;
	/** n8n stores the execution after each node (Save Execution Progress, or a Wait after it). */
	savesProgress?: boolean;
	/** A parent workflow calls it. Its *Retry* is a new start with the same rows. */
	isCalled?: boolean;
	/** Rows have another order after a crash. */
	shifts?: boolean;
	/** Hours for which the service remembers a key; without limit if left out. */
	windowHours?: number;
	/** *Idempotency Window* in the credential; empty if left out. */
	promisedHours?: number;
	/** The service keeps a rejection under its key. */
	keepsRejections?: boolean;
	/** Maximum number of notes that n8n keeps per node. The oldest are evicted. */
	bound?: number;
	/** Size of a part, and the number of parts that may be recorded and not settled. */
	partSize?: number;
	partsInFlight?: number;
	/** The service remembers idempotency keys per API key, not per company. */
	keysPerApiKey?: boolean;
	/** Two n8n processes share the database, and overwrite each other's rows. */
	twoProcesses?: boolean;
}

export type Kind = 'transfer' | 'sweep' | 'request' | 'keyed request';

/**
 * Source of the reference. `data`: one per row · `shared`: one for two rows · `anew`: created by an upstream node,
 * different on each run · `everyTry`: created by the node's own expression, different on each try · `oddEveryTry`: only those of the odd rows ·
 * `day`: Once per Day
 */
export type Naming = 'data' | 'shared' | 'anew' | 'everyTry' | 'oddEveryTry' | 'day';

/** Parameters and settings of a node. */
export interface Setup {
	kind?: Kind;
	naming?: Naming;
	/** Corrections by the user: another reference, a larger amount, a repaired address. */
	referenceVersion?: number;
	amountPlus?: number;
	repaired?: boolean;
	/** Only item to correct; all if left out. */
	only?: number;
	/** Number of the copy that replaced the node, with another ID and the same name. */
	copied?: number;
	continueOnFail?: boolean;
	/** Maximum number of tries with Retry On Fail. */
	tries?: number;
	dryRun?: boolean;
	maximumAmount?: number;
	maximumTotal?: number;
	maximumTransfers?: number;
	onlyInEnvironment?: 'sandbox' | 'production';
	/** *Maximum Attempts* of the node. */
	attempts?: number;
}

/** Input row, or call of an agent. Rows with the same number have the same wallet and recipient. */
export interface Row {
	row?: number;
	amount?: number;
	/** True if the recipient is not an address. */
	bad?: boolean;
	/** The agent's tool, and the reference that the agent fills in. */
	tool?: number;
	/** Milliseconds until the call, if the agent makes its calls at once. */
	after?: number;
	reference?: number;
}

/** Failure of a request. */
export interface Fault {
	/** Number of the request in the command, from 0. */
	at?: number;
	/** Number of consecutive requests. */
	times?: number;
	kind?: 'lost' | 'timeout' | 'late' | 'refused' | '500' | '503' | '429' | '404' | '302' | 'FAILED';
	/** True if the service executes the request first. `late` always executes it 20 minutes later. */
	after?: boolean;
}

/** Call of the node, counted from 0. */
export interface Moment {
	at?: number;
	/** True if the call takes effect first. */
	after?: boolean;
}

/** Failing calls to n8n's database. */
export interface DatabaseFault extends Moment {
	times?: number;
	/** No reply at all, or a late one. */
	silence?: 'hangs' | 'slow';
}

/** Failures during an execution. */
export interface Happenings {
	/** Process that runs it, if there are two. */
	process?: number;
	faults?: Fault[];
	/** n8n is killed. */
	crash?: Moment;
	/** The user presses Stop. */
	stop?: Moment;
	notes?: DatabaseFault[];
	/** The credential cannot be read. */
	noCredential?: boolean;
	/** The credential is edited before the call with this number. */
	edited?: { at?: number; target?: number };
	/** A node of another package fails before this step. */
	breaksAt?: number;
	/** The agent itself fails after its calls. */
	agentFails?: boolean;
}

export type Run =
	| ({
			do: 'start';
			rows?: Row[];
			/** Number of loop iterations, each with the same rows but other row numbers. */
			rounds?: number;
			/** Uses the rows of an earlier execution, counted from the newest. */
			again?: number;
			/** *Execute step* in the editor, with the data of that execution. */
			step?: boolean;
			/** The agent makes its calls at the same time. */
			atOnce?: boolean;
	  } & Happenings)
	| ({
			do: 'retry';
			/** Index among the executions that n8n offers to retry, newest first. */
			of?: number;
			/** Uses the workflow as it is saved now. */
			saved?: boolean;
	  } & Happenings)
	| ({ do: 'mcp'; row?: Row } & Happenings);

export type Command =
	| Run
	/** Runs at the same time, in one process. */
	| { do: 'together'; runs: Run[] }
	| { do: 'edit'; node?: number; change: { [Name in keyof Setup]?: Setup[Name] | null } }
	| { do: 'credential'; target?: number }
	| { do: 'wait'; minutes?: number }
	| { do: 'restart' };
