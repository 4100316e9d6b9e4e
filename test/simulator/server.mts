import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from './answer.mts';
import { CONTROL_PREFIX, answerControl } from './control.mts';
import { type DeliveryRecord, EventDesk, type Subscription } from './eventDesk.mts';
import { type ActiveFault, Faults } from './faults.mts';
import { replacement, tooManyRequests } from './faultyAnswer.mts';
import { withoutImages } from './images.mts';
import type { LedgerRow, RequestRecord } from './ledger.mts';
import { RateLimit, retryAfterValue, type RetryAfterForm } from './rateLimit.mts';
import { Service, defect, levelOf } from './service.mts';
import type { SimulatorState } from './state.mts';

export interface SimulatorOptions {
	/** Default: any free port. */
	port?: number;
	host?: '127.0.0.1';
	/** §8; default 15, 0 = off. */
	requestsPerSecond?: number;
	/** Every answer is this late. */
	latencyMs?: number;
	/** Form of the `Retry-After` header of the limit's 429; default none. */
	retryAfter?: RetryAfterForm;
	/** Where events go that the simulator emits by itself. */
	subscription?: Subscription;
}

export interface Simulator {
	/** Base URL without a trailing slash. */
	url: string;
	state: SimulatorState;
	/** Live: grows with each executed effect. */
	ledger: LedgerRow[];
	/** Live: grows with each request of the service API. */
	requests: RequestRecord[];
	/** Live: events emitted through the simulator. */
	deliveries: DeliveryRecord[];
	faults: Faults;
	/** Its `refused` counts the 429s of the limit (not those of faults). */
	rateLimit: RateLimit;
	events: EventDesk;
	/** Everything as it was at the start. */
	reset(): void;
	close(): Promise<void>;
}

/** Largest body read; documents with two images fit in. */
const MAX_BODY_BYTES = 40 * 1_024 * 1_024;

/** Starts the simulated service on the loopback interface. @throws when the port is taken. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const service = new Service();
	const requests: RequestRecord[] = [];
	const faults = new Faults();
	const rateLimit = new RateLimit(options.requestsPerSecond ?? 15);
	rateLimit.retryAfter = options.retryAfter ?? 'none';
	const closing = new AbortController();
	// Every request that is answered late listens to it: hundreds at once are no leak.
	setMaxListeners(0, closing.signal);
	const events = new EventDesk(service.state, closing.signal, options.subscription);

	const server = createServer((incoming, response) => {
		serve(incoming, response).catch((thrown: unknown) => {
			// Waits are cut short when the simulator closes; anything else is a defect.
			if (closing.signal.aborted || response.headersSent) response.socket?.destroy();
			else send(response, defect(thrown));
		});
	});
	// A client that reuses connections must not meet one that is just being closed.
	server.keepAliveTimeout = 60_000;

	async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const at = performance.now();
		const path = incoming.url ?? '/';
		if (path.startsWith(CONTROL_PREFIX)) {
			send(
				response,
				await answerControl(simulator, incoming.method ?? 'GET', path, await readBody(incoming)),
			);
			return;
		}
		const record = newRecord(incoming, at);
		const waitMs = rateLimit.admit(at);
		const bodyText = await readBody(incoming);
		record.bodyText = withoutImages(bodyText);
		const fault = waitMs > 0 ? undefined : faults.strike(record.method, record.path);
		if (fault) record.fault = fault.kind;
		const answer =
			waitMs > 0
				? tooManyRequests(retryAfterValue(rateLimit.retryAfter, waitMs / 1_000))
				: await answerOrReset(record, bodyText, response, fault);
		if (options.latencyMs) await pause(options.latencyMs);
		if (response.destroyed) record.abandoned = true;
		if (!answer || response.destroyed) {
			response.socket?.destroy();
			return;
		}
		record.status = answer.status;
		send(response, answer, record.traceId);
	}

	function newRecord(incoming: IncomingMessage, at: number): RequestRecord {
		const n = requests.length + 1;
		const headers: Record<string, string> = {};
		for (const [name, value] of Object.entries(incoming.headers)) headers[name] = String(value);
		const apiKeyLevel = levelOf(headers['x-api-key']);
		if ('x-api-key' in headers) headers['x-api-key'] = '<redacted>';
		const record: RequestRecord = {
			n,
			at,
			method: incoming.method ?? 'GET',
			path: incoming.url ?? '/',
			headers,
			bodyText: '',
			traceId: `simulator-trace-${n}`,
			...(apiKeyLevel !== undefined && { apiKeyLevel }),
		};
		requests.push(record);
		return record;
	}

	/** The answer, or undefined when the socket is to be destroyed. */
	async function answerOrReset(
		record: RequestRecord,
		bodyText: string,
		response: ServerResponse,
		fault: ActiveFault | undefined,
	): Promise<Answer | undefined> {
		if (!fault) return service.answer(record, bodyText);
		const replaced = replacement(fault);
		if (replaced) {
			if (replaced.effect) service.answer(record, bodyText);
			return replaced.answer;
		}
		if (fault.kind === 'reset-before') return undefined;
		if (fault.kind === 'slow-before') {
			await pause(fault.delayMs ?? 1_000);
			// Whoever gave up meanwhile had no effect: that is what sets this kind apart from slow-after.
			if (response.destroyed) return undefined;
			return service.answer(record, bodyText);
		}
		const answer = service.answer(record, bodyText);
		if (fault.kind === 'reset-after') return undefined;
		await pause(fault.delayMs ?? 1_000);
		return answer;
	}

	const pause = (ms: number) => wait(ms, undefined, { signal: closing.signal });

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
	});

	const simulator: Simulator = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		state: service.state,
		ledger: service.ledger,
		requests,
		deliveries: events.deliveries,
		faults,
		rateLimit,
		events,
		reset() {
			service.reset();
			requests.length = 0;
			faults.clear();
			rateLimit.clear();
			events.clear();
		},
		async close() {
			closing.abort();
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
	return simulator;
}

function send(response: ServerResponse, answer: Answer, traceId?: string): void {
	const length = Buffer.byteLength(answer.body);
	const trace = traceId === undefined ? {} : { 'X-Trace-Id': traceId };
	response.writeHead(answer.status, { ...trace, ...answer.headers, 'Content-Length': length });
	response.end(answer.body);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of incoming as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_BODY_BYTES) throw new Error('The body is too large for the simulator');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}
