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

/**
 * Kind of note. A note is a hash in n8n's database by which later runs recognize a write. All notes of a node are its
 * payment memory.
 * - `place`: position of the item in the execution
 * - `pay`: reference and values
 * - `ref`: reference
 * - `own`: payment, and the execution and credential that sent it
 * - `open`: outcome unknown, or FAILED
 * - `look`: lookup in progress
 */
export type NoteKind = 'place' | 'pay' | 'ref' | 'own' | 'open' | 'look';

/** Permission of the payment memory to send a write. */
export interface Remembered {
	/** False if an earlier run may have executed the write. */
	isFirst: boolean;
	/** Notes of the write by kind. `place` and `own` are absent if the start of the execution is unknown. */
	notes: Partial<Record<NoteKind, string>>;
	/** Notes that this run was the first to record, except `look`. */
	fresh: string[];
}

/** Item during the run. */
export interface Row {
	index: number;
	input?: InputItem;
	work?: Prepared;
	/** Journal entry that an earlier run of this execution wrote for this item. */
	earlier?: JournalEntry;
	/** The payment memory's permission to send the item. */
	remembered?: Remembered;
	/** Notes that this run has recorded and no longer needs. */
	unneeded?: string[];
	/** Reservation in the journal. `before`: the entry that the reservation replaced. */
	reserved?: { before: JournalEntry | undefined };
	result?: Result;
}

/** Item after the run. */
export interface EndedRow extends Row {
	result: Result;
	/** Journal entry after the run. */
	record?: JournalEntry;
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

/** Access to the notes of one node. n8n offers no lookup that does not also record. */
export interface Notes {
	/**
	 * Locks a note against other runs in this process.
	 * @param isShared true for a lock that all nodes of the workflow share
	 * @returns false if another run holds the lock
	 */
	lock(note: string, isShared?: boolean): boolean;
	/** Releases all locks of this run. */
	unlock(): void;
	/**
	 * Looks up notes and records the missing ones. Never throws.
	 * @returns the notes that existed before, or undefined if the database fails
	 */
	lookUpAndRecord(notes: string[]): Promise<Set<string> | undefined>;
	/**
	 * Removes notes. Never throws.
	 * @returns false if the database fails
	 */
	remove(notes: string[]): Promise<boolean>;
}

export interface Batch {
	operation: ServiceOperation;
	/** Number of input items. */
	count: number;
	readItem(index: number): Promise<InputItem>;
	caller: Caller;
	journal: Journal;
	/** Notes of this node. Without notes, only the idempotency key prevents a duplicate. */
	notes?: Notes;
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
}

/**
 * True while the Idempotency Window lasts, counted from the start of the execution. A re-send within the window is
 * safe.
 */
export function isInWindow({ service: { windowMs }, caller: { startedAt }, now }: Batch): boolean {
	return windowMs !== undefined && startedAt !== undefined && now() - startedAt < windowMs;
}

export function fail(row: Row, failure: Failure, outcome: Outcome, attempts = 0): void {
	row.result = { kind: 'failed', failure, outcome, attempts };
}

/** Outcome that the journal holds for an item that this run does not send. */
export const knownOutcome = ({ earlier }: Row): Outcome => earlier?.outcome ?? 'not_sent';

export const hasFailed = ({ result }: Row): boolean => result?.kind === 'failed';

/** True if a failed item ends the run, because Continue On Fail is off. */
export const isOver = (rows: Row[], { continueOnFail }: Batch): boolean =>
	!continueOnFail && rows.some(hasFailed);

export const isWrite = ({ profile }: Work): boolean => profile.effect !== 'read';

export const needsRequest = ({ dryRun, nothingToSend }: Work): boolean =>
	!dryRun && nothingToSend === undefined;

/** Rows that have a request but no result yet. */
export const pending = (rows: Row[]) =>
	rows.flatMap((row) => (row.work && !row.result ? [{ row, work: row.work }] : []));
