import { performance } from 'node:perf_hooks';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import lodash from 'lodash';

import { errorAnswer, invalid, json, notFound, Rejected, type Answer } from './answer.mts';
import type { LedgerRow, RequestRecord } from './books.mts';
import { compile } from './description.mts';
import { withoutImages } from './documentReview.mts';
import { ENDPOINTS, type Endpoint } from './endpoints.mts';
import { kindOf, tooManyRequests, type Fault, type Faults } from './faults.mts';
import { API_KEYS } from './ids.mts';
import type { DeliveryRecord } from './outbox.mts';
import { parseJson } from './parseJson.mts';
import type { RateLimit } from './rateLimit.mts';
import type { Settings } from './server.mts';
import type { ExecutedTransfer, SimulatorState } from './state.mts';

/** Parts of the simulator that all requests share. */
export interface World {
	state: SimulatorState;
	settings: Settings;
	ledger: LedgerRow[];
	requests: RequestRecord[];
	deliveries: DeliveryRecord[];
	/** First answers by `Idempotency-Key` (§1.6). All API keys of the company share them. */
	kept: Map<string, Answer>;
	rateLimit: RateLimit;
	faults: Faults;
	/** Rejects if the simulator is reset or closed before the time has passed. */
	pause(ms: number): Promise<void>;
	transferred(transfer: ExecutedTransfer): void;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		endpoint?: Endpoint;
	}
	interface FastifyRequest {
		arrival?: { record: RequestRecord; isOverLimit: boolean };
	}
}

/** Routes of the service: each documented endpoint (§4), and a rejection of every other path. */
export function serviceRoutes(world: World): FastifyPluginCallback {
	return (app, _options, done) => {
		app.setValidatorCompiler(({ schema }) => compile(schema as object));
		app.setSerializerCompiler(({ schema }) => {
			const validate = compile(schema as object);
			return (value) => {
				if (validate(value)) return JSON.stringify(value);
				throw new Error(
					`An answer departs from its description: ${JSON.stringify(validate.errors)}`,
				);
			};
		});
		app.decorateRequest('arrival');
		// A request counts when it arrives, before its body has been read.
		app.addHook('onRequest', (request, _reply, next) => {
			request.arrival = arrive(request, world);
			next();
		});
		app.removeAllContentTypeParsers();
		app.addContentTypeParser('*', { parseAs: 'string' }, ({ arrival }, text, next) => {
			arrival!.record.bodyText = withoutImages(String(text));
			next(null, parseJson(String(text)));
		});
		const handler = async (request: FastifyRequest, reply: FastifyReply) =>
			await answer(request, reply, world);
		for (const endpoint of ENDPOINTS)
			app.route({
				method: endpoint.method,
				url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
				config: { endpoint },
				schema: endpoint.schema,
				// What departs from the schema is answered after the key, and under its idempotency key.
				attachValidation: true,
				handler,
			});
		app.setNotFoundHandler(handler);
		done();
	};
}

function arrive({ raw }: FastifyRequest, { requests, rateLimit }: World) {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(raw.headers)) headers[name] = String(value);
	const level = ([1, 2, 3] as const).find((each) => API_KEYS[each] === headers['x-api-key']);
	if ('x-api-key' in headers) headers['x-api-key'] = '<redacted>';
	const n = requests.length + 1;
	const record: RequestRecord = {
		...{ n, headers, bodyText: '', traceId: `simulator-trace-${n}` },
		at: new Date().toISOString(),
		method: raw.method ?? 'GET',
		path: raw.url ?? '/',
		...(level && { apiKeyLevel: level }),
	};
	requests.push(record);
	return { record, isOverLimit: !rateLimit.admits(performance.now()) };
}

async function answer(
	request: FastifyRequest,
	reply: FastifyReply,
	world: World,
): Promise<FastifyReply> {
	const { settings, faults, pause } = world;
	const { record, isOverLimit } = request.arrival!;
	/** Sends the answer; until then, the request is in flight. */
	const respond = async (given?: Answer, cut?: 'cut-headers' | 'cut-body') => {
		if (settings.latencyMs > 0) await pause(settings.latencyMs);
		if (!given || reply.raw.destroyed) return breakOff(reply);
		record.status = given.status;
		return send(reply, given, record.traceId, cut);
	};
	if (isOverLimit) return await respond(tooManyRequests());
	const fault = faults.take(record.method, record.path);
	if (fault) record.fault = fault.kind;
	const replaced = kindOf(fault).instead?.(fault!);
	if (replaced && !fault!.effect) return await respond(replaced);
	if (fault?.kind === 'reset-before') return await respond();
	const delayMs = fault?.delayMs ?? 1_000;
	if (fault?.kind === 'slow-before') {
		await pause(delayMs);
		if (reply.raw.destroyed) return await respond();
	}
	const own = ownAnswer(request, reply, record, world, fault);
	if (fault?.kind === 'slow-after') await pause(delayMs);
	if (fault?.kind === 'reset-after') return await respond();
	const cut = fault?.kind === 'cut-headers' || fault?.kind === 'cut-body' ? fault.kind : undefined;
	return await respond(replaced ?? kindOf(fault).alter?.(own, fault!) ?? own, cut);
}

