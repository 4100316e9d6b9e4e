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
	| { kind: 'failed'; failure: Failure; attempts: number }
	/** `mayBeExecuted`: an earlier try of this execution sent it, and its outcome is unknown. */
	| { kind: 'not sent'; mayBeExecuted?: boolean };

export interface Batch<File> extends PrepareContext {
	items: InputItem[];
	client: Client;
	group: RequestGroup;
	/** Whether the other items are sent too when one has failed. */
	continueOnFail: boolean;
	/**
	 * Told before the first write whose repetition would be another: why it must not begin.
	 * @param unkeyed whether some carry no key at all, so that even the same key would not help
	 */
	beginWrites(unkeyed: boolean): Promise<InvalidFieldError | undefined>;
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
	const mayBeExecuted =
		work instanceof InvalidFieldError ? work.outcome === 'unknown' : work.mayBeExecuted;
	return { kind: 'not sent', ...(mayBeExecuted && { mayBeExecuted }) };
}
