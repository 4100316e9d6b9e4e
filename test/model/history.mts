/**
 * A history: the world it happens in, and what people, n8n and the service do in it, in order. Plain data, in which every
 * field may be left out, so that a shorter history is one with something deleted, and a found one can be kept as it is.
 */
export interface History {
	world: WorldSettings;
	commands: Command[];
}

export interface WorldSettings {
	/** Nodes of the workflow, one or two in a row; the agent's tools if `agent` is set. */
	nodes?: Setup[];
	agent?: boolean;
	/** n8n stores the execution after each node: Save Execution Progress, or a Wait behind it. */
	savesProgress?: boolean;
	/** A parent workflow calls it: its *Retry* is a new start with the same rows. */
	isCalled?: boolean;
	/** After a crash the rows come in another order. */
	shifts?: boolean;
	/** Hours for which the service remembers a key; without it, always. */
	windowHours?: number;
	/** *Idempotency Window* in the credential; empty if left out. */
	promisedHours?: number;
	/** The service keeps a rejection under its key. */
	keepsRejections?: boolean;
	/** Notes that n8n keeps per node, so that the oldest are evicted. */
	bound?: number;
}

export type Kind = 'transfer' | 'sweep' | 'request' | 'keyed request';

/**
 * Source of the reference. `data`: one per row · `shared`: two rows share one · `anew`: an upstream node makes it, and makes
 * another one whenever it runs again · `day`: Once per Day
 */
export type Naming = 'data' | 'shared' | 'anew' | 'day';

/** A node as the workflow has it: its parameters and its settings. */
export interface Setup {
	kind?: Kind;
	naming?: Naming;
	/** Corrections, made in the node: another reference, a larger amount, a repaired address. */
	referenceVersion?: number;
	amountPlus?: number;
	repaired?: boolean;
	/** The only item that the corrections concern. */
	only?: number;
	/** Number of the copy that replaced the node: other id, same name. */
	copied?: number;
	continueOnFail?: boolean;
	/** Retry On Fail: how often the node is run at most. */
	tries?: number;
	dryRun?: boolean;
	maximumAmount?: number;
	maximumTotal?: number;
	maximumTransfers?: number;
	onlyInEnvironment?: 'sandbox' | 'production';
	/** Maximum Attempts within the node. */
	attempts?: number;
}

/** One input row, or one call of an agent. Rows with the same number are the same wallet and recipient. */
export interface Row {
	row?: number;
	amount?: number;
	/** Its recipient is no address. */
	bad?: boolean;
	/** The agent's tool, and the reference that the agent fills in. */
	tool?: number;
	reference?: number;
}

/** Failure of a request. */
export interface Fault {
	/** Number of the request in the command, from 0. */
	at?: number;
	/** Number of requests in a row. */
	times?: number;
	kind?: 'lost' | 'timeout' | 'late' | 'refused' | '500' | '503' | '429' | '404' | '302' | 'FAILED';
	/** The service executed it first. `late`: 20 minutes afterwards in any case. */
	after?: boolean;
}

/** A call that the node makes, counted from 0. */
export interface Moment {
	at?: number;
	/** The call takes effect first. */
	after?: boolean;
}

/** Calls to n8n's database that fail. */
export interface DatabaseFault extends Moment {
	times?: number;
	/** No reply at all, or a late one. */
	silence?: 'hangs' | 'slow';
}

/** What goes wrong while an execution runs. */
export interface Happenings {
	faults?: Fault[];
	/** n8n is killed. */
	crash?: Moment;
	/** Somebody presses Stop. */
	stop?: Moment;
	notes?: DatabaseFault[];
	/** The credential cannot be read. */
	noCredential?: boolean;
	/** The credential is edited when so many calls have been made. */
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
			/** Loop iterations, each with these rows and other row numbers. */
			rounds?: number;
			/** Takes the rows of an earlier execution, counted from the newest. */
			again?: number;
			/** *Execute step* in the editor, with the data of that execution. */
			step?: boolean;
			/** The agent makes its calls at once. */
			atOnce?: boolean;
	  } & Happenings)
	| ({
			do: 'retry';
			/** Which of the executions that n8n offers a retry of, the newest first. */
			of?: number;
			/** With the workflow as it is saved now. */
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
