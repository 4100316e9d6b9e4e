import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fastify, type FastifyReply } from 'fastify';

import { booksOf, continueBooks, type Books } from './books.mts';
import { chainReader } from './chainReader.mts';
import type { Company } from './console/company.mts';
import { consoleRoutes } from './console/console.mts';
import { CONTROL_PREFIX, controlRoutes } from './control.mts';
import { inWords } from './description.mts';
import { Faults } from './faults.mts';
import { Outbox, type Subscription } from './outbox.mts';
import { RateLimit } from './rateLimit.mts';
import { breakOff, defect, send, serviceRoutes, type World } from './service.mts';
import { SimulatorState } from './state.mts';

/** What the simulator does where the document leaves it open. */
export interface Settings {
	/** Limit of §8, default 15; 0 = no limit. */
	requestsPerSecond: number;
	/** Delay of every answer, default 0. */
	latencyMs: number;
	/** Time until a pending transfer succeeds, default 3,000. */
	pendingTransferMs: number;
}

export interface SimulatorOptions extends Partial<Settings> {
	port?: number;
	/** Target of the events that the simulator emits by itself. */
	subscription?: Subscription;
	/** Books of an earlier simulator, which this one continues. */
	books?: Books;
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts the simulated service on the loopback interface. @throws if the port is taken */
export async function startSimulator(options: SimulatorOptions = {}) {
	const { port = 0, subscription, books, ...given } = options;
	const startSettings: Settings = {
		...{ requestsPerSecond: 15, latencyMs: 0, pendingTransferMs: 3_000 },
		...given,
	};
	const closing = endlessListeners();
	let waits = endlessListeners();
	const settings = { ...startSettings };
	const world: World = {
		settings,
		state: new SimulatorState(),
		ledger: [],
		requests: [],
		deliveries: [],
		kept: new Map(),
		rateLimit: new RateLimit(settings),
		faults: new Faults(),
		pause: (ms) => wait(ms, undefined, { signal: waits.signal }),
		transferred(transfer) {
			// A reset or the closing of the simulator cancels the confirmation.
			events.confirm(transfer).catch((thrown: unknown) => {
				if (!isAbort(thrown)) throw thrown;
			});
		},
	};
	const { state, ledger, requests, deliveries, kept, rateLimit, faults } = world;
	const events = new Outbox(world, closing.signal, subscription);
	if (books) continueBooks(world, books);

	const app = fastify({
		// Kept open long enough that a client never reuses a connection while it is being closed.
		keepAliveTimeout: 60_000,
		forceCloseConnections: true,
		bodyLimit: 256 * 1024 * 1024,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 100_000 },
		schemaErrorFormatter: (errors, part) => new Error(inWords(errors, part).join('; ')),
	});
	app.setErrorHandler((thrown, _request, reply) => failed(thrown, reply));
	await app.register(serviceRoutes(world));
	await app.register(chainReader(world));
	await app.register(consoleRoutes);
	await app.register(
		controlRoutes(() => simulator),
		{ prefix: CONTROL_PREFIX },
	);
	const url = await app.listen({ port, host: '127.0.0.1' });

	const simulator = {
		...{ url, state, ledger, requests, deliveries, faults, events },
		/** Company that the page shows beside the service; set once it exists. */
		company: undefined as Company | undefined,
		/** What the company waits for before it exists, in a sentence. */
		waitsFor: undefined as string | undefined,
		/** A change applies from the next request until a reset. */
		settings,
		/** `rejected` counts the 429s of the limit, not those of faults. */
		rateLimit,
		books: () => booksOf(world),
		/** Restores the initial state and destroys the sockets of requests in flight. */
		reset(): void {
			waits.abort();
			waits = endlessListeners();
			state.reset();
			for (const list of [ledger, requests, deliveries]) list.length = 0;
			kept.clear();
			Object.assign(settings, startSettings);
			faults.clear();
			rateLimit.clear();
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

/** Signal that hundreds of requests and deliveries in flight may listen to without a leak warning. */
function endlessListeners(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

// Compared by name, because under jest the errors of Node's modules belong to another realm.
const isAbort = (thrown: unknown) => (thrown as Error).name === 'AbortError';
