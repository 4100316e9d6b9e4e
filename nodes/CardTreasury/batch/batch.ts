import type { InvalidFieldError } from '../../shared/fields/invalidField';
import type { ServiceOperation } from '../operations/operation';
import type { Work } from '../operations/work';
import type { Client } from '../request/client';
import type { Failure, Outcome } from '../request/errors';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { RequestGroup } from '../request/rateLimiter';
import type { Journal, JournalEntry } from './journal';

/** Result of an item. `attempts` is 0 if nothing was sent. `unsent`: the run ended before the item's turn. */
export type Result = { outcome: Outcome; attempts: number } & (
	| {
			kind: 'done';
			items: JsonObject[];
			/** Files of each item by binary field, as `storeFile` returned them. */
			files?: Record<string, unknown>;
			traceId?: string | null;
	  }
	/** `subject` identifies the write in a failed item, if the run continues without it. */
	| { kind: 'failed'; failure: Failure; subject?: JsonObject }
	| { kind: 'unsent' }
);

/** Request of one item, with everything needed to send it. */
export interface Prepared extends Work {
	/** Key of its journal entry. */
	place: string;
	/** Idempotency key sent with it, if any. */
	key?: string;
}

/**
 * Kind of note on a payment. `place`: position of the item in its execution. `ref`: reference. `pay`: reference and
 * values. `own`: execution that sent it. `open`: outcome unknown, or FAILED. `look`: lookup in progress.
 */
export type NoteKind = 'place' | 'pay' | 'ref' | 'own' | 'open' | 'look';

/** Write that the memory allows to be sent. */
export interface Remembered {
	/** False if an earlier run may have executed it. */
	isFirst: boolean;
	/** Notes by kind. Without the start of the execution, `place` and `own` are missing. */
	notes: Partial<Record<NoteKind, string>>;
	/** Notes that were not recorded before, without `look`. */
	fresh: string[];
}

/** Item during the run. */
export interface Row {
	index: number;
	input?: InputItem;
	work?: Prepared;
	/** Journal entry of the same item, from an earlier run of this execution. */
	earlier?: JournalEntry;
	/** Set once the memory allows the item to be sent. */
	remembered?: Remembered;
	/** Set while the journal holds a reserved entry. `before`: the entry that it replaced. */
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
	/** Host and environment. Payments are remembered per target. */
	target: string;
	/** Hash of address, environment and API key. */
	credential: string;
	/** Milliseconds for which it remembers an idempotency key; undefined if the user has not entered the hours. */
	windowMs?: number;
	environment: Caller['environment'];
	/** Set if the credential cannot be read or used, so that nothing can be sent. */
	problem?: InvalidFieldError;
}

/** Service of a credential that cannot be used. Sends nothing. */
export const unusable = (problem: InvalidFieldError): Service => ({
	client: { send: async () => ({ kind: 'stopped' }) },
	target: '',
	credential: '',
	environment: 'sandbox',
	problem,
});

/** Notes in n8n's database, stored per node. n8n cannot look up a note without recording it. */
export interface Notes {
	/** @returns false if another run of the node in this process holds the lock */
	lock(note: string): boolean;
	/** Releases all locks of this run. */
	unlock(): void;
	/** @returns the notes that existed before; undefined if the database fails. Never throws. */
	lookUpAndRecord(notes: string[]): Promise<Set<string> | undefined>;
	/** @returns false if the database fails. Never throws. */
	remove(notes: string[]): Promise<boolean>;
}

export interface Batch {
	operation: ServiceOperation;
	/** Number of items. */
	count: number;
	/** Reads one item's parameters. */
	readItem(index: number): Promise<InputItem>;
	caller: Caller;
	journal: Journal;
	/** Undefined if n8n keeps no notes. Then only the service recognizes a repetition. */
	notes?: Notes;
	service: Service;
	group: RequestGroup;
	/** True for a manual retry of an earlier execution. */
	isRetry: boolean;
	/** True to send the other items after one has failed. */
	continueOnFail: boolean;
	/** How the user can re-send an open payment with its key; undefined if that is not possible. */
	resend?: 'retry' | 'call';
	/** Epoch milliseconds. */
	now(): number;
	/** Yields to other work of the process if this run has blocked it for too long. */
	pause(): Promise<void>;
	/** Stores a received file in n8n's file storage. */
	storeFile(bytes: Buffer, fileName: string, mimeType: string): Promise<unknown>;
}

/**
 * True while the Idempotency Window, counted from the start of the execution, is not over. Until then a re-send is
 * safe.
 */
export function isInWindow({ service: { windowMs }, caller: { startedAt }, now }: Batch): boolean {
	return windowMs !== undefined && startedAt !== undefined && now() - startedAt < windowMs;
}

export function fail(row: Row, failure: Failure, outcome: Outcome, attempts = 0): void {
	row.result = { kind: 'failed', failure, outcome, attempts };
}

/** Outcome of an item that this run does not send, according to the journal. */
export const knownOutcome = ({ earlier }: Row): Outcome => earlier?.outcome ?? 'not_sent';

export const hasFailed = ({ result }: Row): boolean => result?.kind === 'failed';

/** True if nothing more is sent, because an item has failed and Continue On Fail is off. */
export const isOver = (rows: Row[], { continueOnFail }: Batch): boolean =>
	!continueOnFail && rows.some(hasFailed);

export const isWrite = ({ profile }: Work): boolean => profile.effect !== 'read';

/** Rows that still need to be sent. */
export const pending = (rows: Row[]) =>
	rows.flatMap((row) => (row.work && !row.result ? [{ row, work: row.work }] : []));
