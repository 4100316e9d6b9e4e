import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import pLimit from 'p-limit';

import type { OutputItem, ServiceOperation, ServiceRequest } from '../operation';
import { FieldRefusal, type ParameterReader } from '../parameters/reader';
import { connect, type Connection } from '../request/connection';
import { checkOwnKey, deriveIdempotencyKey, IDEMPOTENCY_HEADER, type WorkIdentity } from '../request/idempotencyKey';
import { deliverRequest, type Effort, type Outcome, type Traits } from '../request/pipeline';
import { Lane } from '../request/lane';
import type { Refusal, Repetition } from '../request/refusal';
import { stateOfBatch, type ItemState } from './batchState';
import { refuseAfterCrash } from './crashGuard';
import { readEffort } from './effort';
import { n8nParameters } from './n8nParameters';
import { precheck, type FailedRead } from './precheck';
import { failedItem, hintsAfter, inputError, serviceError } from './report';
import { repetitionOf } from './repetition';
import { forgetRun, isFirstRun, workIdentity } from './workIdentity';

/** How many requests may be under way at once; the pacer decides how fast they start. */
const CONCURRENCY = 60;

type Operation = ServiceOperation<unknown>;

/** One item, ready to be sent. */
interface Prepared {
	fields: unknown;
	request: ServiceRequest;
	effort: Effort;
	traits: Traits;
	/** Whether the node made the idempotency key, not the user. */
	derivedKey: boolean;
}

/** An item before it is sent: ready, or why it will not be. */
type Entry = Prepared | FieldRefusal | FailedRead;

type Result =
	| { ok: true; items: OutputItem[]; tries: number }
	| { ok: false; refusal: FieldRefusal | Refusal; tries: number }
	| { ok: 'not sent' };

