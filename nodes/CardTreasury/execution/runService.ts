import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceOperation } from '../operation';
import { FieldRefusal } from '../parameters/reader';
import { connect, type Connection } from '../request/connection';
import { Lane } from '../request/lane';
import { refuseAfterCrash } from './crashGuard';
import { hintsAfter } from './hints';
import { n8nParameters } from './n8nParameters';
import { errorOf, outputOf, refuseAll, withBatch } from './output';
import { precheck } from './precheck';
import { isReady, prepare, refuseSharedKeys, type Entry, type Refused } from './prepare';
import { repetitionOf } from './repetition';
import { sendAll, unsent } from './sendAll';
import { settle } from './settle';
import { forgetRun, isFirstRun, workIdentity } from './workIdentity';

type Operation = ServiceOperation<unknown>;

/** Runs an operation for all items: first all are checked, then all are sent; results keep the order of the items. */
export async function runService(
	n8n: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	if (n8n.getInputData().length === 0) return [];
	const connection = await settle(async () => await connect(n8n));
	// Thrown under Continue On Fail, n8n would hand on the input items as if all had gone well.
	if (connection instanceof FieldRefusal) return await refuseAll(n8n, connection);
	const lane = new Lane(n8n.getExecutionCancelSignal());
	try {
		return await runAll(n8n, operation, connection, lane);
	} finally {
		lane.close();
	}
}

async function runAll(
	n8n: IExecuteFunctions,
	operation: Operation,
	connection: Connection,
	lane: Lane,
): Promise<INodeExecutionData[]> {
	const goOn = n8n.continueOnFail();
	const firstRun = isFirstRun(n8n);
	const prepared = await prepareAll(n8n, operation);
	const began = connection.clock.now();
	// An item that is wrong by itself stops the batch before anything is asked of the service.
	if (goOn || prepared.every(isReady))
		await refuseByPrecheck(connection, operation, prepared, lane);
	// Nothing of a batch is sent while one of its items is wrong, unless the user wants to go on.
	const wrong = prepared.findIndex((entry) => !isReady(entry));
	if (wrong >= 0 && !goOn) throw errorOf(n8n, unsent(prepared[wrong] as Refused), wrong);
	const derived = prepared.filter(isReady).filter(({ derivedKey }) => derivedKey);
	const cutOff =
		firstRun && derived.length > 0
			? await refuseAfterCrash(
					n8n,
					derived.map(({ request }) => request),
				)
			: undefined;
	if (cutOff) {
		forgetRun(n8n);
		return await refuseAll(n8n, cutOff);
	}

	const results = await sendAll(connection, operation, prepared, goOn, lane);
	const seconds = (connection.clock.now() - began) / 1000;
	const firstRefused = results.findIndex((result) => result.ok === false);
	// After Stop an error would take the items with it that tell what has been sent.
	const stopped = n8n.getExecutionCancelSignal()?.aborted === true;
	if (!goOn && !stopped && firstRefused >= 0)
		throw errorOf(n8n, withBatch(results, firstRefused, prepared), firstRefused);
	const items = (
		await Promise.all(results.map(async (result, index) => await outputOf(n8n, result, index)))
	).flat();
	const tries = results.map((result) => ('tries' in result ? result.tries : 0));
	n8n.addExecutionHints(...hintsAfter(items, tries, seconds));
	return items;
}

async function prepareAll(n8n: IExecuteFunctions, operation: Operation): Promise<Entry[]> {
	const identity = workIdentity(n8n);
	const repetition = repetitionOf(n8n);
	const entries = n8n
		.getInputData()
		.map(
			async ({ json }, index) =>
				await prepare(operation, n8nParameters(n8n, index, json), identity(index), repetition),
		);
	return refuseSharedKeys(await Promise.all(entries));
}

/** Puts in place of each item that the service would turn down, why. */
async function refuseByPrecheck(
	connection: Connection,
	operation: Operation,
	prepared: Entry[],
	lane: Lane,
): Promise<void> {
	const ready = prepared.map((item) => (isReady(item) ? item : undefined));
	const objections = await precheck(connection, operation, ready, lane);
	objections.forEach((objection, index) => {
		if (objection !== undefined) prepared[index] = objection;
	});
}
