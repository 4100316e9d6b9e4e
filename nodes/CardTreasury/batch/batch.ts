import type { Client } from '../client/client';
import type { RequestGroup } from '../client/requestGroup';
import { InvalidFieldError, type Failure } from '../errors';
import type { InputItem, JsonObject } from '../input';
import type { Prepared, PrepareContext } from './work';

/** Puts a file where n8n keeps files, as soon as it has arrived. */
export type StoreFile<File> = (bytes: Buffer, fileName: string, mimeType: string) => Promise<File>;

/** One output item; a stored file stands under the name of its binary field. */
export interface OutputItem<File> {
	json: JsonObject;
	files?: Record<string, File>;
}

/** What became of one item. `attempts` is 0 where nothing was sent. */
export type ItemResult<File = never> =
	| { kind: 'done'; items: Array<OutputItem<File>>; attempts: number; traceId?: string | null }
	/** `subject`: which work it was, where the run goes on without it. */
	| { kind: 'failed'; failure: Failure; attempts: number; subject?: JsonObject }
	/** `outcomeUnknown`: an earlier try of this execution sent it, and its outcome is unknown. */
	| { kind: 'not sent'; outcomeUnknown?: boolean };

/**
 * Where the idempotency keys of a run's writes come from. `own`: all from the user · `derived`: some from this execution,
 * which a crash forgets · `none`: some carry no key that the service is known to honor.
 */
export type WriteKeys = 'own' | 'derived' | 'none';

export interface Batch<File> extends PrepareContext {
	items: InputItem[];
	client: Client;
	group: RequestGroup;
	/** Whether the other items are sent too when one has failed. */
	continueOnFail: boolean;
	/** Called before the first write is sent. @returns why nothing may be sent */
	beginWrites(keys: WriteKeys): Promise<InvalidFieldError | undefined>;
	storeFile: StoreFile<File>;
}

export interface BatchResult<File> {
	/** In the order of the items. */
	results: Array<ItemResult<File>>;
	/** What was prepared for each; for hints and business keys. */
	prepared: Array<Prepared | InvalidFieldError>;
	/** The item whose failure ends the run; absent when all went well, or the run goes on. */
	failedAt?: number;
}

/** The result of an item that this try has not sent. */
export function notSentNow(
	work: Prepared | InvalidFieldError,
): Extract<ItemResult, { kind: 'not sent' }> {
	const outcomeUnknown =
		work instanceof InvalidFieldError ? work.outcome === 'unknown' : work.outcomeUnknown;
	return { kind: 'not sent', ...(outcomeUnknown && { outcomeUnknown }) };
}