/** Runs an operation for all items: first all are checked, then all are sent; results keep the order of the items. */
export async function runService(n8n: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[]> {
	const inputs = n8n.getInputData();
	if (inputs.length === 0) return [];
	const goOn = n8n.continueOnFail();
	const connection = await settle(async () => await connect(n8n));
	// Thrown under Continue On Fail, n8n would hand on the input items as if all had gone well.
	if (connection instanceof FieldRefusal) return await refuseAll(n8n, connection);
	const firstRun = isFirstRun(n8n);
	const identity = workIdentity(n8n);
	const repetition = repetitionOf(n8n);
	const prepared: Entry[] = await Promise.all(
		inputs.map(async ({ json }, index) => await prepare(operation, n8nParameters(n8n, index, json), identity(index), repetition)),
	);
	refuseSharedKeys(prepared);
	const began = connection.clock.now();
	const lane = new Lane(n8n.getExecutionCancelSignal());
	// An item that is wrong by itself stops the batch before anything is asked of the service.
	if (goOn || prepared.every(isReady)) await refuseByPrecheck(connection, operation, prepared, lane);
	const refused = prepared.findIndex((item) => !isReady(item));
	// Nothing of a batch is sent while one of its items is wrong, unless the user wants to go on.
	if (refused >= 0 && !goOn) {
		lane.close();
		throw errorOf(n8n, asResult(prepared[refused] as FieldRefusal | FailedRead), refused);
	}
	const cutOff = firstRun && prepared.some((item) => isReady(item) && item.derivedKey) ? await refuseAfterCrash(n8n) : undefined;
	if (cutOff) {
		forgetRun(n8n);
		lane.close();
		return await refuseAll(n8n, cutOff);
	}

	const results = await sendAll(connection, operation, prepared, goOn, lane);
	const seconds = (connection.clock.now() - began) / 1000;
	const firstRefused = results.findIndex((result) => result.ok === false);
	// After Stop an error would take the items with it that tell what has been sent.
	const stopped = n8n.getExecutionCancelSignal()?.aborted === true;
	if (!goOn && !stopped && firstRefused >= 0) throw errorOf(n8n, withBatch(results, firstRefused, prepared), firstRefused);
	const items = (await Promise.all(results.map(async (result, index) => await outputOf(n8n, result, index)))).flat();
	const tries = results.map((result) => ('tries' in result ? result.tries : 0));
	n8n.addExecutionHints(...hintsAfter(items, tries, seconds));
	return items;
}

function isReady(entry: Entry): entry is Prepared {
	return 'request' in entry;
}

function asResult(refused: FieldRefusal | FailedRead): Result {
	return refused instanceof FieldRefusal ? { ok: false, refusal: refused, tries: 0 } : refused;
}

/** Puts in place of each item that the service would turn down, why. */
async function refuseByPrecheck(connection: Connection, operation: Operation, prepared: Entry[], lane: Lane): Promise<void> {
	const ready = prepared.map((item) => (isReady(item) ? item : undefined));
	const objections = await precheck(connection, operation, ready, lane);
	objections.forEach((objection, index) => {
		if (objection !== undefined) prepared[index] = objection;
	});
}

/** For what is wrong with every item: the credential, or the execution itself. */
async function refuseAll(n8n: IExecuteFunctions, refusal: FieldRefusal): Promise<INodeExecutionData[]> {
	if (!n8n.continueOnFail()) throw inputError(n8n, refusal, 0);
	const refused = n8n.getInputData().map(async (_, index) => await outputOf(n8n, { ok: false, refusal, tries: 0 }, index));
	return (await Promise.all(refused)).flat();
}

async function prepare(
	operation: Operation,
	parameters: ParameterReader,
	identity: WorkIdentity,
	repetition: Repetition,
): Promise<Prepared | FieldRefusal> {
	return await settle(async () => {
		const fields = await operation.fields(parameters);
		const effect = typeof operation.effect === 'function' ? operation.effect(fields) : operation.effect;
		const request = operation.request(fields);
		const keyed = effect === 'keyed write' || (effect === 'unkeyed write' && operation.keyAnyWrite === true);
		const own = keyed ? ownKey(parameters) : undefined;
		const key = keyed ? (own ?? deriveIdempotencyKey(identity, request)) : undefined;
		const headers = { ...request.headers, ...(key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key }) };
		return {
			fields,
			request: { ...request, headers },
			effort: readEffort(parameters, operation.timeoutMs),
			traits: { ...operation, effect, repetition: own === undefined ? repetition : 'own key' },
			derivedKey: keyed && own === undefined,
		};
	});
}

/** The user's own key; undefined when the option is not set. */
function ownKey(parameters: ParameterReader): string | undefined {
	const options = parameters.get('options');
	if (typeof options !== 'object' || options === null || !('idempotencyKey' in options)) return undefined;
	const own = parameters.get('options.idempotencyKey');
	const reason = checkOwnKey(own);
	if (reason === undefined) return String(own);
	throw new FieldRefusal(
		'Idempotency Key',
		reason,
		'Check the expression that gives it, or remove the option to let the node derive the key.',
	);
}

/** The service would carry out only the first of two pieces of work with the same key. */
function refuseSharedKeys(prepared: Entry[]): void {
	const places = new Map<string, number[]>();
	prepared.forEach((item, index) => {
		const key = isReady(item) ? item.request.headers?.[IDEMPOTENCY_HEADER] : undefined;
		if (key !== undefined) places.set(key, [...(places.get(key) ?? []), index]);
	});
	for (const indexes of places.values()) {
		if (indexes.length < 2) continue;
		for (const index of indexes) {
			prepared[index] = new FieldRefusal(
				'Idempotency Key',
				`is the same for items ${indexes.slice(0, 10).join(', ')}: only the first would be carried out`,
				'Make it different for each item, e.g. by putting the wallet and the date into it.',
			);
		}
	}
}

