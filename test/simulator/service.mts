import { performance } from 'node:perf_hooks';

import { errorAnswer, invalid, notFound, Rejected, type Answer } from './answer.mts';
import { answerDepartures, requestDepartures } from './description.mts';
import type { Endpoint } from './endpoint.mts';
import type { Amend } from './faultyAnswer.mts';
import { IdempotencyStore } from './idempotency.mts';
import { API_KEYS } from './ids.mts';
import { withoutImages } from './images.mts';
import type { LedgerRow, RequestRecord } from './ledger.mts';
import { parseJson } from './parseJson.mts';
import type { Settings } from './settings.mts';
import { SimulatorState, type ExecutedTransfer } from './state.mts';

/** Request as the server routes it. */
export interface Routed {
	/** Without the query, as sent. */
	path: string;
	query: string;
	/** Undefined for a path that no endpoint has. */
	endpoint?: Endpoint;
	/** Path parameters, URL-decoded. */
	params: Record<string, string>;
}

/** Authenticated request. */
interface Admitted extends Routed {
	endpoint: Endpoint;
	idempotencyKey?: string;
}

/** Simulated service without its HTTP server. It answers recorded requests and records effects in the ledger. */
export class Service {
	readonly state = new SimulatorState();
	readonly ledger: LedgerRow[] = [];
	readonly idempotency: IdempotencyStore;

	constructor(
		private readonly settings: Settings,
		now: () => number,
		private readonly onTransfer: (transfer: ExecutedTransfer) => void,
	) {
		this.idempotency = new IdempotencyStore(settings, now);
	}

	reset(): void {
		this.state.reset();
		this.ledger.length = 0;
		this.idempotency.clear();
	}

	/** Key that a request shares with its repetitions; undefined without a key, or if the request is rejected. */
	keyOf(record: RequestRecord, routed: Routed): string | undefined {
		try {
			return admit(record, routed).idempotencyKey;
		} catch (thrown) {
			rejection(thrown);
			return undefined;
		}
	}

	/**
	 * Authenticates and executes.
	 * @param bodyText the full text; the record holds it without images
	 * @param amend change that a fault makes to the answer
	 */
	answer(record: RequestRecord, routed: Routed, bodyText: string, amend: Amend): Answer {
		try {
			return amend(this.execute(record, routed, bodyText, amend));
		} catch (thrown) {
			return amend(rejection(thrown));
		}
	}

	private execute(record: RequestRecord, routed: Routed, bodyText: string, amend: Amend): Answer {
		const admitted = admit(record, routed);
		const { path, idempotencyKey: key } = admitted;
		if (key === undefined) return this.handle(admitted, record, bodyText);
		const fingerprint = JSON.stringify([record.method, path, bodyText]);
		const kept = this.idempotency.recall(key, fingerprint);
		if (kept) {
			record.replayed = true;
			return kept;
		}
		try {
			const answer = amend(this.handle(admitted, record, bodyText));
			this.idempotency.keep(key, fingerprint, answer);
			return answer;
		} catch (thrown) {
			// A rejection had no effect, so by default a repetition is processed again.
			if (this.settings.keepRejections) this.idempotency.keep(key, fingerprint, rejection(thrown));
			throw thrown;
		}
	}

	/** @throws Rejected for a request that departs from the description, Error for such an answer */
	private handle(admitted: Admitted, record: RequestRecord, bodyText: string): Answer {
		const { section } = admitted.endpoint;
		try {
			const query = new URLSearchParams(admitted.query);
			const request = { params: admitted.params, query, headers: record.headers, bodyText };
			const wrong = requestDepartures(section, request);
			if (wrong.length > 0) throw invalid(wrong.join('; '));
			return described(section, this.carryOut(admitted, query, record, bodyText));
		} catch (thrown) {
			described(section, rejection(thrown));
			throw thrown;
		}
	}

	private carryOut(
		{ endpoint, params, idempotencyKey }: Admitted,
		query: URLSearchParams,
		record: RequestRecord,
		bodyText: string,
	): Answer {
		return endpoint.handle({
			params,
			query,
			body: parseJson(bodyText),
			bodyText,
			state: this.state,
			execute: (effect) =>
				this.ledger.push({
					n: this.ledger.length + 1,
					path: record.path,
					body: withoutImages(bodyText),
					at: performance.now(),
					...effect,
					...(idempotencyKey !== undefined && { idempotencyKey }),
				}),
			transferred: this.onTransfer,
		});
	}
}

/** Level of an API key; undefined for a missing or unknown key. */
export const levelOf = (apiKey: string | undefined) =>
	([1, 2, 3] as const).find((level) => API_KEYS[level] === apiKey);

/** Returns an answer that fits the description. @throws Error for any other */
function described(section: string, answer: Answer): Answer {
	const wrong = answerDepartures(answer.chosen ? undefined : section, answer);
	if (wrong.length > 0)
		throw new Error(`§${section} departs from its description: ${wrong.join('; ')}`);
	return answer;
}

/** Answer of a thrown rejection. @throws any other error */
export function rejection(thrown: unknown): Answer {
	if (thrown instanceof Rejected) return thrown.answer;
	throw thrown;
}

/** @throws Rejected for an unknown key, an unknown path or a level that is too low */
function admit({ method, apiKeyLevel, headers }: RequestRecord, routed: Routed): Admitted {
	if (apiKeyLevel === undefined) throw new Rejected(401, 'AUTH', 'Missing or invalid API key');
	const { endpoint } = routed;
	if (!endpoint) throw notFound('Path', `${method} ${routed.path}`);
	const { level, idempotent } = endpoint;
	// The document shows no code for a key whose level is too low (§5.2). The simulator uses AUTH.
	if (apiKeyLevel < level)
		throw new Rejected(
			401,
			'AUTH',
			`This API key has level ${apiKeyLevel}; level ${level} is required`,
		);
	return {
		...routed,
		endpoint,
		...(idempotent && { idempotencyKey: headers['idempotency-key'] }),
	};
}

/** Answer of last resort that marks a defect of the simulator. */
export const defect = (thrown: unknown) =>
	errorAnswer(500, 'SIMULATOR_DEFECT', thrown instanceof Error ? thrown.message : String(thrown));
