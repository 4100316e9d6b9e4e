import { InvalidFieldError } from '../../shared/fields/invalidField';

/**
 * Outcome of a write, used in the table of statuses, the journal, the items and the report. `failed`: accepted, then
 * `FAILED`. A failed read is `rejected` or `not_sent`.
 */
export type Outcome = 'accepted' | 'failed' | 'rejected' | 'unknown' | 'not_sent';

/** Failure of a request, as the user sees it. */
export interface RequestFailure {
	kind: 'request failure';
	message: string;
	/** Action for the user. */
	fix: string;
	/** HTTP status; absent without an answer. */
	status?: number;
	/** The service's `code` (§7), or the network's. */
	code?: string;
	traceId: string | null;
	outcome: Outcome;
	/** Set if the fix already covers an unknown outcome. */
	isAdvised?: true;
	/** Key of a request that may have been executed. */
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
