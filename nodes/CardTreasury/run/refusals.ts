import { Problem, type FailedOutcome } from '../../shared/problem';
import type { Sent } from './result';

export type Refusal = keyof typeof REFUSALS;

type Told = [message: string, fix: string];

/** Advice about a payment that may have been executed. */
export const IF_UNKNOWN =
	'If its event says success, it is paid: take it out of the list. Else ask the provider.';

const refusal =
	(outcome: FailedOutcome, ofPayment: (reference: string) => Told, ofOther?: Told) =>
	(reference?: string, before?: Partial<Sent>): Problem => {
		const [message, fix] =
			reference === undefined && ofOther ? ofOther : ofPayment(reference ?? 'This request');
		const { what, problem } = before ?? {};
		const said = outcome === 'failed' ? undefined : (problem?.message ?? what);
		const first = said === undefined ? '' : ` The first attempt: ${said}.`;
		return new Problem(message, fix + first, outcome, problem && { ...problem.facts, what });
	};

/** Refusals of a payment by its reference, and of another write: headline and advice. */
export const REFUSALS = {
	open: refusal(
		'unknown',
		(reference) => [`${reference} was sent before: its outcome is unknown`, IF_UNKNOWN],
		[
			'This execution has sent a request for this item, and it may have been executed',
			'Ask the provider. If it was not executed, start a new execution.',
		],
	),
	'another payment': refusal(
		'not_sent',
		(reference) => [
			`${reference} names another payment, which was accepted`,
			'To pay a difference, name it as a payment of its own.',
		],
		[
			'This execution has sent another request for this item, which was accepted',
			'Change it back, or start a new execution without this item.',
		],
	),
	changed: refusal(
		'unknown',
		(reference) => [
			`${reference} is new to this execution, which was interrupted or edited after it had sent others`,
			'Find out what was paid, then start a new execution. Take references from your own data.',
		],
		[
			'This execution was interrupted or edited after it had sent requests',
			'Find out which were executed, then start a new execution.',
		],
	),
	FAILED: refusal('failed', (reference) => [
		`${reference} was sent before, and came back FAILED`,
		'Correct the cause, then pay under a new reference in a new execution.',
	]),
	'no answer': refusal('not_sent', () => [
		'The service does not answer: ten requests in a row have ended unknown',
		'Find out whether it works, then run it again.',
	]),
	'no database': refusal(
		'unknown',
		(reference) => [
			`n8n's database did not answer, so this run has not sent ${reference}: an earlier one may have`,
			'Run it again when the database works. If it is then called sent before, ask the provider.',
		],
		[
			"n8n's database did not answer, so this run has not sent it",
			'When the database works, start a new execution.',
		],
	),
};
