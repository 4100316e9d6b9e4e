import type { InvalidFieldError } from '../../shared/fields/invalidField';
import type { ServiceOperation, Work } from '../operations/operation';
import type { Client } from '../request/client';
import type { Failure, Outcome } from '../request/errors';
import type { RunIdentity } from '../request/idempotencyKey';
import type { Caller, InputItem, JsonObject } from '../request/input';
import type { RequestGroup } from '../request/rateLimiter';
import type { RecoveryPath } from '../request/request';
import type { Journal, JournalEntry } from './journal';

/** What this run has to say of an item. `attempts` is 0 where nothing was sent. */
export type ItemResult =
	| {
			kind: 'done';
			items: JsonObject[];
			/** Of each of them, by binary field, as `storeFile` gave it. */
			files?: Record<string, unknown>;
			attempts: number;
			traceId?: string | null;
	  }
	/** `subject`: which work it was, where the run goes on without it. */
	| { kind: 'failed'; failure: Failure; attempts: number; subject?: JsonObject };

/** One item's work with everything that sending it needs. */
export interface Prepared extends Work {
	/** Where it stands in the journal. */
	place: string;
	/** The key that goes with it, if any does. */
	key?: string;
	/** Whether an agent has asked for this before in this execution. */
	repeated: boolean;
	/** Stands in the journal for an agent's call until it is sent. */
	reserved?: JournalEntry;
	/** The output of the same work, accepted earlier in this execution: it is not sent again. */
	replay?: JsonObject[];
}

/** An item on its way through the run. Without a result at its end, this run did not send it. */
export interface Row {
	index: number;
	input: InputItem;
	work?: Prepared;
	result?: ItemResult;
	/** Whether it may have been sent where it cannot be told: by a run whose record is not here, or as an equal request. */
	sentByOther?: true;
}

/** An item at the end of the run. */
export interface EndedRow extends Row {
	/** What the journal has of its work. */
	record?: JournalEntry;
	/** What became of its work, whatever this run has to say of it. */
	outcome: Outcome;
}

/** The service at one address with one credential. */
export interface Service {
	client: Client;
	/** Tells it from other services, environments and keys. */
	target: string;
	/** How long it can be expected to remember an idempotency key, in milliseconds. */
	windowMs: number;
	environment: Caller['environment'];
	/** Why nothing can be sent to it: the credential cannot be read or used. */
	problem?: InvalidFieldError;
}

/** Stands for a service that nothing can be sent to. */
export const unusable = (problem: InvalidFieldError): Service => ({
	client: { send: async () => ({ kind: 'stopped' }) },
	target: '',
	windowMs: 0,
	environment: 'sandbox',
	problem,
});

/** The writes of one round, as far as they carry a key that the service honors. */
export interface Plan {
	/** Tells it from every other plan: keys, requests and target. */
	fingerprint: string;
	/** Whether all that is still to be sent carries such a key. */
	allKeyed: boolean;
	/** Whether all of these keys are the user's own, so that a new execution has them too. */
	allOwn: boolean;
	windowMs: number;
}

/**
 * How the run stands to others that continue the same state of the execution. `first`: nobody has before it ·
 * `same`: another run has, with this very plan, since the given moment at the earliest · `refused`: what another run has
 * sent is not known here · `not noted`: n8n's database fails, so that a crash would be forgotten.
 */
export type Beginning =
	| { kind: 'first' }
	| { kind: 'same'; since: number }
	| { kind: 'not noted' | 'refused'; why: InvalidFieldError };

export interface Batch {
	operation: ServiceOperation;
	items: InputItem[];
	caller: Caller;
	identity: RunIdentity;
	journal: Journal;
	service: Service;
	group: RequestGroup;
	/** Whether this continues an earlier execution. */
	isRetry: boolean;
	/** Whether the other items are sent too when one has failed. */
	continueOnFail: boolean;
	/** How the user of this run has a derived key sent again. */
	recovery: RecoveryPath;
	/** Epoch milliseconds. */
	now(): number;
	/** Called before the first write is sent, in a retry also when nothing can be. */
	begin(plan: Plan): Promise<Beginning>;
	/** Puts a file where n8n keeps files, as soon as it has arrived. */
	storeFile(bytes: Buffer, fileName: string, mimeType: string): Promise<unknown>;
}

export function fail(row: Row, failure: Failure, attempts = 0): void {
	row.result = { kind: 'failed', failure, attempts };
}

export const hasFailed = ({ result }: Row): boolean => result?.kind === 'failed';

/** What the journal has of the work from now on. */
export const entryOf = (
	{ fingerprint, key, subject, limits }: Prepared,
	outcome: Outcome,
	sentAt: number,
	{ service: { target } }: Batch,
): JournalEntry => ({ fingerprint, outcome, target, sentAt, key, subject, amount: limits?.amount });

/** The rows that are still to be sent. */
export const pending = (rows: Row[]) =>
	rows.flatMap((row) => (row.work && !row.result ? [{ row, work: row.work }] : []));

/** Why a write without a key is not sent again; an agent may also ask for it twice at the same moment. */
export const OPEN_WITHOUT_KEY: [reason: string, fix: string] = [
	'was sent before in this execution, and its outcome is unknown: it may have been executed',
	'It carries no idempotency key, so it is not sent again. Ask the provider whether it was executed.',
];
