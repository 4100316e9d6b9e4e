import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

import { answerControl, CONTROL_PREFIX } from './control.mts';
import { Faults, type Fault } from './faults.mts';
import { handle, readBody, send } from './handler.mts';
import type { RequestRecord } from './ledger.mts';
import { listen } from './listen.mts';
import { Outbox, type Subscription } from './outbox.mts';
import { RateLimit } from './rateLimit.mts';
import { defect, Service } from './service.mts';
import { completeSettings, type Settings } from './settings.mts';

export interface SimulatorOptions extends Partial<Settings> {
	/** Default: any free port. */
	port?: number;
	/** Where events go that the simulator emits by itself. */
	subscription?: Subscription;
	/** Faults that are on from the start, and again after each reset. */
	faults?: Fault[];
	/** The clock of the idempotency window and of the request limit, in milliseconds; default `performance.now()`. */
	now?: () => number;
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts the simulated service on the loopback interface. @throws when the port is taken, or for a setting that does not exist. */
export async function startSimulator(options: SimulatorOptions = {}) {
	const { port = 0, subscription, faults: startFaults = [], ...given } = options;
	const { now = () => performance.now(), ...givenSettings } = given;
	const startSettings = completeSettings(givenSettings);
	const settings = { ...startSettings };
	const requests: RequestRecord[] = [];
	const faults = new Faults();
	faults.add(...startFaults);
	const rateLimit = new RateLimit(settings);
	const closing = new AbortController();
	let waits = endlessListeners();
	const pause = (ms: number) => wait(ms, undefined, { signal: waits.signal });
	const service: Service = new Service({
		settings,
		now,
		onTransfer: (transfer) => void events.confirm(transfer).catch(ignoreAbort),
	});
	const events = new Outbox(service.state, settings, closing.signal, pause, subscription);

	const passage = { service, settings, requests, rateLimit, faults, now, pause };

	const server = createServer((incoming, response) => {
		serve(incoming, response).catch((thrown: unknown) => {
			// Waits are cut short when the simulator closes or starts afresh; anything else is a defect.
			if (isAbort(thrown) || response.headersSent) response.socket?.destroy();
			else send(response, defect(thrown));
		});
	});
	// A client that reuses connections must not meet one that is just being closed.
	server.keepAliveTimeout = 60_000;

	async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = 'GET', url = '/' } = incoming;
		if (!url.startsWith(CONTROL_PREFIX)) return await handle(incoming, response, passage);
		send(response, await answerControl(simulator, method, url, await readBody(incoming)));
	}

	const { url, close } = await listen(server, port);

	const simulator = {
		/** Without a trailing slash. */
		url,
		state: service.state,
		/** Live: a change holds from the next request on, until a reset. */
		settings,
		/** Live: grows with each executed effect. */
		ledger: service.ledger,
		/** Live: grows with each request of the service API. */
		requests,
		/** Live: events emitted through the simulator. */
		deliveries: events.deliveries,
		faults,
		/** Its `rejected` counts the 429s of the limit (not those of faults). */
		rateLimit,
		events,
		/** Ends the idempotency window of all keys now. */
		forgetKeys: () => service.idempotency.forget(),
		/** Everything as it was at the start; the sockets of requests that are being answered late are destroyed. */
		reset(): void {
			// What is still under way has no effect after this.
			waits.abort();
			waits = endlessListeners();
			service.reset();
			requests.length = 0;
			Object.assign(settings, startSettings);
			faults.clear();
			faults.add(...startFaults);
			rateLimit.clear();
			events.clear();
		},
		async close(): Promise<void> {
			closing.abort();
			waits.abort();
			await close();
		},
	};
	return simulator;
}

/** Every request that is answered late listens to its signal: hundreds at once are no leak. */
function endlessListeners(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

// By its name: under jest, the errors of Node's modules are of another realm.
const isAbort = (thrown: unknown) => (thrown as Error).name === 'AbortError';

function ignoreAbort(thrown: unknown): void {
	if (!isAbort(thrown)) throw thrown;
}
