import type { InvalidFieldError } from '../../shared/fields/invalidField';
import type { ServiceOperation } from '../operations/operation';
import type { Work } from '../operations/work';
import type { Client } from '../request/client';
import type { Failure, Outcome } from '../request/errors';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { RequestGroup } from '../request/rateLimiter';
import type { Journal, JournalEntry } from './journal';

/** Result of an item. `unsent`: the run ended before the item's turn. */
export type Result = { outcome: Outcome; attempts: number } & (
	| {
			kind: 'done';
			items: JsonObject[];
			/** Received files as `storeFile` returned them, by name of the binary field. */
			files?: Record<string, unknown>;
			traceId?: string | null;
			/** Text that shows what a reply has, because the filters match nothing of it. */
			unmatched?: string;
	  }
	/** `subject`: fields that identify the write, shown in the failed item under Continue On Fail. */
	| { kind: 'failed'; failure: Failure; subject?: JsonObject }
	| { kind: 'unsent' }
);

/** Request of one item, ready to be sent. */
export interface Prepared extends Work {
	/** Key of the item's journal entry. */
	place: string;
	/** Idempotency key of the request. Absent for reads and unkeyed writes. */
	key?: string;
}

/** Step 1: item as read. */
export interface Read {
	index: number;
	input?: InputItem;
	/** Absent if a field could not be read. */
	work?: Prepared;
	/** Journal entry that an earlier run of this execution wrote for this item. */
	earlier?: JournalEntry;
}

/** Step 2: item whose fields, guards and limits allow a request. */
export interface Checked extends Read {
	work: Prepared;
}

/** Step 3: item that journal and payment memory let pass. A write is reserved in the journal. */
export interface Permitted extends Checked {
	/** False if an earlier run may have executed the write. */
	isFirst: boolean;
	/** Journal entry that the reservation replaced. */
	before?: JournalEntry;
	/** Names of the notes. Absent if the write is not remembered. */
	notes?: NoteNames;
}

/** Step 4: item with its answer. */
export interface Sent extends Permitted {
	result: Result;
	/** Outcome of this request alone: `not_sent`, even if an earlier request of the item may be open. */
	outcomeNow: Outcome;
}

/** Step 5: item after the run. */
export interface EndedRow extends Read {
	result: Result;
	/** Journal entry after the run. */
	record?: JournalEntry;
	/** Texts of a check that name a write with these fields in its summary, and that no output has. */
	names?(told: JsonObject): JsonObject;
}

/**
 * Names of the notes of a write. A note is a hash in n8n's database by which later runs recognize the write.
 * - `ref`: the reference was sent, or is being looked up
 * - `open`: outcome unknown, or FAILED
 * - `paid`: accepted with these values
 * - `part`: this execution has sent something of this part
 */
export interface NoteNames {
	ref: string;
	open: string;
	paid: string;
	/** Absent if the start of the execution is unknown. */
	part?: string;
}

/** Service at one address with one credential. */
export interface Service {
	client: Client;
	/** Host of the Base URL. Each target has its own payment memory. */
	target: string;
	/** Hash of host and API key. */
	credential: string;
	/** Idempotency Window in milliseconds. Undefined if the user left the window empty. */
	windowMs?: number;
	environment: Caller['environment'];
	/** Reason why the credential cannot be used. Nothing is sent. */
	problem?: InvalidFieldError;
}

/** Service of a credential that cannot be used. The client sends nothing. */
export const unusable = (problem: InvalidFieldError): Service => ({
	client: { send: async () => ({ kind: 'stopped' }) },
	target: '',
	credential: '',
	environment: 'sandbox',
	problem,
});

/** Access to the notes of one node. n8n offers no lookup that does not also record. No function throws. */
export interface Notes {
	/**
	 * Locks a note against other runs of the node in this process.
	 * @returns false if another run holds the lock
	 */
	lock(note: string): boolean;
	/** Releases all locks of this run. */
	unlock(): void;
	/**
	 * Looks up notes and records the missing ones.
	 * @returns the notes that existed before, or undefined if the database fails
	 */
	lookUpAndRecord(notes: string[]): Promise<Set<string> | undefined>;
	/**
	 * Records notes, whether or not they exist.
	 * @returns false if the database fails
	 */
	record(notes: string[]): Promise<boolean>;
	/**
	 * Removes notes.
	 * @returns false if the database fails
	 */
	remove(notes: string[]): Promise<boolean>;
	/** Number of notes of the node. Undefined if n8n does not tell. */
	count(): Promise<number | undefined>;
}

/** Parts in which a batch is recorded, sent and settled. */
export interface PartSettings {
	/** Items of a part, counted by position. A retry must use the same size, because the notes contain the number. */
	size: number;
	/** Maximum number of parts that are recorded and not settled. */
	unsettled: number;
}

export const PARTS: PartSettings = { size: 10, unsettled: 8 };

export interface Batch {
	operation: ServiceOperation;
	/** Number of input items. */
	count: number;
	readItem(index: number): Promise<InputItem>;
	caller: Caller;
	journal: Journal;
	/** ID of the node, which owns the notes. */
	node: string;
	/** Notes of this node. Without notes, only the idempotency key prevents a duplicate. */
	notes?: Notes;
	parts: PartSettings;
	service: Service;
	group: RequestGroup;
	/** True for a manual retry of an earlier execution. */
	isRetry: boolean;
	/** True if a failed item does not stop the others (On Error → Continue). */
	continueOnFail: boolean;
	/** How the user can re-send a payment whose outcome is unknown. Undefined if a re-send is impossible. */
	resend?: 'retry' | 'call';
	/** Current time in epoch milliseconds. */
	now(): number;
	/** Yields to the event loop if this run has blocked the process for too long. */
	pause(): Promise<void>;
	/** Stores a received file in n8n's file storage. */
	storeFile(bytes: Buffer, fileName: string, mimeType: string): Promise<unknown>;
	/** Shows a hint in the output panel. */
	hint(message: string): void;
}

/**
 * True while the Idempotency Window lasts, counted from the start of the execution. A re-send within the window is
 * safe.
 */
export function isInWindow({ service: { windowMs }, caller: { startedAt }, now }: Batch): boolean {
	return windowMs !== undefined && startedAt !== undefined && now() - startedAt < windowMs;
}

/** Outcome that the journal holds for an item that this run does not send. */
export const knownOutcome = ({ earlier }: Read): Outcome => earlier?.outcome ?? 'not_sent';

export const isWrite = ({ profile }: Work): boolean => profile.effect !== 'read';

export const needsRequest = ({ dryRun, nothingToSend }: Work): boolean =>
	!dryRun && nothingToSend === undefined;

/** True if the node's notes recognize the write in later executions. Other writes set a value, and may be repeated. */
export const isRemembered = ({ payment, profile }: Work): boolean =>
	profile.effect !== 'read' && (payment !== undefined || profile.effect === 'unkeyed write');