async function sendAll(
	connection: Connection,
	operation: Operation,
	prepared: Entry[],
	goOn: boolean,
	lane: Lane,
): Promise<Result[]> {
	const inTurn = pLimit(CONCURRENCY);
	const send = async (item: Entry): Promise<Result> => {
		if (!isReady(item)) return asResult(item);
		if (lane.stopped) return { ok: 'not sent' };
		const outcome = await deliverRequest(connection, item.traits, item.request, item.effort, lane);
		if (outcome.ok === 'stopped') return { ok: 'not sent' };
		const result = outcome.ok ? await readItems(operation, item, outcome) : withKey(outcome, item);
		if (result.ok === false && !goOn) lane.halt();
		return result;
	};
	const results = await Promise.all(prepared.map(async (item) => await inTurn(send, item)));
	lane.close();
	return results;
}

/** Of work that may have been done, the key is what it can be asked for by, and sent again with. */
function withKey(outcome: Extract<Outcome, { ok: false }>, { request, traits }: Prepared): Result {
	const idempotencyKey = traits.effect === 'keyed write' ? request.headers?.[IDEMPOTENCY_HEADER] : undefined;
	if (!outcome.refusal.mayHaveHappened || idempotencyKey === undefined) return outcome;
	return { ...outcome, refusal: { ...outcome.refusal, idempotencyKey } };
}

async function readItems(
	operation: Operation,
	item: Prepared,
	outcome: { answer: Parameters<Operation['items']>[0]; tries: number },
): Promise<Result> {
	const items = await settle(() => operation.items(outcome.answer, item.fields));
	if (items instanceof FieldRefusal) return { ok: false, refusal: items, tries: outcome.tries };
	return { ok: true, items, tries: outcome.tries };
}

async function outputOf(n8n: IExecuteFunctions, result: Result | undefined, index: number): Promise<INodeExecutionData[]> {
	if (result === undefined || result.ok === 'not sent') return [];
	const pairedItem = { item: index };
	if (result.ok === false) {
		const { refusal } = result;
		const facts: Partial<Refusal> = refusal instanceof FieldRefusal ? {} : refusal;
		return [failedItem(errorOf(n8n, result, index), facts, index, n8n.getNode().onError === 'continueErrorOutput')];
	}
	return await Promise.all(
		result.items.map(async ({ json, file }) => {
			if (file === undefined) return { json, pairedItem };
			const data = await n8n.helpers.prepareBinaryData(file.bytes, file.fileName, file.mimeType);
			return { json, binary: { [file.property]: data }, pairedItem };
		}),
	);
}

/** The refusal that ends the run, together with what became of the other items. */
function withBatch(results: Result[], place: number, prepared: Entry[]): Result | undefined {
	const [result, entry] = [results[place], prepared[place]];
	if (result?.ok !== false || result.refusal instanceof FieldRefusal || !entry || !isReady(entry)) return result;
	const { effect, repetition = 'copied key' } = entry.traits;
	const states = results.map(({ ok, ...rest }): ItemState => {
		if (ok === true) return 'carried out';
		if (ok === 'not sent') return 'not sent';
		return 'refusal' in rest && 'mayHaveHappened' in rest.refusal && rest.refusal.mayHaveHappened ? 'may have been carried out' : 'refused';
	});
	return { ...result, refusal: { ...result.refusal, fix: result.refusal.fix + stateOfBatch(states, effect, repetition) } };
}

function errorOf(n8n: IExecuteFunctions, result: Result | undefined, index: number) {
	const refusal = result?.ok === false ? result.refusal : undefined;
	if (refusal instanceof FieldRefusal) return inputError(n8n, refusal, index);
	return serviceError(n8n, refusal ?? { message: 'The item was not sent', fix: '', traceId: null }, index);
}

/** Turns bad input into a value; anything else is a defect and goes on as it is. */
async function settle<Value>(work: () => Value | Promise<Value>): Promise<Value | FieldRefusal> {
	return await Promise.resolve()
		.then(work)
		.catch((thrown: unknown) => (thrown instanceof FieldRefusal ? thrown : Promise.reject(thrown)));
}
