import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Meaning } from '../../shared/statuses';
import type { FailedAttempt } from './classify';
import type { Outcome, RequestFailure } from './errors';
import type { RequestProfile } from './request';

/** Summary of all attempts so far, from which the message to the user is made. */
export interface History {
	profile: RequestProfile;
	sent: number;
	/** True if an attempt may have been executed. */
	outcomeUnknown: boolean;
	/** Idempotency key, sent with every attempt. */
	idempotencyKey?: string;
	/** Transaction hash in the reply to an attempt. */
	hash?: string;
}

/** Builds the failure that is shown to the user. */
export function failureOf(
	{ meaning, status, code, traceId, serviceMessage, text, hash }: FailedAttempt,
	history: History,
): RequestFailure {
	const { profile, sent, idempotencyKey } = history;
	history.hash = hash ?? history.hash;
	const outcome = outcomeOfAllAttempts(meaning.outcome, history);
	const fix = [
		meaning.fix,
		serviceMessage &&
			!meaning.message.includes(serviceMessage) &&
			`The service replied: "${serviceMessage}".`,
		text && `The reply says: "${text}".`,
		sent > 1 && `n8n tried ${sent} times.`,
	];
	return {
		kind: 'request failure',
		message: meaning.message,
		fix: fix.filter(Boolean).join(' '),
		status,
		code,
		...(serviceMessage !== undefined && { reply: serviceMessage }),
		traceId,
		outcome,
		...(history.hash !== undefined && { transactionHash: history.hash }),
		idempotencyKey:
			outcome === 'unknown' && profile.effect === 'keyed write' ? idempotencyKey : undefined,
	};
}

/** Failure of a body that could not be built, for example because a file is gone. */
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

/** Outcome over all attempts. A failed read is never unknown, because it executes nothing. */
function outcomeOfAllAttempts(last: Outcome, { profile, outcomeUnknown }: History): Outcome {
	if (profile.effect === 'read') return last === 'not_sent' ? last : 'rejected';
	return outcomeUnknown ? 'unknown' : last;
}
