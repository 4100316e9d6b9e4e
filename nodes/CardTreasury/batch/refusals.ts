import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import type { Outcome } from '../request/errors';
import { isInWindow, type Batch } from './batch';

/** Reason why a write is not sent. */
export type Refusal =
	| 'look interrupted'
	| 'reference changed'
	| 'not sent again'
	| 'credential changed'
	| 'open elsewhere'
	| 'open for another payment'
	| 'names another payment'
	| 'being sent'
	| 'equal call';

type Words = Record<Refusal, string>;

/** Second halves of headlines. The first half is the label of a field, such as Payment Reference. */
const REASONS: Words = {
	'look interrupted': 'could not be checked: an earlier check of it was interrupted',
	'reference changed': 'or the credential has changed since this item was sent',
	'not sent again': 'was sent before, and its outcome is unknown',
	'credential changed':
		'was sent by another execution or with another credential: its outcome is open or FAILED',
	'open elsewhere': 'was sent by another execution: its outcome is open or FAILED',
	'open for another payment': 'names another payment, whose outcome is open or FAILED',
	'names another payment': 'names another payment, which was accepted',
	'being sent': 'is being sent by another run at this moment',
	'equal call': 'names a payment that equals one being sent at this moment',
};

/** Headlines for writes without a reference or key from the user. */
const UNNAMED: Words = {
	...REASONS,
	'reference changed': 'was sent before in this execution, with other values or another credential',
	'open elsewhere': 'was sent before: its outcome is open or FAILED',
	'open for another payment': 'was sent today with another amount: its outcome is open or FAILED',
};

export function refusal(why: Refusal, work: Work, batch: Batch): InvalidFieldError {
	const { payment } = work;
	const words = payment === undefined || payment.oncePerDay ? UNNAMED : REASONS;
	return new InvalidFieldError(labelOf(work), words[why], fixOf(why, work, batch));
}

function fixOf(why: Refusal, work: Work, batch: Batch): string {
	const { payment } = work;
	const restore = payment && batch.service.windowMs && RESTORE;
	switch (why) {
		case 'being sent':
			return 'Wait until that run has ended, then look at its result.';
		case 'equal call':
			return batch.isRetry
				? 'Make this call in a new execution.'
				: 'Call this tool again when that call has ended.';
		case 'names another payment':
			return `Correct its values, or ${payUnder(work)}.`;
		case 'open for another payment':
			return `Give each payment a different reference. ${openAdvice(work, batch, 'elsewhere')}`;
		case 'reference changed':
			return sentences(openAdvice(work, batch), STABLE, restore);
		case 'credential changed':
			return sentences(openAdvice(work, batch, 'elsewhere'), restore);
		case 'open elsewhere':
			return openAdvice(work, batch, 'elsewhere');
		case 'look interrupted':
			return openAdvice(work, batch, 'unclear');
		case 'not sent again':
			return sentences(openAdvice(work, batch), payment && batch.resend && windowHint(batch));
	}
}

const sentences = (...parts: unknown[]) => parts.filter(Boolean).join(' ');

const STABLE = 'Remove values that change over time, such as $now, from its fields.';
const RESTORE =
	'If the API Key, Base URL or Environment of the credential has changed, restore it before Retry.';

function windowHint(batch: Batch): string {
	if (isInWindow(batch)) return '';
	return batch.service.windowMs === undefined
		? 'To let Retry send it again, enter the Idempotency Window in the credential, as the provider tells you.'
		: 'The Idempotency Window of the credential is over, so the service may have forgotten its key.';
}

/** First half of the headline: the label of the field that names the payment. */
export function labelOf({ payment }: Work): string {
	if (payment === undefined) return 'This item';
	if (payment.oncePerDay) return 'This payment';
	return payment.key === undefined ? 'Payment Reference' : 'Idempotency Key';
}

