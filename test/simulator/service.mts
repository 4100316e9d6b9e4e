import { performance } from 'node:perf_hooks';

import { errorAnswer, invalid, notFound, Rejected, type Answer } from './answer.mts';
import { matchPath, type Endpoint } from './endpoint.mts';
import { ENDPOINTS } from './endpoints/index.mts';
import type { Amend } from './faultyAnswer.mts';
import { IdempotencyStore } from './idempotency.mts';
import { API_KEYS, OTHER_COMPANY_API_KEY } from './ids.mts';
import { withoutImages } from './images.mts';
import type { LedgerRow, RequestRecord } from './ledger.mts';
import type { Settings } from './settings.mts';
import { SimulatorState, type ExecutedTransfer } from './state.mts';

interface ServiceOptions {
	settings: Settings;
	/** Clock of the idempotency window, in milliseconds. */
	now: () => number;
	/** Called for each transfer of the company whose events are sent. */
	onTransfer: (transfer: ExecutedTransfer) => void;
}

export interface Caller {
	level: 1 | 2 | 3;
	company: 'own' | 'other';
}

/** Authenticated and routed request. */
interface Admitted {
	endpoint: Endpoint;
	params: Record<string, string>;
	path: string;
	query: string;
	company: Caller['company'];
	idempotencyKey?: string;
}

/**
 * Simulated service without its HTTP server. It takes recorded requests, returns answers and records effects in the
 * ledger.
 */
export class Service {
	readonly state = new SimulatorState();
	readonly ledger: LedgerRow[] = [];
	readonly idempotency: IdempotencyStore;
	private readonly otherState = new SimulatorState();

	constructor(private readonly options: ServiceOptions) {
		this.idempotency = new IdempotencyStore(options.settings, options.now);
	}

	reset(): void {
		this.state.reset();
		this.otherState.reset();
		this.ledger.length = 0;
		this.idempotency.clear();
	}

	/**
	 * Key that a request shares with its repetitions; undefined without a key, or if the request is rejected before its
	 * key is read.
	 */
	keyOf(record: RequestRecord): string | undefined {
		try {
			return storedKey(admit(record));
		} catch (thrown) {
			if (thrown instanceof Rejected) return undefined;
			throw thrown;
		}
	}

	/**
	 * Authenticates, routes and executes.
	 * @param bodyText the full text; the record holds it without images
	 * @param amend change that a fault makes to the answer
	 */
	answer(record: RequestRecord, bodyText: string, amend: Amend = (answer) => answer): Answer {
		try {
			return amend(this.execute(record, bodyText, amend));
		} catch (thrown) {
			if (thrown instanceof Rejected) return amend(thrown.answer);
			throw thrown;
		}
	}

	private execute(record: RequestRecord, bodyText: string, amend: Amend): Answer {
		const admitted = admit(record);
		if (this.options.settings.requireContentType && bodyText !== '' && !isJson(record))
			throw new Rejected(415, 'VAL', 'Content-Type must be application/json');
		const key = storedKey(admitted);
		if (key === undefined) return this.handle(admitted, record, bodyText);
		const fingerprint = JSON.stringify([record.method, admitted.path, bodyText]);
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
			if (thrown instanceof Rejected && this.options.settings.keepRejections)
				this.idempotency.keep(key, fingerprint, thrown.answer);
			throw thrown;
		}
	}

	private handle(admitted: Admitted, record: RequestRecord, bodyText: string): Answer {
		const { endpoint, params, query, company, idempotencyKey } = admitted;
		return endpoint.handle({
			params,
			query: new URLSearchParams(query),
			body: parseBody(bodyText),
			bodyText,
			state: company === 'own' ? this.state : this.otherState,
			settings: this.options.settings,
			execute: (effect) => {
				const row = {
					n: this.ledger.length + 1,
					path: record.path,
					body: withoutImages(bodyText),
					at: performance.now(),
				};
				this.ledger.push({
					...row,
					...effect,
					...(idempotencyKey !== undefined && { idempotencyKey }),
				});
			},
			transferred: (transfer) => {
				if (company === 'own') this.options.onTransfer(transfer);
			},
		});
	}
}

/** Owner of an API key; undefined for a missing or unknown key. */
export function callerOf(apiKey: string | undefined): Caller | undefined {
	if (apiKey === OTHER_COMPANY_API_KEY) return { level: 3, company: 'other' };
	const level = ([1, 2, 3] as const).find((candidate) => API_KEYS[candidate] === apiKey);
	return level && { level, company: 'own' };
}

/** @throws Rejected for an unknown key, an unknown path or a level that is too low */
function admit(record: RequestRecord): Admitted {
	if (record.apiKeyLevel === undefined)
		throw new Rejected(401, 'AUTH', 'Missing or invalid API key');
	// Not parsed as a URL, because that would normalize paths that a real service rejects.
	const [path = '', query = ''] = record.path.split(/\?(.*)/s);
	const route = findRoute(record.method, path);
	if (!route) throw notFound('Path', `${record.method} ${path}`);
	const { endpoint } = route;
	// The document shows no code for a key whose level is too low (§5.2). The simulator uses AUTH.
	if (record.apiKeyLevel < endpoint.level) {
		throw new Rejected(
			401,
			'AUTH',
			`This API key has level ${record.apiKeyLevel}; level ${endpoint.level} is required`,
		);
	}
	const idempotencyKey = endpoint.idempotent ? record.headers['idempotency-key'] : undefined;
	return { ...route, path, query, company: record.company ?? 'own', idempotencyKey };
}

/** Keys of different companies never match. */
const storedKey = ({ company, idempotencyKey }: Admitted) =>
	idempotencyKey === undefined ? undefined : `${company} ${idempotencyKey}`;

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

const isJson = ({ headers }: RequestRecord) =>
	/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');

function parseBody(text: string): unknown {
	if (text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		throw invalid('The body is not valid JSON');
	}
}

/** Answer of last resort that marks a defect of the simulator. */
export const defect = (thrown: unknown) =>
	errorAnswer(500, 'SIMULATOR_DEFECT', thrown instanceof Error ? thrown.message : String(thrown));
