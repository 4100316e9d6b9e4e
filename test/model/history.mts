/**
 * A history: the world it happens in, and what people, n8n and the service do in it, in order. Plain data, in which every
 * field may be left out, so that a shorter history is one with something deleted, and a found one can be kept as it is.
 */
export interface History {
	world: WorldSettings;
	commands: Command[];
}

export interface WorldSettings {
	/** The workflow: one node, or two in a row; an agent's tools where `agent` is set. */
	nodes?: Setup[];
	agent?: boolean;
	/** n8n stores the execution after each node: Save Execution Progress, or a Wait behind it. */
	savesProgress?: boolean;
	/** It is a sub-workflow that another execution has called. */
	isCalled?: boolean;
	/** How long the service remembers a key, in hours; for ever when it is left out. */
	windowHours?: number;
	/** What the user has entered as Idempotency Window; never more than the service's. */
	promisedHours?: number;
	/** Another request under a key that is remembered is answered with 409, not with the first result. */
	conflicts?: boolean;
	/** A rejection is kept under its key like a result. */
	keepsRejections?: boolean;
}

export type Kind = 'transfer' | 'sweep' | 'freeze' | 'unfreeze' | 'request';

/**
 * The user's own key. `payment`: fixed per item · `day`, `execution`: it holds $today, or the execution's id · `round`: the
 * rounds of a loop share it (the wallet was forgotten) · `node`: both nodes use it · `agent`: the model fills it in.
 */
export type KeyKind = 'payment' | 'day' | 'execution' | 'round' | 'node' | 'agent';

/** A node as the workflow has it: its parameters and its settings. */
export interface Setup {
	kind?: Kind;
	key?: KeyKind;
	/** The key was changed so many times. */
	keyVersion?: number;
	/** Amount or body are made from the clock. */
	fromClock?: boolean;
	/** The amount was changed so many times. */
	valueVersion?: number;
	/** The node was replaced by its copy: other id, same name. */
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

/** What a request meets instead of its answer. */
export interface Fault {
	/** Which request of the command, counted from 0. */
	at?: number;
	/** How many requests in a row. */
	times?: number;
	kind?: 'lost' | 'timeout' | 'refused' | '500' | '503' | '429' | '404' | '302';
	/** The service had executed it by then. */
	after?: boolean;
}

/** A call of n8n, or of the service, that the node makes: which, counted from 0, and whether it still took effect. */
export interface Moment {
	at?: number;
	after?: boolean;
}

/** Which notes n8n's database fails at; `after`: it has stored them all the same. */
export interface DatabaseFault extends Moment {
	times?: number;
	/** It does not answer at all. */
	hangs?: boolean;
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
}

/** What an agent asks for. */
export interface Call {
	tool?: number;
	to?: number;
	amount?: number;
	key?: number;
}

export type Command =
	| ({
			do: 'start';
			items?: number;
			rounds?: number;
			/** With the same items as the execution before. */
			again?: boolean;
			/** All items sweep one wallet. */
			oneWallet?: boolean;
			calls?: Call[];
			/** The agent makes its calls at once. */
			together?: boolean;
			/** The agent itself fails after its calls. */
			agentFails?: boolean;
	  } & Happenings)
	| ({
			do: 'retry';
			/** Which of the executions that n8n offers a retry of, the newest first. */
			of?: number;
			/** With the workflow as it is saved now. */
			saved?: boolean;
			/** Retry is pressed twice at once. */
			twice?: boolean;
			agentFails?: boolean;
	  } & Happenings)
	| { do: 'edit'; node?: number; change: { [Name in keyof Setup]?: Setup[Name] | null } }
	| { do: 'credential'; target?: number }
	| { do: 'wait'; minutes?: number }
	| { do: 'restart' }
	| ({ do: 'mcp'; call?: Call } & Happenings);
