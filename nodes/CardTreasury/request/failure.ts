import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Meaning } from '../../shared/statuses';
import type { FailedAttempt } from './classify';
import type { Outcome, RequestFailure } from './errors';
import type { RequestProfile } from './request';

/** What the message to the user depends on, over all attempts so far. */
export interface History {
	profile: RequestProfile;
	/** How often the request was sent. */
	sent: number;
	/** Whether an attempt so far may have been executed. */
	outcomeUnknown: boolean;
	/** The key that was sent. */
	idempotencyKey?: string;
}

/** Everything that the user is told about a request that did not succeed. */
export function failureOf(
	{ meaning, status, code, traceId, serviceMessage }: FailedAttempt,
	history: History,
): RequestFailure {
	const { profile, sent, idempotencyKey } = history;
	const outcome = overAll(meaning.outcome, history);
	const fix = [
		meaning.fix,
		serviceMessage &&
			!meaning.message.includes(serviceMessage) &&
			`The service replied: "${serviceMessage}".`,
		sent > 1 && `n8n tried ${sent} times.`,
		whatHappened(outcome, profile),
	];
	return {
		kind: 'request failure',
		message: meaning.message,
		fix: fix.filter(Boolean).join(' '),
		status,
		code,
		traceId,
		outcome,
		...(meaning.saysOutcome && { isAdvised: true as const }),
		idempotencyKey:
			outcome === 'unknown' && profile.effect === 'keyed write' ? idempotencyKey : undefined,
	};
}

/** The body could not be built, for example because a file is gone. */
export function notBuilt(thrown: unknown): FailedAttempt {
	const reason = thrown instanceof Error ? ` (${thrown.message})` : '';
	const { message, fix } =
		thrown instanceof InvalidFieldError
			? thrown
			: {
					message: `The request could not be built${reason}`,
					fix: 'Check the files and values of this item.',
				};
	const meaning: Meaning = { again: 'never', outcome: 'not_sent', message, fix };
	return { kind: 'failed', meaning, traceId: null };
}

/** A read executes nothing, so its outcome is never unknown. */
function overAll(last: Outcome, { profile, outcomeUnknown }: History): Outcome {
	if (profile.effect === 'read') return last === 'not_sent' ? last : 'rejected';
	return outcomeUnknown ? 'unknown' : last;
}

/** What to do about an unknown outcome depends on the run, which adds it. */
function whatHappened(outcome: Outcome, { effect }: RequestProfile): string {
	if (effect === 'read') return '';
	if (outcome === 'not_sent') return 'It was not sent.';
	return outcome === 'rejected' ? 'It was not executed.' : '';
}
