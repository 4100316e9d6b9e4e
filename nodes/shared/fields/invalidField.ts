/** Bad input: names the field as the editor labels it, what is wrong, and how to fix it. */
export class InvalidFieldError extends Error {
	readonly kind = 'invalid field';

	constructor(
		/** The parameter's display name. */
		readonly field: string,
		/** Completes a sentence that begins with the field's name. */
		readonly reason: string,
		/** A full sentence: what to enter instead. */
		readonly fix: string,
	) {
		super(`${field} ${reason}`);
		this.name = 'InvalidFieldError';
	}
}

/** Turns bad input into a value; anything else is a defect and is thrown on. */
export async function orInvalid<Value>(
	work: () => Value | Promise<Value>,
): Promise<Value | InvalidFieldError> {
	try {
		return await work();
	} catch (thrown) {
		return invalidFieldIn(thrown);
	}
}

/** The same for work that is done at once. */
export function orInvalidNow<Value>(work: () => Value): Value | InvalidFieldError {
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

/** What was entered, shortened for a message. */
export function quote(text: string): string {
	return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
