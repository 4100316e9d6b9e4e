import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Meaning } from '../../shared/statuses';
import type { FailedVerdict } from './classify';
import type { Outcome, RequestFailure } from './errors';
import type { RecoveryPath, RequestProfile } from './request';

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
	{ meaning, status, code, traceId, serviceMessage }: FailedVerdict,
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
		!meaning.saysOutcome && whatHappened(outcome, traceId, profile),
	];
	return {
		kind: 'request failure',
		message: meaning.message,
		fix: fix.filter(Boolean).join(' '),
		status,
		code,
		traceId,
		outcome,
		idempotencyKey:
			outcome === 'unknown' && profile.effect === 'keyed write' ? idempotencyKey : undefined,
	};
}

/** The body could not be built, for example because a file is gone. */
export function notBuilt(thrown: unknown): FailedVerdict {
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

/** What a user must know before sending a write again. */
function whatHappened(
	outcome: Outcome,
	traceId: string | null,
	{ effect, recovery = 'copied key' }: RequestProfile,
): string {
	if (effect === 'read') return '';
	if (outcome === 'not_sent') return 'It was not sent.';
	if (outcome === 'rejected') return 'It was not executed.';
	const unknown = 'The outcome is unknown: it may have been executed.';
	if (effect === 'keyed write') return `${unknown} ${RECOVERY[recovery]}`;
	// Without a reply there is no trace ID to quote.
	const quoting = traceId === null ? '' : ', quoting the trace ID,';
	return `${unknown} Ask the provider${quoting} before you send it again.`;
}

/** §1.6 promises it only within a window whose length §8 does not show. */
const ONCE = 'the service executes it only once, as long as it remembers the key';

const RECOVERY: Record<RecoveryPath, string> = {
	retry: `Retry this execution instead of starting a new one: it sends the same idempotency key, and ${ONCE}.`,
	'tool call': `Call this tool again with the same values in this execution (in a chat, each message is a new one): it sends the same idempotency key, and ${ONCE}.`,
	'own key': `Send it again with the same Idempotency Key: ${ONCE}.`,
	'copied key': `Send it again only with the idempotency key below as Idempotency Key in the options: then ${ONCE}.`,
};