/** Authenticates and executes. A write with a remembered key gets the first answer, whatever it is now (§1.6). */
function ownAnswer(
	request: FastifyRequest,
	reply: FastifyReply,
	record: RequestRecord,
	world: World,
	fault?: Fault,
): Answer {
	let key: string | undefined;
	let own: Answer;
	try {
		const endpoint = admitted(request, record);
		key = endpoint.idempotent ? record.headers['idempotency-key'] : undefined;
		const kept = key === undefined ? undefined : world.kept.get(key);
		if (kept) {
			record.replayed = true;
			return kept;
		}
		own = execute(request, reply, endpoint, record, world);
	} catch (thrown) {
		if (!(thrown instanceof Rejected)) throw thrown;
		own = serialized(reply, thrown.status, lodash.pick(thrown, 'code', 'message'), thrown.headers);
	}
	// A rejection had no effect, so a repetition is processed again. A pending transfer had one.
	if (own.status >= 400) return own;
	const first = kindOf(fault).amend?.(own, fault!) ?? own;
	if (key !== undefined) world.kept.set(key, first);
	return first;
}

/** @throws Rejected for an unknown key, an unknown path or a level that is too low */
function admitted({ routeOptions, url }: FastifyRequest, record: RequestRecord): Endpoint {
	const { method, apiKeyLevel } = record;
	if (apiKeyLevel === undefined) throw new Rejected(401, 'AUTH', 'Missing or invalid API key');
	const { endpoint } = routeOptions.config ?? {};
	if (!endpoint) throw notFound('Path', `${method} ${url}`);
	if (apiKeyLevel >= endpoint.level) return endpoint;
	// The document shows no code for a key whose level is too low (§5.2). The simulator uses AUTH.
	const message = `This API key has level ${apiKeyLevel}; level ${endpoint.level} is required`;
	throw new Rejected(401, 'AUTH', message);
}

/** @throws Rejected for a request that departs from the description, Error for such an answer */
function execute(
	{ params, query, body, validationError }: FastifyRequest,
	reply: FastifyReply,
	endpoint: Endpoint,
	{ n: requestNumber }: RequestRecord,
	{ state, ledger, transferred }: World,
): Answer {
	if (validationError) throw invalid(validationError.message);
	const given = { params, query, body, state, transferred } as Parameters<Endpoint['handle']>[0];
	given.execute = (effect) => ledger.push({ request: requestNumber, ...effect });
	const value = endpoint.handle(given);
	if (!Buffer.isBuffer(value)) return serialized(reply, 200, value);
	return { status: 200, headers: { 'Content-Type': 'application/pdf' }, body: value };
}

/** @throws Error if the value departs from the description */
function serialized(
	reply: FastifyReply,
	status: number,
	value: unknown,
	headers: Answer['headers'] = {},
): Answer {
	const schemaOf = (name: string) => reply.getSerializationFunction(name);
	const serialize = schemaOf(String(status)) ?? schemaOf('default') ?? JSON.stringify;
	return { ...json(status, value, headers), body: serialize(value as object) };
}

export function send(
	reply: FastifyReply,
	{ status, headers: own, body, withoutTrace }: Answer,
	traceId?: string,
	cut?: 'cut-headers' | 'cut-body',
): FastifyReply {
	const trace = traceId === undefined || withoutTrace ? {} : { 'X-Trace-Id': traceId };
	const headers = { ...trace, ...own };
	// fastify gives an empty text a content type.
	if (!cut)
		return reply
			.code(status)
			.headers(headers)
			.send(body === '' ? undefined : body);
	const { raw } = reply.hijack();
	raw.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
	raw.flushHeaders();
	if (cut === 'cut-body') raw.write(body.slice(0, body.length >> 1));
	// The bytes written so far still arrive; the rest of the announced length never does.
	raw.socket?.destroySoon();
	return reply;
}

/** Destroys the connection without an answer. */
export function breakOff(reply: FastifyReply): FastifyReply {
	reply.hijack().raw.socket?.destroy();
	return reply;
}

/** Answer of last resort that marks a defect of the simulator. */
export const defect = (thrown: unknown): Answer =>
	errorAnswer(500, 'SIMULATOR_DEFECT', thrown instanceof Error ? thrown.message : String(thrown));
