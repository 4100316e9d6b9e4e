import type { InvalidFieldError } from '../../shared/fields/invalidField';
import type { ServiceOperation } from '../operations/operation';
import type { Work } from '../operations/work';
import type { Client } from '../request/client';
import type { Failure, Outcome } from '../request/errors';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { RequestGroup } from '../request/rateLimiter';
import type { Journal, JournalEntry } from './journal';

/** Result of an item. `attempts` is 0 where nothing was sent; `unsent`: the run ended before its turn. */
export type Result = { outcome: Outcome; attempts: number } & (
	| {
			kind: 'done';
			items: JsonObject[];
			/** Files of each of them by binary field, as `storeFile` gave them. */
			files?: Record<string, unknown>;
			traceId?: string | null;
	  }
	/** `subject`: the work that failed, where the run goes on without it. */
	| { kind: 'failed'; failure: Failure; subject?: JsonObject }
	| { kind: 'unsent' }
);

/** One item's work with everything that sending it needs. */
export interface Prepared extends Work {
	/** Key of its journal entry. */
	place: string;
	/** The idempotency key that goes with it, if any does. */
	key?: string;
}

/** Kind of a note on a payment. */
export type NoteKind = 'place' | 'pay' | 'ref' | 'own' | 'open' | 'look';

/** A write that the memory lets be sent. */
export interface Remembered {
	/** False where an earlier sending may have been executed. */
	isFirst: boolean;
	/** Notes by kind. Without a start of the execution there is neither `place` nor `own`. */
	notes: Partial<Record<NoteKind, string>>;
	/** Those that were not there before, without `look`. */
	fresh: string[];
}

/** An item on its way through the run. */
export interface Row {
	index: number;
	input?: InputItem;
	work?: Prepared;
	/** The journal's entry of the same item, from an earlier try of this execution. */
	earlier?: JournalEntry;
	/** Set once the memory lets it be sent. */
	remembered?: Remembered;
	/** Set while the journal has an entry of it in advance, with what the journal had before. */
	reserved?: { before: JournalEntry | undefined };
	result?: Result;
}

/** An item at the end of the run. */
export interface EndedRow extends Row {
	result: Result;
	/** The journal's entry now. */
	record?: JournalEntry;
}

/** The service at one address with one credential. */
export interface Service {
	client: Client;
	/** Host and environment, under which payments are remembered. */
	target: string;
	/** Hash of address, environment and API key. */
	credential: string;
	/** How long it remembers an idempotency key, in milliseconds; undefined while the user has not entered it. */
	windowMs?: number;
	environment: Caller['environment'];
	/** Why nothing can be sent to it: the credential cannot be read or used. */
	problem?: InvalidFieldError;
}

/** Stands for a service that nothing can be sent to. */
export const unusable = (problem: InvalidFieldError): Service => ({
	client: { send: async () => ({ kind: 'stopped' }) },
	target: '',
	credential: '',
	environment: 'sandbox',
	problem,
});

/** Notes in n8n's database, apart for each node. n8n offers no looking without recording. */
export interface Notes {
	/** @returns false where another run of this node holds it in this process */
	lock(note: string): boolean;
	/** Gives back everything that this run has locked. */
	unlock(): void;
	/** @returns those that were there before; undefined when the database fails. Never throws. */
	record(notes: string[]): Promise<Set<string> | undefined>;
	/** @returns false when the database fails. Never throws. */
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
	/** Undefined where n8n keeps no notes, so that only the service recognises a repetition. */
	notes?: Notes;
	service: Service;
	group: RequestGroup;
	/** Whether this is a manual retry of an earlier execution. */
	isRetry: boolean;
	/** Whether the other items are sent too when one has failed. */
	continueOnFail: boolean;
	/** How the user can have an open payment sent again with its key; undefined where there is no way. */
	resend?: 'retry' | 'call';
	/** Epoch milliseconds. */
	now(): number;
	/** Lets other work of the process run, once this run has held it up for long enough. */
	pause(): Promise<void>;
	/** Puts a file where n8n keeps files, as soon as it has arrived. */
	storeFile(bytes: Buffer, fileName: string, mimeType: string): Promise<unknown>;
}

/** Whether a write sent now could be sent again under its key: the service remembers it, for all that is known. */
export function isInWindow({ service: { windowMs }, caller: { startedAt }, now }: Batch): boolean {
	return windowMs !== undefined && startedAt !== undefined && now() - startedAt < windowMs;
}

export function fail(row: Row, failure: Failure, outcome: Outcome, attempts = 0): void {
	row.result = { kind: 'failed', failure, outcome, attempts };
}

/** Outcome of an item that this run does not send, by the journal. */
export const knownOutcome = ({ earlier }: Row): Outcome => earlier?.outcome ?? 'not_sent';

export const hasFailed = ({ result }: Row): boolean => result?.kind === 'failed';

/** Whether nothing more is sent: an item has failed, and the user does not want to go on. */
export const isOver = (rows: Row[], { continueOnFail }: Batch): boolean =>
	!continueOnFail && rows.some(hasFailed);

export const isWrite = ({ profile }: Work): boolean => profile.effect !== 'read';

/** The rows that are still to be sent. */
export const pending = (rows: Row[]) =>
	rows.flatMap((row) => (row.work && !row.result ? [{ row, work: row.work }] : []));
