import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import { queryText, type RequestResult } from '../request/client';
import { parseExactly } from '../request/exactJson';
import type { JsonObject } from '../request/input';
import { describeBody } from '../request/request';
import { isRemembered, needsRequest, type Checked, type Prepared } from './batch';
import { refuseDuplicates } from './duplicates';
import { limitsRefusal } from './limits';
import { listRefused } from './refusedItems';
import type { Run } from './run';

/**
 * Maximum number of payments per run. With more, n8n could drop notes of the same run, because a node has room for
 * 20,000.
 */
export const MAX_PAYMENTS = 5_000;

/**
 * Step 2: checks all items, before the first one is sent.
 * @returns the items that need a request. A retry looks them up even if a failed item has ended the run.
 */
export async function check(run: Run): Promise<Checked[]> {
	const { batch } = run;
	refuseDuplicates(run);
	refuseTooMany(run);
	if (!run.isOver) await precheck(run);
	listRefused(run);
	if (!run.isOver) {
		// An agent's calls are counted when they are decided, because others may be under way.
		const counted = run.pending.filter(({ work }) => !batch.caller.isTool || work.dryRun);
		const why = limitsRefusal(counted, batch);
		if (why) for (const item of run.pending) run.fail(item, why);
	}
	if (!run.isOver) answerUnsent(run);
	return run.pending.filter(({ work }) => needsRequest(work));
}

function refuseTooMany(run: Run): void {
	const payments = run.pending.filter(
		({ work }) => isRemembered(work) && work.nothingToSend === undefined,
	);
	if (!run.batch.notes || payments.length <= MAX_PAYMENTS) return;
	const why = new InvalidFieldError(
		'This run',
		`has ${payments.length} payments, and n8n remembers at most ${MAX_PAYMENTS} of one run`,
		'Split the items, for example with a Loop Over Items node.',
	);
	for (const item of payments) run.fail(item, why);
}

/**
 * Checks each item against the current data of the service. Items that need the same data share one request.
 */
async function precheck(run: Run): Promise<void> {
	const { service, group } = run.batch;
	const reads = new Map<string, Promise<RequestResult>>();
	const checkOne = async (item: Checked) => {
		const { work } = item;
		if (!work.precheck || work.nothingToSend) return;
		const { request, profile, check: found, names, mayFail } = work.precheck;
		const read =
			reads.get(request.path) ??
			service.client.send({ request, profile, policy: work.policy }, group);
		reads.set(request.path, read);
		const result = await read;
		if (result.kind === 'stopped') return;
		if (result.kind === 'answered') {
			if (names) run.names = (told) => names(result.answer, told);
			const nothing = orInvalid(() => found(result.answer));
			if (nothing instanceof InvalidFieldError) run.fail(item, nothing);
			else if (nothing) work.nothingToSend = nothing;
			return;
		}
		const { failure, attempts } = result;
		// An API key without permission to read may still write (§5.1), so the write shows if the key is accepted.
		if (mayFail || failure.status === 401 || failure.status === 403) return;
		const fix = `${failure.fix} Only the check before sending failed.`;
		run.fail(item, { ...failure, fix, outcome: 'not_sent' }, undefined, attempts);
	};
	await Promise.all(run.pending.map(checkOne));
}

/** Sets the result of each item that needs no request. */
function answerUnsent(run: Run): void {
	const done = (item: Checked, shown: JsonObject) =>
		run.end(item, { kind: 'done', items: [shown], attempts: 0, outcome: 'not_sent' });
	for (const item of run.pending) {
		const { nothingToSend, dryRun } = item.work;
		if (nothingToSend) done(item, { ...nothingToSend, idempotency_key: null, trace_id: null });
		else if (dryRun) done(item, requestShown(item.work));
	}
}

/** Output of a dry run. A random key is omitted, because the real request would carry another one. */
function requestShown({ request, key, payment, subject }: Prepared): JsonObject {
	const { method, path, query, body } = request;
	return {
		...subject,
		outcome: 'dry_run',
		...(subject && 'status' in subject && { status: 'DRY_RUN' }),
		...(key !== undefined && { idempotency_key: payment ? key : null }),
		trace_id: null,
		request: {
			method,
			path: path + queryText(query),
			body: body === undefined ? null : (parseExactly(describeBody(body)) ?? null),
		},
	};
}
