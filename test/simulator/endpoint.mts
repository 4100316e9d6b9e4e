import type { Answer } from './answer.mts';
import { describedEndpoint, type DescribedEndpoint } from './description.mts';
import type { LedgerRow } from './ledger.mts';
import type { ExecutedTransfer, SimulatorState } from './state.mts';

/** Request as an endpoint receives it: routed, authenticated, its body parsed. */
interface EndpointRequest {
	/** Path parameters, URL-decoded. */
	params: Record<string, string>;
	query: URLSearchParams;
	/** JSON value of the body, which fits the description; undefined without a body. */
	body: any;
	/** Exact text of the body, for numbers that must not pass through floating point. */
	bodyText: string;
	state: SimulatorState;
	/** Records the effect in the ledger; called once per effect, where it happens. */
	execute(effect: Pick<LedgerRow, 'operation' | 'amountText' | 'result' | 'transactionHash'>): void;
	/** Reports an executed transfer, so that its event follows. */
	transferred(transfer: ExecutedTransfer): void;
}

/** Endpoint of the description that the simulator serves. */
export interface Endpoint extends DescribedEndpoint {
	method: string;
	/** Path template, e.g. `/cards/individual-cards/{cardId}`. */
	path: string;
	level: 1 | 2 | 3;
	handle(request: EndpointRequest): Answer;
}

/**
 * Serves an endpoint of the description.
 * @param choice path and level of the simulator, where the document shows none
 */
export function endpoint(
	section: string,
	handle: Endpoint['handle'],
	choice: { request?: string; level?: Endpoint['level'] } = {},
): Endpoint {
	const described = describedEndpoint(section);
	const request = described.request ?? choice.request;
	const level = described.level ?? choice.level;
	if (request === undefined || level === undefined)
		throw new Error(`The document shows no path or no level of ${section}; choose one`);
	const [method = '', path = ''] = request.split(' ');
	return { ...described, request, method, path, level, handle };
}
