import type { HttpMethod } from '../request';

/** A request as it goes on the wire; address and credential are the transport's business. */
export interface WireRequest {
	method: HttpMethod;
	/** Below the base URL, with its query. */
	path: string;
	headers: Record<string, string>;
	body?: string;
	/** Ends the attempt, even while an answer is trickling in. */
	timeoutMs: number;
}

/** What one attempt brought. */
export type Attempt =
	| {
			kind: 'response';
			status: number;
			/** Names in lower case. */
			headers: Record<string, string>;
			body: Buffer;
	  }
	| {
			kind: 'no response';
			/** Node's or the host's code, such as `ECONNRESET`; `NO_ANSWER` when none is known. */
			code: string;
			timedOut: boolean;
	  };

/** Sends a request once, follows no redirect, and never rejects. */
export type Transport = (request: WireRequest) => Promise<Attempt>;

/** Time and waiting as a port, so that tests need no real time. */
export interface Clock {
	/** Milliseconds that never go back. */
	now(): number;
	/** Milliseconds since 1970, which a `Retry-After` date is compared with. */
	date(): number;
	/** Resolves after `ms`, or as soon as `signal` aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}