/** Example of a new reference, as part of a sentence. */
function suggestion({ payment, movesMoney }: Work): string {
	const { shown = '', oncePerDay = true } = payment ?? {};
	return movesMoney && shown !== '' && !oncePerDay && shown.length < 40
		? `, such as ${shown}-2`
		: '';
}

/**
 * Advice on a write that may have been executed.
 * @param sent `here`: by this execution; `elsewhere`: by another one; `unclear`: no Retry helps
 */
export function openAdvice(
	work: Work,
	batch: Batch,
	sent: 'here' | 'elsewhere' | 'unclear' = 'here',
): string {
	const { payment, movesMoney, profile } = work;
	const may = movesMoney ? 'The money may have left.' : 'It may have been executed.';
	if (profile.effect === 'unkeyed write')
		return `${may} Ask the provider whether it was executed before you send it again.`;
	if (payment === undefined) return `${may} Run it again: it sets the same value.`;
	if (sent === 'here' && batch.resend && isInWindow(batch)) {
		return batch.resend === 'retry'
			? `${may} Open Executions, this run, Retry.`
			: `${may} Call this tool again with the same values in this execution.`;
	}
	const event = movesMoney
		? 'ait for the treasury.transfer event or ask the provider'
		: 'sk the provider';
	const [wait, Wait] = movesMoney ? [`w${event}`, `W${event}`] : [`a${event}`, `A${event}`];
	const mayRetryThere = sent === 'elsewhere' && batch.service.windowMs !== undefined;
	const ask = mayRetryThere ? `Open Executions, the run that sent it, Retry; or ${wait}` : Wait;
	return `${may} ${ask}; only if it was not executed, ${payUnder(work)}.`;
}

function payUnder(work: Work): string {
	const { payment } = work;
	if (payment?.oncePerDay) return 'pay it with a Payment Reference';
	return payment?.key === undefined
		? `pay under a new reference${suggestion(work)}`
		: 'send it under a new Idempotency Key';
}

/** Advice on a transfer that was accepted and then FAILED. */
export const failedAdvice = (work: Work): string =>
	`Correct the cause, then ${payUnder(work)} in a new execution: this one is not sent again.`;

/** Advice on a rejected payment, in case the rejection repeats. */
export const rejectedAdvice = (work: Work): string =>
	`If it is rejected again although the cause is gone, the service may have kept the rejection under its key: then ${payUnder(work)}.`;

/** Refusal of an item that was sent with other values earlier in this execution. */
export const valuesChanged = (outcome: Outcome, isTool: boolean) =>
	new InvalidFieldError(
		itOf(isTool),
		`${wasOf(outcome)} earlier in this execution, with other values`,
		`${STABLE} Then retry, or start a new execution for what is still to be done.`,
	);

/** Refusal of an item that was sent with another credential earlier in this execution. */
export const credentialChanged = (outcome: Outcome, isTool: boolean) =>
	new InvalidFieldError(
		itOf(isTool),
		`${wasOf(outcome)} earlier in this execution with another credential`,
		'Its environment, host or API key was different. Restore that credential and retry, or start a new execution for what is still to be done.',
	);

const itOf = (isTool: boolean) => (isTool ? 'This call' : 'This item');
const wasOf = (outcome: Outcome) =>
	outcome === 'accepted' ? 'was executed' : 'may have been executed';

/** Refusal of an item that was accepted and then FAILED earlier in this execution. */
export const failedAgain = (work: Work, isTool: boolean) =>
	new InvalidFieldError(
		itOf(isTool),
		'came back FAILED earlier in this execution',
		failedAdvice(work),
	);

/**
 * Refusal of a dry run in a retry. A successful dry run would use up the retry, because n8n offers none after a
 * success.
 */
export const dryRetry = () =>
	new InvalidFieldError(
		'Dry Run',
		'is on, and this retries an execution that may have sent something',
		'Turn it off to continue that execution. To see what would be sent, start a new execution as a dry run.',
	);
