/** Response of an endpoint. The body is final text or bytes, so that a remembered answer can be replayed unchanged. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
	/** Set on an error that the document does not show and the simulator has chosen. */
	chosen?: true;
	/** Set on answers that do not come from the service, so they carry no `X-Trace-Id`. */
	withoutTrace?: true;
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
	return {
		status,
		headers: { 'Content-Type': 'application/json', ...headers },
		body: JSON.stringify(value),
	};
}

/** Error in the format of §7.1; `code` is one of §7.2. */
export function errorAnswer(status: number, code: string, message: string): Answer {
	return json(status, { code, message });
}

/** Thrown by an endpoint that rejects a request; the server sends `answer`. */
export class Rejected extends Error {
	readonly answer: Answer;

	constructor(status: number, code: string, message: string, chosen?: true) {
		super(message);
		this.answer = { ...errorAnswer(status, code, message), ...(chosen && { chosen }) };
	}
}

export const notFound = (what: string, id: string) =>
	new Rejected(404, 'NOT_FOUND', `${what} not found: ${id}`);

/**
 * Error for a body or parameter that breaks the rules of §4. The document shows no code for it; `VAL` is the simulator's
 * choice.
 */
export const invalid = (message: string) => new Rejected(400, 'VAL', message, true);
