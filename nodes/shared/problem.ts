/** End of an item that brought a result: its field `outcome`, and the beginning of its summary. */
export type GoodOutcome =
	| 'done'
	/** Accepted, not final: an event tells the end. */
	| 'pending'
	| 'already_sent'
	| 'dry_run';

/** End of an item with a problem. */
export type FailedOutcome =
	/** Accepted, then `FAILED`. */
	| 'failed'
	| 'rejected'
	/** May have been executed. */
	| 'unknown'
	/** Nothing of it has left. */
	| 'not_sent';

export type Outcome = GoodOutcome | FailedOutcome;

/** Facts of a failed request. Most have a field in the failed item. */
export interface Facts {
	status?: number;
	/** Code of the service (§7) or of the network. */
	code?: string;
	traceId?: string | null;
	/** Transaction hash of a transfer that failed or may have been executed. */
	hash?: string;
	/** Harmless words of the service. */
	said?: string;
	/** Words of what was sent, if it was something else. */
	what?: string;
}

/** Rejection of the service that an operation explains. With a code, only if the service gives it (§7.2). */
export interface KnownError {
	status: number;
	code?: string;
	message: string;
	fix: string;
}

/** The one error: bad input, a refusal, or a failed request. `message` is the headline, `fix` says what to do. */
export class Problem extends Error {
	constructor(
		message: string,
		readonly fix: string,
		readonly outcome: FailedOutcome = 'not_sent',
		readonly facts: Facts = {},
	) {
		super(message);
	}
}

/** Turns any error into a Problem. */
export function asProblem(thrown: unknown, outcome?: FailedOutcome): Problem {
	if (thrown instanceof Problem) return thrown;
	return new Problem(
		`This node could not run: ${reasonOf(thrown)}`,
		'Check its parameters and its credential.',
		outcome,
	);
}

export const reasonOf = (thrown: unknown): string =>
	thrown instanceof Error ? thrown.message : String(thrown);

/**
 * Returns the result of the work, or a Problem instead of an error.
 * @param wrap makes a Problem of an error that is none
 */
export function orProblem<Value>(
	work: () => Value,
	wrap: (thrown: unknown) => Problem = asProblem,
): Value | Problem {
	try {
		return work();
	} catch (thrown) {
		return thrown instanceof Problem ? thrown : wrap(thrown);
	}
}
