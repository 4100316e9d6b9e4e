import { performance } from 'node:perf_hooks';
import { type Answer, Refused, invalid, notFound, refusal } from './answer.mts';
import { type Endpoint, matchPath } from './endpoint.mts';
import { ENDPOINTS } from './endpoints/index.mts';
import { IdempotencyStore } from './idempotency.mts';
import { API_KEYS } from './ids.mts';
import { withoutImages } from './images.mts';
import type { LedgerRow, RequestRecord } from './ledger.mts';
import { SimulatorState } from './state.mts';

/** The simulated service without its HTTP server: a recorded request in, an answer out, effects in the ledger. */
export class Service {
	readonly state = new SimulatorState();
	readonly ledger: LedgerRow[] = [];
	private readonly idempotency = new IdempotencyStore();

	reset(): void {
		this.state.reset();
		this.ledger.length = 0;
		this.idempotency.clear();
	}

	/** Authenticates, routes and executes. `bodyText` is the real one; the record holds it without images. */
	answer(record: RequestRecord, bodyText: string): Answer {
		try {
			return this.dispatch(record, bodyText);
		} catch (thrown) {
			if (thrown instanceof Refused) return thrown.answer;
			throw thrown;
		}
	}

	private dispatch(record: RequestRecord, bodyText: string): Answer {
		if (record.apiKeyLevel === undefined)
			throw new Refused(401, 'AUTH', 'Missing or invalid API key');
		// Not parsed as a URL: that would tidy up paths that a real service refuses.
		const [path = '', query = ''] = record.path.split(/\?(.*)/s);
		const route = findRoute(record.method, path);
		if (!route) throw notFound('Path', `${record.method} ${path}`);
		const { endpoint, params } = route;
		// The document shows no code for a key whose level is too low (§5.2); a key that does not do is taken as AUTH.
		if (record.apiKeyLevel < endpoint.level) {
			throw new Refused(
				401,
				'AUTH',
				`This API key has level ${record.apiKeyLevel}; level ${endpoint.level} is required`,
			);
		}
		const key = endpoint.idempotent ? record.headers['idempotency-key'] : undefined;
		const fingerprint = JSON.stringify([record.method, path, bodyText]);
		const kept = key === undefined ? undefined : this.idempotency.recall(key, fingerprint);
		if (kept) {
			record.replayed = true;
			return kept;
		}
		const answer = endpoint.handle({
			params,
			query: new URLSearchParams(query),
			body: parseBody(bodyText),
			bodyText,
			state: this.state,
			execute: (effect) => {
				const row = {
					n: this.ledger.length + 1,
					path: record.path,
					body: withoutImages(bodyText),
					at: performance.now(),
				};
				this.ledger.push({ ...row, ...effect, ...(key !== undefined && { idempotencyKey: key }) });
			},
		});
		if (key !== undefined) this.idempotency.keep(key, fingerprint, answer);
		return answer;
	}
}

/** Level of an API key; undefined for a missing or unknown one. */
export function levelOf(apiKey: string | undefined): number | undefined {
	const found = Object.entries(API_KEYS).find(([, key]) => key === apiKey);
	return found && Number(found[0]);
}

function findRoute(
	method: string,
	path: string,
): { endpoint: Endpoint; params: Record<string, string> } | undefined {
	for (const endpoint of ENDPOINTS) {
		const params = endpoint.method === method ? matchPath(endpoint.path, path) : undefined;
		if (params) return { endpoint, params };
	}
	return undefined;
}

function parseBody(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		throw invalid('The body is not valid JSON');
	}
}

/** The answer of last resort, so that a defect of the simulator shows as one. */
export const defect = (thrown: unknown) =>
	refusal(500, 'SIMULATOR_DEFECT', thrown instanceof Error ? thrown.message : String(thrown));
