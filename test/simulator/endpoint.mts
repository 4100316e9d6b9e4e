import type { Answer } from './answer.mts';
import type { ExecutedTransfer, SimulatorState } from './state.mts';

/** Request as an endpoint receives it: routed, authenticated, its body parsed. */
interface EndpointRequest {
	/** Path parameters, URL-decoded. */
	params: Record<string, string>;
	query: URLSearchParams;
	/** JSON value of the body; undefined without a body. */
	body: unknown;
	/** Exact text of the body, for numbers that must not pass through floating point. */
	bodyText: string;
	state: SimulatorState;
	/** Records the effect in the ledger; called once per effect, where it happens. */
	execute(effect: { operation: string; amountText?: string }): void;
	/** Reports an executed transfer, so that its event follows. */
	transferred(transfer: ExecutedTransfer): void;
}

/** Documented endpoint (§4). The server routes by the list of them. */
export interface Endpoint {
	section: string;
	method: string;
	/** Path template, e.g. `/cards/individual-cards/{cardId}`. */
	path: string;
	/** Lowest access level of the API key (§5.2). */
	level: 1 | 2 | 3;
	idempotent: boolean;
	handle(request: EndpointRequest): Answer;
}

/** @param request `METHOD path` */
export function endpoint(
	section: string,
	request: string,
	level: Endpoint['level'],
	handle: Endpoint['handle'],
): Endpoint {
	const [method = '', path = ''] = request.split(' ');
	return { section, method, path, level, idempotent: false, handle };
}

/** Defines an endpoint that honors `Idempotency-Key` (§1.6: transfers, ramps, card operations). */
export const keyed = (...definition: Parameters<typeof endpoint>): Endpoint => ({
	...endpoint(...definition),
	idempotent: true,
});
