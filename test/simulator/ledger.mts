/** Executed effect on money, a card or a document. */
export interface LedgerRow {
	/** Sequence number: 1, 2, 3 … */
	n: number;
	/** Number of the request. */
	request: number;
	/** `wallet.transfer`, `rampTransfer.updateAmount`, `card.freeze`, `card.unfreeze`, `card.configure3ds`, `card.unblock`, `productRequest.submitDocument`. */
	operation: string;
	path: string;
	idempotencyKey?: string;
	/** Text of the request body. Images are replaced by their type and size. */
	body: string;
	/** Amount exactly as sent. */
	amountText?: string;
	/** Outcome of a transfer, e.g. `SUCCESS`. */
	result?: string;
	/** Hash of a transfer, which its event names. */
	transactionHash?: string;
	/** Milliseconds on the clock of `performance.now()`. */
	at: number;
}

/** HTTP request to the service API; control requests are not recorded. */
export interface RequestRecord {
	n: number;
	/** Arrival in milliseconds on the clock of `performance.now()`. */
	at: number;
	method: string;
	path: string;
	/** Lower-case names; `x-api-key` is redacted. */
	headers: Record<string, string>;
	/** Text of the request body. Images are replaced by their type and size. */
	bodyText: string;
	traceId: string;
	/** Undefined until answered, and permanently if the socket was reset or the client had left. */
	status?: number;
	/** Access level of the key; undefined for a missing or unknown key. */
	apiKeyLevel?: number;
	/** True if the client left before its answer was ready. */
	abandoned?: true;
	fault?: string;
	/** True if an earlier answer for the same `Idempotency-Key` was replayed. */
	replayed?: true;
}
