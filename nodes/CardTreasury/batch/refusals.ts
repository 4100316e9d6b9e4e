import { InvalidFieldError } from '../../shared/fields/invalidField';
import type { Work } from '../operations/work';
import type { Outcome } from '../request/errors';
import { isInWindow, type Batch, type Prepared } from './batch';
import { failedAdvice, OPEN_OR_FAILED, openAdvice, sentences } from './outcome';

/** Reason why a write is not sent. */
export type Refusal =
	| 'open'
	| 'not sent again'
	| 'changed'
	| 'names another payment'
	| 'being sent';

/** Second halves of headlines. The first half is the label of a field, such as Payment Reference. */
const REASONS: Record<Refusal, string> = {
	open: OPEN_OR_FAILED,
	'not sent again': 'was sent before, and its outcome is unknown',
	changed: 'has changed since this execution was interrupted, or these are other items',
	'names another payment': 'names another payment, which was accepted',
	'being sent': 'is being sent by another run at this moment',
};

/** Refusal of a write by the payment memory. */
export function refusal(why: Refusal, work: Work, batch: Batch): InvalidFieldError {
	// Only a transfer can come back FAILED.
	const reason = why === 'open' && !work.movesMoney ? 'not sent again' : why;
	return new InvalidFieldError(labelOf(work), REASONS[reason], fixOf(why, work, batch));
}

/** Refusal of an item in a part after one whose references have changed. */
export const changedRun = (work: Work) =>
	new InvalidFieldError(
		labelOf(work),
		'may have changed too: earlier items of this run no longer match what was sent',
		FIND_OUT,
	);

const FIND_OUT = 'Find out what was paid, then start a new execution.';

function fixOf(why: Refusal, work: Work, batch: Batch): string {
	switch (why) {
		case 'being sent':
			return 'Wait for its end, then look at its result.';
		case 'names another payment':
			return sentences(work.movesMoney ? PAID_BEFORE : SENT_BEFORE, acceptedUnder(work, batch));
		case 'changed':
			return sentences(FIND_OUT, STABLE);
		case 'open':
			return sentences(
				openAdvice(work, batch, 'elsewhere'),
				work.payment && batch.service.windowMs && RETRY_THERE,
				batch.count > 1 && !batch.continueOnFail && 'On Error: Continue sends the others.',
			);
		case 'not sent again':
			return sentences(openAdvice(work, batch), work.payment && batch.resend && windowHint(batch));
	}
}

/** Payment that was accepted under the reference, if the journal has it. */
function acceptedUnder({ payment }: Work, { journal, service }: Batch): string | undefined {
	const accepted = payment && journal.acceptedUnder(service.target, payment.reference);
	if (accepted?.amount === undefined) return undefined;
	return `Accepted under it: ${String(accepted.amount)} to ${String(accepted.to)}.`;
}

// No new reference is suggested: a person who took it for a corrected amount paid an invoice twice.
const PAID_BEFORE =
	'Do not pay it again: find out what was paid. If this is another payment, give it its own reference.';
const SENT_BEFORE =
	'Do not send it again: find out what was sent. If this is another request, give it its own key.';

const STABLE = 'Remove values that change over time, such as $now, from its fields.';
const RETRY_THERE =
	'Retry helps only in the execution that sent it, if that one failed and was not killed.';

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

/** Refusal of an item that was sent with other values earlier in this execution. */
export const valuesChanged = (outcome: Outcome, isTool: boolean) =>
	new InvalidFieldError(
		itOf(isTool),
		`${wasOf(outcome)} earlier in this execution, with other values`,
		`${STABLE} Then retry, or start a new execution for what is still to be done.`,
	);

/** Refusal of an item that was sent to another host, or with another API key, earlier in this execution. */
export const sentElsewhere = (other: 'host' | 'API key', outcome: Outcome, isTool: boolean) =>
	new InvalidFieldError(
		itOf(isTool),
		`${wasOf(outcome)} earlier in this execution with another ${other}`,
		`Restore the ${other} in the credential and retry, or start a new execution for what is still to be done.`,
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

/** Refusal of a payment that no dry run showed. Undefined if one did, or if nothing is to be sent. */
export function changedSinceDryRun({
	key,
	dryRunKeys,
	nothingToSend,
}: Prepared): InvalidFieldError | undefined {
	if (dryRunKeys === undefined || nothingToSend) return undefined;
	if (key !== undefined && dryRunKeys.toLowerCase().includes(key)) return undefined;
	return new InvalidFieldError(
		'As in Dry Run',
		'refuses it: it has changed since its dry run, or had none',
		'Ask again. Account, wallet, recipient, token, amount, reference, day or Base URL differ from what was approved.',
	);
}
