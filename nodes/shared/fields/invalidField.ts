import { shortened } from '../plainLine';

/** Reason and fix of a refusal. */
export type Problem = readonly [reason: string, fix: string];

/** Bad input. Contains the label of the field, the problem and the fix. */
export class InvalidFieldError extends Error {
	readonly kind = 'invalid field';

	constructor(
		/** Label of the parameter. */
		readonly field: string,
		/** Problem: completes a sentence that begins with the label. */
		readonly reason: string,
		/** Fix: full sentence that tells what to enter instead. */
		readonly fix: string,
		/**
		 * Problem and fix for the person who gave the file or the value, without labels of n8n. Undefined if that person
		 * cannot mend it.
		 */
		readonly plain?: string,
	) {
		super(`${field} ${reason}`);
		this.name = 'InvalidFieldError';
	}
}

/** Returns an InvalidFieldError instead of throwing it. Any other error is a defect, and is thrown. */
export function orInvalid<Value>(work: () => Value): Value | InvalidFieldError {
	try {
		return work();
	} catch (thrown) {
		return invalidFieldIn(thrown);
	}
}

function invalidFieldIn(thrown: unknown): InvalidFieldError {
	if (thrown instanceof InvalidFieldError) return thrown;
	throw thrown;
}

/** Problem and fix as full sentences. */
export function sentencesOf({ message, fix }: InvalidFieldError): string {
	return `${message}. ${fix}`;
}

/** Shortens an entered value for a message. An address stays whole. */
export function quote(text: string): string {
	return JSON.stringify(shortened(text, 45));
}
