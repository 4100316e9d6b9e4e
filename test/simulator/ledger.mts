/** One executed effect. What the service would have done with money, a card or a document. */
export interface LedgerRow {
	/** 1, 2, 3 … in the order of execution. */
	n: number;
	/** `wallet.transfer`, `rampTransfer.updateAmount`, `card.freeze`, `card.unfreeze`, `card.configure3ds`, `card.unblock`, `productRequest.submitDocument`. */
	operation: string;
	path: string;
	idempotencyKey?: string;
	/** Exact text of the body; images are replaced by their type and size. */
	body: string;
	/** The amount exactly as it stood in the body. */
	amountText?: string;
	/** Milliseconds on the clock of `performance.now()`. */
	at: number;
}

/** One HTTP request of the service API as it arrived; control requests are not among them. */
export interface RequestRecord {
	n: number;
	/** Arrival in milliseconds on the clock of `performance.now()`. */
	at: number;
	method: string;
	path: string;
	/** Lower-case names; `x-api-key` is redacted. */
	headers: Record<string, string>;
	/** Exact text of the body; images are replaced by their type and size. */
	bodyText: string;
	traceId: string;
	/** Absent while unanswered, and for good when the socket was reset or the client had gone. */
	status?: number;
	/** Access level of the key; absent for a missing or unknown key. */
	apiKeyLevel?: number;
	/** Set for the API key of another company. */
	company?: 'other';
	/** True when the client had gone before its answer was ready. */
	abandoned?: true;
	fault?: string;
	/** True when the answer was the kept one of an earlier request with the same `Idempotency-Key`. */
	replayed?: true;
}
