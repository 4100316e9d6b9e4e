import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { processClock, type Clock } from '../../shared/clock';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { addHints, isEngine2, unsupportedHost } from '../../shared/host';
import { PARTS, unusable, type Batch, type PartSettings, type Service } from '../batch/batch';
import { createJournal, type JournalData } from '../batch/journal';
import { tellFailure } from '../batch/outcome';
import { runBatch } from '../batch/runBatch';
import { chosenOperation } from '../operations';
import type { Operation, ServiceOperation } from '../operations/operation';
import { asInvalid, type Outcome } from '../request/errors';
import { createRateLimiters, RequestGroup } from '../request/rateLimiter';
import { calculateAll } from './calculate';
import { connect, type Process } from './connect';
import { orElse, readHost, readReporter, type Host, type Reporter } from './host';
import { createNotes, type NotesFor } from './notes';
import { callerOf, readItem } from './readItems';
import { errorOf, failedItem, render } from './render';
import { sendDecision } from './respond';

/** State that all runs in this process share. */
export interface ProcessState extends Process {
	notesFor: NotesFor;
	parts: PartSettings;
}

/** @param parts smaller parts let tests cut a batch at more moments */
export function createProcessState(
	clock = processClock,
	parts: PartSettings = PARTS,
): ProcessState {
	return {
		clock,
		parts,
		limiters: createRateLimiters(clock),
		notesFor: createNotes(async (ms) => await clock.wait(ms)),
	};
}

/** Runs the chosen operation for all items. Under Continue On Fail it never throws. */
export async function run(
	n8n: IExecuteFunctions,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	const reporter = readReporter(n8n);
	let host: Host | undefined;
	try {
		host = readHost(n8n, reporter);
		return await runOperation(n8n, host, state);
	} catch (thrown) {
		return failAll(n8n, reporter, host, thrown);
	}
}

/** Journal of this execution, stored in n8n's execution data. This package's nodes share the journal. */
function journalOf({ flow, node, runIndex }: Pick<Host, 'flow' | 'node' | 'runIndex'>) {
	const kept: { cardTreasury?: JournalData } = flow;
	return createJournal((kept.cardTreasury ??= {}), node.name, runIndex);
}

/**
 * Turns an error outside the batch into failed items under Continue On Fail, otherwise into one error. n8n would pass
 * the input on as a success if a node threw under Continue On Fail.
 * @param host undefined if the host could not be read, so that nothing was sent in this run
 */
function failAll(
	n8n: IExecuteFunctions,
	reporter: Reporter,
	host: Host | undefined,
	thrown: unknown,
): INodeExecutionData[] {
	const isOurs = thrown instanceof NodeApiError || thrown instanceof NodeOperationError;
	if (isOurs && !reporter.continueOnFail) throw thrown;
	const outcomeOf = host ? outcomesOf(host) : () => outcomeOfAny(n8n);
	// One item, if even the input cannot be read.
	const count = orElse(1, () => n8n.getInputData().length);
	const outcomes = Array.from({ length: count }, (_, index) => outcomeOf(index));
	if (reporter.continueOnFail) {
		const failure = asInvalid(thrown);
		// The items then have the fields of the operation, as those of a batch have.
		const chosen = orElse(undefined, () => operationOfAll(n8n));
		const operation = chosen?.kind === 'service' ? chosen : undefined;
		return outcomes.map((outcome, index) =>
			failedItem(reporter, failure, index, outcome, tellFailure(failure, outcome, operation)),
		);
	}
	const worst = WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'not_sent';
	throw errorOf(reporter, asInvalid(thrown), 0, worst);
}

function outcomesOf(host: Host): (index: number) => Outcome {
	const journal = journalOf(host);
	return (index) => journal.find(journal.itemPlace(index))?.outcome ?? 'not_sent';
}

/** Outcome of items whose journal entry cannot be found: unknown if this execution has sent anything before. */
function outcomeOfAny(n8n: IExecuteFunctions): Outcome {
	const kept: { cardTreasury?: JournalData } = orElse({}, () => n8n.getContext('flow'));
	return Object.keys(kept.cardTreasury?.entries ?? {}).length > 0 ? 'unknown' : 'not_sent';
}

const WORST_FIRST = ['unknown', 'accepted', 'failed', 'rejected'] as const;

