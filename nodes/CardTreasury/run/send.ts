import type { IBinaryKeyData } from 'n8n-workflow';
import pLimit from 'p-limit';

import { keyStoreOf } from '../../shared/keyStore';
import { asProblem, Problem } from '../../shared/problem';
import { shortened } from '../../shared/text';
import type { Effect, Reply } from '../service/request';
import { pay, type Payment } from './batch';
import type { Run } from './execution';
import { groupsBy, type Item } from './item';
import { dryRun, itemOf } from './prepare';
import { IF_UNKNOWN } from './refusals';
import { failed, type Result } from './result';

/** Requests of a run in flight. A large run leaves room for others, and slow replies do not slow it down. */
const AT_ONCE = 30;

/**
 * Notes that n8n keeps of a node: those of the latest 10,000 payments, whatever the size of runs (two, and one of their
 * run), and room for what several runs look up at once.
 */
const MOST_NOTES = 10_000 * 3 + 1_000;

/** Sends what has no result yet. Not everything is reached, if the run is stopped or ends at a problem. */
export async function sendAll(items: Item[], run: Run): Promise<void> {
	const due = items.filter(({ result }) => result === undefined);
	const isOnce = ({ work }: Item) => work!.names !== undefined;
	const others = due.filter((item) => !isOnce(item));
	await sendOnce(due.filter(isOnce), run);
	await sendOthers(others, run);
}

/** Sends writes that must not be repeated. */
async function sendOnce(items: Item[], run: Run): Promise<void> {
	const { n8n, operation, memory, service } = run;
	if (items.length === 0 || memory === undefined) return;
	/** The latest request with files. The next one waits for it, because files fill the memory. */
	let withFiles: Promise<unknown> = Promise.resolve();
	const payments = items.map((item): Payment => {
		const { names, payment, request } = item.work!;
		return {
			...names!,
			reference: payment && shortened(payment.reference, 40),
			what: () => operation.say?.(item.values, {}) ?? operation.action,
			send: async () => {
				const sent = sendOne(item, run);
				if (typeof request.body === 'function') withFiles = sent;
				return await sent;
			},
			alreadySent: () => itemOf(item, operation, {}, null),
			...(item.values.dryRun === true && { dryRun: () => dryRun(item, operation) }),
		};
	});
	const turn = async () => {
		await withFiles;
		await service.turn(run.isStopped);
	};
	const notes = keyStoreOf(n8n, MOST_NOTES);
	const results = await pay(payments, { ...run, ...memory, turn, notes });
	items.forEach((item, at) => (item.result = results[at]));
}

/** Sends what may be repeated. Sets of one thing follow each other, or a repeated one would undo a later one. */
async function sendOthers(items: Item[], run: Run): Promise<void> {
	const { service, isStopped, continueOnFail } = run;
	const limit = pLimit(AT_ONCE);
	let isOver = false;
	const send = async (item: Item) => {
		if (!isOver) await service.turn(isStopped);
		if (isOver || isStopped()) return;
		item.result = await sendOne(item, run);
		isOver ||= item.result.problem !== undefined && !continueOnFail;
	};
	const sendInOrder = async (group: Item[]) => {
		for (const item of group) await send(item);
	};
	const groups = groupsBy(items, ({ index, work }) =>
		work!.effect === 'set' ? work!.request.path : String(index),
	);
	await Promise.all(groups.map(async (group) => await limit(sendInOrder, group)));
}

/** Never throws. */
async function sendOne(item: Item, run: Run): Promise<Result> {
	const { operation, service, isStopped } = run;
	const { effect, request, key } = item.work!;
	const { level, errors } = operation;
	try {
		const reply = await service.send(request, { effect, level, errors, key, isStopped });
		return await resultOf(item, reply, run);
	} catch (thrown) {
		const problem = asProblem(thrown, 'unknown');
		if (problem.outcome !== 'unknown') return failed(problem);
		const [outcome, fix] = effect === 'read' ? READ : [problem.outcome, ADVICE[effect]];
		return failed(new Problem(problem.message, fix ?? problem.fix, outcome, problem.facts));
	}
}

/** A read executes nothing. */
const READ = ['rejected', undefined] as const;

/** Advice about a write that may have been executed. */
const ADVICE: Record<Exclude<Effect, 'read'>, string> = {
	payment: IF_UNKNOWN,
	once: 'It may have been executed: ask the provider before sending it again.',
	set: 'Run it again: it sets the same value.',
};

async function resultOf(item: Item, reply: Reply, { n8n, operation }: Run): Promise<Result> {
	const { traceId } = reply;
	const { items, outcome = 'done', files = {} } = operation.output(reply, item.values);
	const shown = items.map((fields) => itemOf(item, operation, fields, traceId));
	if (outcome === 'failed') {
		const fix = operation.payment
			? 'Correct the cause, then pay under a new reference.'
			: 'Ask the provider why.';
		const hash = shown[0]?.transaction_hash as string | undefined;
		const facts = { traceId, hash };
		return failed(new Problem('It was accepted, then FAILED', fix, 'failed', facts), shown);
	}
	const binary: IBinaryKeyData = {};
	for (const [name, { bytes, name: fileName, type }] of Object.entries(files))
		binary[name] = await n8n.helpers.prepareBinaryData(bytes, fileName, type);
	return {
		outcome: reply.isPending ? 'pending' : outcome,
		items: shown,
		...(Object.keys(binary).length > 0 && { binary }),
	};
}
