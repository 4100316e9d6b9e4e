import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';

import type { Company } from './console/company.mts';
import { consoleRoutes } from './console/console.mts';
import { CONTROL_PREFIX, controlRoutes } from './control.mts';
import { Faults, type Fault } from './faults.mts';
import { breakOff, handle, send, serviceRoutes } from './handler.mts';
import type { RequestRecord } from './ledger.mts';
import { Outbox, type Subscription } from './outbox.mts';
import { RateLimit } from './rateLimit.mts';
import { defect, Service } from './service.mts';
import { completeSettings, type Settings } from './settings.mts';

export interface SimulatorOptions extends Partial<Settings> {
	/** Default: any free port. */
	port?: number;
	/** Target of the events that the simulator emits by itself. */
	subscription?: Subscription;
	/** Faults that are active at the start and after each reset. */
	faults?: Fault[];
	/** Clock of the idempotency window and the request limit, in milliseconds; default `performance.now()`. */
	now?: () => number;
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts the simulated service on the loopback interface. @throws if the port is taken or a setting does not exist */
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
	const service: Service = new Service(settings, now, (transfer) => {
		// A reset or the closing of the simulator cancels the confirmation.
		events.confirm(transfer).catch((thrown: unknown) => {
			if (!isAbort(thrown)) throw thrown;
		});
	});
	const events = new Outbox(service.state, settings, closing.signal, pause, subscription);

	const passage = { service, settings, requests, rateLimit, faults, now, pause };

	const app = fastify({
		// Kept open long enough that a client never reuses a connection while it is being closed.
		keepAliveTimeout: 60_000,
		forceCloseConnections: true,
		bodyLimit: 256 * 1024 * 1024,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 100_000 },
		// A path that cannot be decoded is a path that does not exist.
		frameworkErrors: (_error, request, reply) => void unroutable(request, reply),
	});
	const unroutable = async (request: FastifyRequest, reply: FastifyReply) =>
		await handle(request, reply, passage).catch((thrown: unknown) => failed(thrown, reply));
	app.setErrorHandler((thrown, _request, reply) => failed(thrown, reply));
	await app.register(serviceRoutes(passage));
	await app.register(consoleRoutes);
	await app.register(
		controlRoutes(() => simulator),
		{ prefix: CONTROL_PREFIX },
	);
	const url = await app.listen({ port, host: '127.0.0.1' });

	const simulator = {
		/** Company that the page shows beside the service; set once it exists. */
		company: undefined as Company | undefined,
		/** Without a trailing slash. */
		url,
		state: service.state,
		/** A change applies from the next request until a reset. */
		settings,
		/** Executed effects; grows while the simulator runs. */
		ledger: service.ledger,
		/** Requests to the service API; grows while the simulator runs. */
		requests,
		/** Events sent by the simulator; grows while it runs. */
		deliveries: events.deliveries,
		faults,
		/** `rejected` counts the 429s of the limit, not those of faults. */
		rateLimit,
		events,
		/** Ends the idempotency window of all keys now. */
		forgetKeys: () => service.idempotency.forget(),
		/** Restores the initial state and destroys the sockets of requests in flight. */
		reset(): void {
			// Requests in flight have no effect after this.
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
			await app.close();
		},
	};
	return simulator;
}

/** Only a reset or the closing of the simulator interrupts waits; any other error is a defect. */
const failed = (thrown: unknown, reply: FastifyReply) =>
	isAbort(thrown) || reply.raw.headersSent ? breakOff(reply) : send(reply, defect(thrown));

/** Signal that hundreds of requests in flight may listen to without a leak warning. */
function endlessListeners(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

// Compared by name, because under jest the errors of Node's modules belong to another realm.
const isAbort = (thrown: unknown) => (thrown as Error).name === 'AbortError';
