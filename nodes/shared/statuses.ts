import { SERVICE_RATE } from './serviceRate';

/** Interpretation of a failed attempt. */
export interface Meaning {
	/** Time at which a repeat may succeed: never, later, or as soon as the rate limit allows. */
	again: 'never' | 'later' | 'rate limited';
	/** Outcome of a write. */
	outcome: 'not_sent' | 'rejected' | 'unknown';
	message: string;
	fix: string;
}

const rejected = (message: string, fix: string): Meaning => ({
	again: 'never',
	outcome: 'rejected',
	message,
	fix,
});

const unclear = (message: string, fix: string): Meaning => ({
	...rejected(message, fix),
	outcome: 'unknown',
});

const INVALID = rejected('The service rejected the request', 'Check the values of the fields.');

/** Meaning of a busy or unavailable service or gateway. The request may have been executed. */
const UNAVAILABLE: Meaning = {
	again: 'later',
	outcome: 'unknown',
	message: 'The service is not available at the moment',
	fix: 'Wait until it is available again.',
};

/** Statuses with a known meaning (§7, HTTP). After any other status, the request may have been executed. */
const KNOWN: Record<number, Meaning> = {
	400: INVALID,
	401: rejected(
		'The API key was rejected',
		'Check the API Key in the credential, and that it belongs to the environment of the Base URL.',
	),
	403: rejected(
		'The API key is not allowed to do this',
		'Check the permissions, the level and the IP allowlist of the key.',
	),
	404: rejected('Not found', 'Check the path and the IDs.'),
	408: UNAVAILABLE,
	412: INVALID,
	429: {
		again: 'rate limited',
		outcome: 'rejected',
		message: `The service is receiving more than ${SERVICE_RATE} requests per second`,
		fix: 'Lower Requests per Second in the options, or spread the requests over time. The limit counts all requests of your company.',
	},
	502: UNAVAILABLE,
	503: UNAVAILABLE,
	504: UNAVAILABLE,
};

const REDIRECT = unclear(
	'The service replied with a redirect, which is not followed',
	'Check the Base URL in the credential: it must be the final address of the service.',
);
const SERVICE_FAILED = unclear('The service failed', 'If it happens again, ask the provider.');
const UNEXPECTED = unclear(
	'The service did not complete the request',
	'Check the values of the fields.',
);
const ELSEWHERE = rejected('The reply did not come from the service', 'Check the Base URL.');

export const NOT_THE_SERVICE = `${ELSEWHERE.message}. ${ELSEWHERE.fix}`;

/** Facts about a reply besides the status. */
interface About {
	/** True if the body is JSON or empty. */
	isJson: boolean;
	/** Access level that the API key must have (§5.2). */
	level?: number;
	serviceMessage?: string;
}

/** Returns the general meaning of an error status (§7). Errors that an operation declares take precedence. */
export function meaningOfStatus(status: number, about: About): Meaning {
	const { isJson, level = 1, serviceMessage } = about;
	// A 404 of the service is JSON (§7). Any other 404 comes from a wrong address.
	const meaning = status === 404 && !isJson ? ELSEWHERE : (KNOWN[status] ?? meaningOfClass(status));
	const isAboutTheKey = status === 401 || status === 403;
	// If the service gives no reason, a key below the required level is the likeliest one.
	const belowLevel =
		level > 1 && serviceMessage === undefined ? `, or is below level ${level}` : '';
	const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
	const [before, after] = isAboutTheKey ? [belowLevel, said] : ['', ''];
	// Gateways write their own 5xx pages, so a 5xx page does not show a wrong address.
	const isElsewhere = !isJson && status < 500 && meaning !== ELSEWHERE;
	return {
		...meaning,
		message: `${meaning.message}${before} (HTTP ${status})${after}`,
		fix: isElsewhere ? `${NOT_THE_SERVICE} ${meaning.fix}` : meaning.fix,
	};
}

function meaningOfClass(status: number): Meaning {
	if (status >= 300 && status <= 399) return REDIRECT;
	return status >= 500 ? SERVICE_FAILED : UNEXPECTED;
}

/** Text for the credential test. That test knows only the status, and its path is valid. */
export function statusInWords(status: number): string {
	const { message, fix } = meaningOfStatus(status, { isJson: status !== 404 });
	return `${message}. ${fix}`;
}
