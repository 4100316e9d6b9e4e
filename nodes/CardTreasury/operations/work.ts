import type { InvalidFieldError } from '../../shared/fields/invalidField';
import type { JsonObject } from '../request/input';
import type { RequestProfile, ServiceAnswer, ServiceRequest } from '../request/request';
import type { CommonOptions } from './options';

/** Write or read of one item, with everything known before it is sent. */
export interface Work extends CommonOptions {
	request: ServiceRequest;
	profile: RequestProfile;
	/** Hash of the payment's values, or of the request's. */
	fingerprint: string;
	/** Business keys by which the execution can be found. */
	ids: { card_id?: string; client_id?: string };
	movesMoney: boolean;
	payment?: Payment;
	unique?: Unique;
	limits?: BatchLimits;
	/** Item to return if nothing needs to be sent. */
	nothingToSend?: JsonObject;
	/** Identifies the write in a failed item. */
	subject?: JsonObject;
	/** Refusal by a rule across fields or by a guard. */
	refusal?: InvalidFieldError;
	precheck?: {
		request: ServiceRequest;
		profile: RequestProfile;
		check(answer: ServiceAnswer): void;
	};
	items(answer: ServiceAnswer): JsonObject[];
	file?: { property: string; fileName: string; mimeType: string };
}

/** User's limits over all items of a run, as exact decimals. */
export interface BatchLimits {
	amount: string;
	maximumTotal?: string;
	maximumTransfers?: number;
}

/** Value that only one item of a run may have. */
export interface Unique {
	value: string;
	/** Refusal of items that share the value. @param items their numbers */
	why(items: string): ConstructorParameters<typeof InvalidFieldError>;
}

/** Identity of a write, which is executed once in all executions. */
export interface Payment {
	/** Compared exactly. For Once per Day, it is built from day, account, wallet, recipient and token. */
	reference: string;
	oncePerDay: boolean;
	/**
	 * Values of the payment in canonical spelling: account, wallet, recipient, token (or native), amount; for Endpoint:
	 * Request method, path, query, body.
	 */
	values: string[];
	/** Sent unchanged (Endpoint: Request); otherwise the key is derived from target, reference and values. */
	key?: string;
	/** Shown in the output item (`payment_reference`). */
	shown?: string;
}