async function runOperation(
	n8n: IExecuteFunctions,
	host: Host,
	state: ProcessState,
): Promise<INodeExecutionData[]> {
	if (n8n.getInputData().length === 0) return [];
	const operation = operationOfAll(n8n);
	if (operation.kind === 'response') return await sendDecision(n8n, host, operation);
	if (operation.kind === 'calculation') return await calculateAll(n8n, host, operation);
	const batch = await readBatch(n8n, host, operation, state);
	try {
		return render(n8n, host, batch, await runBatch(batch));
	} finally {
		batch.group.close();
	}
}

/** Returns the operation of all items. An imported workflow may hold an expression here, so items can differ. */
function operationOfAll(n8n: IExecuteFunctions): Operation {
	const { resource, operation: raw } = n8n.getNode().parameters;
	const isFixed = [resource, raw].every((value) => !String(value).startsWith('='));
	// n8n cannot read even a fixed parameter while its public address is broken.
	if (isFixed && typeof resource === 'string' && typeof raw === 'string')
		return chosenOperation(resource, raw);
	const items = n8n.getInputData();
	const [operation, ...others] = (isFixed ? items.slice(0, 1) : items).map((_, index) =>
		chosenOperation(
			String(n8n.getNodeParameter('resource', index)),
			String(n8n.getNodeParameter('operation', index)),
		),
	);
	if (operation && others.every((other) => other === operation)) return operation;
	throw new InvalidFieldError(
		'Operation',
		'is not the same for all items',
		'Choose Resource and Operation from the lists, in a node of its own for each operation.',
	);
}

/** Reads everything that the batch needs from n8n. */
async function readBatch(
	n8n: IExecuteFunctions,
	host: Host,
	operation: ServiceOperation,
	{ notesFor, parts, ...shared }: ProcessState,
): Promise<Batch> {
	const connecting = async (): Promise<Service> => {
		if (operation.effect !== 'read') {
			refuseOldHost(unsupportedHost());
			refuseEngine2(n8n);
		}
		return await connect(n8n, shared);
	};
	const service = await connecting().catch((thrown: unknown) => unusable(asInvalid(thrown)));
	return {
		operation,
		count: n8n.getInputData().length,
		readItem: async (index) => await readItem(n8n, operation, index),
		caller: callerOf(host, service.environment),
		journal: journalOf(host),
		node: host.node.id,
		...(host.keepsNotes && { notes: notesFor(n8n) }),
		parts,
		service,
		group: new RequestGroup(host.stopSignal),
		isRetry: host.mode === 'retry',
		continueOnFail: host.continueOnFail,
		resend: resendOf(host),
		now: () => shared.clock.date(),
		pause: pauses(shared.clock),
		storeFile: async (bytes, fileName, mimeType) =>
			await n8n.helpers.prepareBinaryData(bytes, fileName, mimeType),
		hint: (message) => addHints(n8n, [{ message }]),
	};
}

/** Longest time that a run may block the process, in milliseconds. */
const LONGEST_BLOCK_MS = 20;

/** Returns a function that yields once this time is used up. */
function pauses(clock: Clock): Batch['pause'] {
	let since = clock.now();
	return async () => {
		if (clock.now() - since < LONGEST_BLOCK_MS) return;
		await clock.wait(0);
		since = clock.now();
	};
}

/** How the user can re-send a payment whose outcome is unknown. */
function resendOf({ hasExecution, isTool, continueOnFail, mode }: Host): Batch['resend'] {
	if (!hasExecution) return undefined;
	if (isTool) return 'call';
	// n8n retries only failed executions, and Continue On Fail lets the execution succeed. A sub-workflow gets a new
	// execution when its parent is retried.
	return continueOnFail || mode === 'integrated' ? undefined : 'retry';
}

/** @throws InvalidFieldError if this n8n is too old */
function refuseOldHost(tooOld: string | undefined): void {
	if (tooOld === undefined) return;
	throw new InvalidFieldError('This n8n', 'is too old for writes', tooOld);
}

/**
 * Refuses writes in n8n's Engine 2.0. That engine stores neither the journal nor the start of an execution (n8n 2.41).
 * @throws InvalidFieldError
 */
function refuseEngine2(n8n: IExecuteFunctions): void {
	if (!isEngine2(n8n)) return;
	throw new InvalidFieldError(
		'This workflow',
		"uses n8n's Engine 2.0, which keeps no record of sent requests",
		'Remove engineType from the settings of the workflow.',
	);
}
