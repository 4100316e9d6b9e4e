/** Answer as it is sent. The body is final, so that a remembered answer can be repeated unchanged. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
	/** Set on answers that do not come from the service, so they carry no `X-Trace-Id`. */
	withoutTrace?: true;
}

export const json = (status: number, value: unknown, headers: Answer['headers'] = {}): Answer => ({
	status,
	headers: { 'Content-Type': 'application/json', ...headers },
	body: JSON.stringify(value),
});

/** Error in the format of §7.1; `code` is one of §7.2. */
export const errorAnswer = (status: number, code: string, message: string): Answer =>
	json(status, { code, message });

/** Thrown instead of a 200. */
export class Rejected extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly headers: Answer['headers'] = {},
	) {
		super(message);
	}
}

export const notFound = (what: string, id: string) =>
	new Rejected(404, 'NOT_FOUND', `${what} not found: ${id}`);

/**
 * Error for a body or parameter that breaks the rules of §4. The document shows no code for it; `VAL` is the simulator's
 * choice.
 */
export const invalid = (message: string) => new Rejected(400, 'VAL', message);
