import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { WriteKeys } from '../batch/batch';
import type { Clock } from '../client/transport';
import { InvalidFieldError } from '../errors';
import { clock } from './connect';
import { startOf, type ExecutionMemory } from './execution';

/** Per node: five and a half hours at one execution a second, two weeks at one a minute. */
const MAX_NOTES = 20_000;

/** A database that does not answer must not hold up payments for longer; two attempts fit in. */
const NOTE_MS = 4_000;
const ATTEMPTS = 2;

const OPTIONS = { mode: 'entries', maxEntries: MAX_NOTES } as const;

/**
 * Told before a run begins to write. @returns why it must not
 * @param round of a loop
 */
export type CrashGuard = (
	n8n: IExecuteFunctions,
	memory: ExecutionMemory,
	keys: WriteKeys,
	round: number,
) => Promise<InvalidFieldError | undefined>;

/**
 * Notes in n8n's database that an execution begins to write without keys of the user's own. A retry that finds such a
 * note, but not the journal, belongs to an execution that crashed: it would send everything again, under other keys.
 */
export function createCrashGuard(by: Clock = clock): CrashGuard {
	// n8n reads and writes a node's notes in two steps: one at a time, or notes get lost. Idle nodes are taken out.
	const queues = new Map<string, Promise<unknown>>();
	const inTurn = async <Result>(node: string, work: () => Promise<Result>): Promise<Result> => {
		const turn = (queues.get(node) ?? Promise.resolve()).then(work);
		const settled = turn.catch(() => undefined);
		queues.set(node, settled);
		void settled.then(() => queues.get(node) === settled && queues.delete(node));
		return await turn;
	};
	return async (n8n, memory, keys, round) => {
		// Without an execution there is nothing that could be retried.
		if (n8n.getExecutionId() === undefined) return undefined;
		const isRetry = n8n.getMode() === 'retry';
		if (keys === 'own' && !isRetry) return undefined;
		const node = `${n8n.getWorkflow().id}/${n8n.getNode().id}`;
		memory.start ??= markOf(n8n);
		const noted = (memory.noted ??= []);
		// The execution itself is always among them: n8n counts the rounds of a crashed execution's retry differently.
		const marks = [memory.start, ...(keys === 'none' ? [`${memory.start}-${round}`] : [])];
		const missing = marks.filter((mark) => !noted.includes(`${node}/${mark}`));
		if (missing.length === 0) return undefined;
		if (keys === 'own') {
			return (await inTurn(node, async () => await isNoted(n8n, missing, by)))
				? keyAdded()
				: undefined;
		}
		const begun = await inTurn(node, async () => await note(n8n, missing, by));
		if (isRetry && begun !== 'new') return refuseRetry(begun);
		if (begun === 'unknown') {
			n8n.logger.warn(
				'The note of begun writes could not be stored: after a crash of n8n, do not retry this execution.',
			);
		} else noted.push(...missing.map((mark) => `${node}/${mark}`));
		return undefined;
	};
}

/** Why a retry must not write. */
export function refuseRetry(begun: 'begun before' | 'unknown'): InvalidFieldError {
	return new InvalidFieldError(
		'Idempotency Key',
		begun === 'begun before'
			? 'is not set, and this retries an execution that seems to have been cut off while it was sending'
			: "is not set, and n8n's database could not say whether the execution being retried had begun to send",
		'Find out what was executed (wait for the events, or ask the provider), and start a new execution for the rest. With a key of your own from the start, such as an order number, a retry is safe as long as the service remembers the key.',
		'unknown',
	);
}

/** A retry may run the workflow as it is saved now: a key that was added since then names nothing that was sent. */
function keyAdded(): InvalidFieldError {
	return new InvalidFieldError(
		'Idempotency Key',
		'is set now, and was not when the execution that this retries was cut off while it was sending',
		'Find out what was executed (wait for the events, or ask the provider), and start a new execution for the rest.',
		'unknown',
	);
}

/**
 * What an execution and its retries have in common, though their IDs differ: the moment in which it was first started, and
 * what started it, because two may start in the same millisecond.
 */
function markOf(n8n: IExecuteFunctions): string {
	return `${startOf(n8n) ?? ''}-${createHash('sha256').update(startItems(n8n)).digest('hex').slice(0, 16)}`;
}

function startItems(n8n: IExecuteFunctions): string {
	try {
		const name = n8n.getExecutionContext?.()?.triggerNode?.name;
		if (name === undefined) return '';
		const items: unknown = n8n.getWorkflowDataProxy(0).$items(name);
		return Array.isArray(items)
			? JSON.stringify(items.map((item: { json?: unknown }) => item.json))
			: '';
	} catch {
		return '';
	}
}

/** Notes the marks, and tells whether one was noted before. */
async function note(
	n8n: IExecuteFunctions,
	marks: string[],
	by: Clock,
): Promise<'new' | 'begun before' | 'unknown'> {
	for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
		const stored = n8n.helpers
			.checkProcessedAndRecord(marks, 'node', OPTIONS)
			.then(({ processed }) =>
				processed.length > 0 ? ('begun before' as const) : ('new' as const),
			)
			.catch(() => 'unknown' as const);
		const outcome = await Promise.race([
			stored,
			by.wait(NOTE_MS / ATTEMPTS).then(() => 'unknown' as const),
		]);
		// After a failed first attempt the mark may be there by it.
		if (outcome !== 'unknown') return attempt > 1 && n8n.getMode() !== 'retry' ? 'new' : outcome;
	}
	return 'unknown';
}

/** Whether the marks have been noted; leaves the notes as they were. n8n offers no reading alone. */
async function isNoted(n8n: IExecuteFunctions, marks: string[], by: Clock): Promise<boolean> {
	const found = await note(n8n, marks, by);
	// A failed removal only makes a later retry refuse.
	if (found === 'new') await n8n.helpers.removeProcessed(marks, 'node', OPTIONS).catch(() => {});
	return found === 'begun before';
}
