import type { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Failure } from '../request/errors';
import type { JsonObject } from '../request/input';
import type { RequestProfile, ServiceAnswer, ServiceRequest } from '../request/request';
import type { CommonOptions } from './options';

/** Outcome of a write, as its output item shows it. */
export type ItemOutcome =
	| 'done'
	/** Accepted and not final. An event tells the end. */
	| 'pending'
	| 'already_sent'
	| 'nothing_to_send'
	| 'dry_run'
	/** Accepted, then `FAILED`. */
	| 'failed'
	| 'rejected'
	/** May have been executed. */
	| 'unknown'
	/** Refused before sending. */
	| 'not_sent'
	/** Failed item whose earlier try in this execution was accepted. */
	| 'accepted';

/** End of a write, from which an operation makes fields of its output item. */
export interface Ending {
	outcome: ItemOutcome;
	/** Subject of the write, and its output item if it did not fail. */
	item: JsonObject;
	failure?: Failure;
}

/** Request of one item, with all facts that are known before sending. */
export interface Work extends CommonOptions {
	request: ServiceRequest;
	profile: RequestProfile;
	/** Hash of the payment's values, or of the request if the write is not a payment. */
	fingerprint: string;
	/** Custom data by which users find the execution. */
	ids: { card_id?: string; client_id?: string };
	movesMoney: boolean;
	payment?: Payment;
	/** Idempotency keys, in one text, of which the payment must have one. */
	dryRunKeys?: string;
	/** Name of an output item that several input items share. */
	merge?: string;
	unique?: Unique;
	limits?: BatchLimits;
	/** Item to return if nothing needs to be sent. */
	nothingToSend?: JsonObject;
	/** Fields that identify the write in a failed item. */
	subject?: JsonObject;
	/** Refusal by a guard, or by a rule that concerns several fields. */
	refusal?: InvalidFieldError;
	precheck?: {
		request: ServiceRequest;
		profile: RequestProfile;
		/** True if the item is sent although the read fails. */
		mayFail: boolean;
		/** Returns the item to output instead of sending, if nothing needs to be sent. */
		check(answer: ServiceAnswer): JsonObject | undefined;
		/** Absent unless all items share the read. */
		names?(answer: ServiceAnswer, told: JsonObject): JsonObject;
	};
	items(answer: ServiceAnswer): JsonObject[];
	/** Shows what a reply has if the filters match nothing of it. Undefined if they match. */
	unmatched(answer: ServiceAnswer): string | undefined;
	file?: { property: string; fileName: string; mimeType: string };
}

/** Limits of the user over all items of a run, as exact decimals. */
export interface BatchLimits {
	amount: string;
	maximumTotal?: string;
	maximumTransfers?: number;
}

/** Value that no two items of a run may share. */
export interface Unique {
	value: string;
	/**
	 * Returns the refusal of items that share the value.
	 * @param items item numbers
	 */
	why(items: string): ConstructorParameters<typeof InvalidFieldError>;
}

/** Identity of a write. A write with the same identity is executed once in all executions. */
export interface Payment {
	/** Name of the payment, compared exactly. With Once per Day, built from day, account, wallet, recipient and token. */
	reference: string;
	oncePerDay: boolean;
	/**
	 * Values of the payment in canonical spelling. Transfer: account, wallet, recipient, token (or native), amount.
	 * Endpoint request: method, path, query, body.
	 */
	values: string[];
	/**
	 * Idempotency key from the user (Endpoint: Request). Without it, the key is derived from target, reference and
	 * values.
	 */
	key?: string;
	/** Reference as shown in the output item (`payment_reference`). */
	shown?: string;
}
