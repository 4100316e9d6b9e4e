import { InvalidFieldError } from '../../shared/fields/invalidField';

/**
 * Outcome of a write. `failed`: accepted, then `FAILED`. A failed read is `rejected` or `not_sent`. Items show it as
 * `ItemOutcome`, which adds the results without a failure.
 */
export type Outcome = 'accepted' | 'failed' | 'rejected' | 'unknown' | 'not_sent';

/** Failure of a request, as shown to the user. */
export interface RequestFailure {
	kind: 'request failure';
	message: string;
	/** Action for the user. What became of the request is told by its outcome. */
	fix: string;
	/** HTTP status. Absent if no reply arrived. */
	status?: number;
	/** Error code of the service (§7) or of the network. */
	code?: string;
	/** Reason in the service's words. */
	reply?: string;
	traceId: string | null;
	outcome: Outcome;
	/** Transaction hash in the reply. */
	transactionHash?: string;
	/** Idempotency key, if the request may have been executed. */
	idempotencyKey?: string;
}

export type Failure = InvalidFieldError | RequestFailure;

/** Wraps an unexpected error for the user. Returns an InvalidFieldError unchanged. */
export function asInvalid(thrown: unknown): InvalidFieldError {
	if (thrown instanceof InvalidFieldError) return thrown;
	return new InvalidFieldError(
		'This node',
		`could not run: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
		'Check its parameters and its credential.',
	);
}
