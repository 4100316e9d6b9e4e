import type { NodeOperationError } from 'n8n-workflow';

import type { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';

/** What a user reads: what happened, and what to do about it where the text does not say it. */
export interface Message {
	text: string;
	fix: string;
	/** The field that the text begins with. */
	field?: string;
}

/** Stands for an expression that gives nothing. */
export const GIVES_NOTHING = Symbol('an expression that gives nothing');

/** The message that stops the work; none when nothing is wrong with it. */
export async function provoke(work: () => unknown): Promise<Message[]> {
	try {
		await work();
		return [];
	} catch (thrown) {
		if (isInvalidField(thrown)) return [messageOf(thrown)];
		throw thrown;
	}
}

/** By its kind: the command that writes the docs loads the class twice, so `instanceof` would not know it. */
function isInvalidField(thrown: unknown): thrown is InvalidFieldError {
	return thrown instanceof Error && 'kind' in thrown && thrown.kind === 'invalid field';
}

export const messageOf = ({ field, message, fix }: InvalidFieldError): Message => ({
	text: message,
	fix,
	field,
});

export const textOnly = (text: string): Message => ({ text, fix: '' });

/** All results, one after the other, so that their order never changes. */
export async function inTurn<Given>(
	all: Iterable<Given>,
	work: (given: Given) => Promise<Message[]>,
): Promise<Message[]> {
	const found: Message[] = [];
	for (const given of all) found.push(...(await work(given)));
	return found;
}

/** By its name: the command that writes the docs loads the class twice. */
const isNodeError = (thrown: unknown): thrown is NodeOperationError =>
	thrown instanceof Error && thrown.name === 'NodeOperationError';

/** The error of n8n's that stops the work; none when nothing does. */
export async function thrownBy(work: () => Promise<unknown>): Promise<Message[]> {
	try {
		await work();
		return [];
	} catch (thrown) {
		// Anything else is a defect of the stand-in for n8n, and no message.
		if (!isNodeError(thrown)) throw thrown;
		return [{ text: thrown.message, fix: thrown.description ?? '' }];
	}
}
