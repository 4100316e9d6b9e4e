import { InvalidFieldError } from '../../shared/fields/invalidField';

/**
 * Outcome of a write, from the table of statuses through the journal to the items and the report. `failed`: accepted by
 * the service, then `FAILED`. A read that failed is `rejected`, or `not_sent`.
 */
export type Outcome = 'accepted' | 'failed' | 'rejected' | 'unknown' | 'not_sent';

/** Why a request has no result, as the user is told. */
export interface RequestFailure {
	kind: 'request failure';
	message: string;
	/** What to do about it. */
	fix: string;
	/** HTTP status; absent when there was no answer. */
	status?: number;
	/** The service's `code` (§7), or that of the network. */
	code?: string;
	traceId: string | null;
	outcome: Outcome;
	/** The fix says all there is to do about an unknown outcome. */
	isAdvised?: true;
	/** The key that was sent, when the request may have been executed. */
	idempotencyKey?: string;
}

export type Failure = InvalidFieldError | RequestFailure;

/** What is left for the user to check when something threw that should not; bad input as it is. */
export function asInvalid(thrown: unknown): InvalidFieldError {
	if (thrown instanceof InvalidFieldError) return thrown;
	return new InvalidFieldError(
		'This node',
		`could not run: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
		'Check its parameters and its credential.',
	);
}
