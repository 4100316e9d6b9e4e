import type { Answer } from './answer.mts';
import type { Settings } from './settings.mts';
import type { ExecutedTransfer, SimulatorState } from './state.mts';

/** A request as an endpoint sees it: routed, authenticated, its body parsed. */
export interface EndpointRequest {
	/** Path parameters, URL-decoded. */
	params: Record<string, string>;
	query: URLSearchParams;
	/** The JSON value of the body; undefined when there is none. */
	body: unknown;
	/** The body's exact text, for numbers that must not pass through floating point. */
	bodyText: string;
	state: SimulatorState;
	settings: Settings;
	/** Writes the effect down in the ledger; to be called once, where it happens. */
	execute(effect: { operation: string; amountText?: string }): void;
	/** Tells of an executed transfer, whose event follows. */
	transferred(transfer: ExecutedTransfer): void;
}

/** A documented endpoint (§4) as a value. The server routes by the list of them. */
export interface Endpoint {
	/** Section of the interface document. */
	section: string;
	method: 'GET' | 'POST' | 'PATCH';
	/** Path template, e.g. `/cards/individual-cards/{cardId}`. */
	path: string;
	/** Lowest access level of the API key (§5.2). */
	level: 1 | 2 | 3;
	/** Whether it honours `Idempotency-Key` (§1.6: transfers, ramps, card operations). */
	idempotent: boolean;
	handle(request: EndpointRequest): Answer;
}

/** Matches a path to a template; undefined when it is another path. Segments are URL-decoded one by one. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
	const wanted = template.split('/');
	const given = path.split('/');
	if (wanted.length !== given.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, segment] of wanted.entries()) {
		const value = decodeSegment(given[index]!);
		const name = /^\{(\w+)\}$/.exec(segment)?.[1];
		if (name === undefined ? value !== segment : !value) return undefined;
		if (name !== undefined) params[name] = value!;
	}
	return params;
}

function decodeSegment(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}
