import type { Checks } from './checks.mts';
import type { RunRecord } from './evidence.mts';
import type { Host, SentOptions } from './fakeN8n.mts';
import { Deliberate, never, type Incidents } from './incidents.mts';
import { TARGETS, type Ledger, type Target } from './ledger.mts';
import type { Notes } from './notes.mts';
import type { VirtualTime } from './virtualTime.mts';

/** What outlives an execution. */
export interface Surroundings {
	time: VirtualTime;
	ledger: Ledger<RunRecord>;
	checks: Checks;
	notes: Notes;
	target: Target;
	promisedHours: number;
}

/** n8n's database, the credential and the network, as one run of the node finds them. */
export function hostOf(around: Surroundings, record: RunRecord, incidents: Incidents): Host {
	const { time, notes, checks } = around;
	return {
		incidents,
		date: () => time.date(),
		credential: () => {
			const { host, environment, apiKey } = around.target;
			checks.readsCredential(record, around.target);
			const idempotencyWindowHours = around.promisedHours;
			const baseUrl = `https://${host}`;
			return { environment, baseUrl, apiKey, webhookKey: '', idempotencyWindowHours };
		},
		apiKey: () => around.target.apiKey,
		request: async (options, apiKey) =>
			await incidents.watch(async () => await send(around, record, incidents, options, apiKey)),
		record: async (nodeId, entries, { maxEntries }) =>
			await incidents.watch(
				async () => await noting(around, record, incidents, nodeId, entries, maxEntries),
			),
		forget: async (nodeId, entries) => await incidents.call(() => notes.remove(nodeId, entries)),
	};
}

/** A note in n8n's database. @throws when it fails there */
async function noting(
	{ notes }: Surroundings,
	record: RunRecord,
	incidents: Incidents,
	nodeId: string,
	entries: string[],
	maxEntries: number | undefined,
) {
	return await incidents.call(async () => {
		const fault = incidents.nextNote();
		record.lacksNote = fault !== undefined && !fault.after;
		const found = record.lacksNote ? undefined : await notes.record(nodeId, entries, maxEntries);
		if (fault?.hangs) return await never();
		if (fault || !found) throw new Deliberate('The database is gone');
		return found;
	});
}

/** One request over the network, and what comes back. @throws as n8n's helper does when nothing does */
async function send(
	{ time, ledger, checks }: Surroundings,
	record: RunRecord,
	incidents: Incidents,
	{ url, method, body = '', headers, timeout }: SentOptions,
	apiKey: string,
) {
	const { host, pathname: path } = new URL(url);
	const company = TARGETS.find((target) => target.apiKey === apiKey)?.company ?? '';
	const { kind, key: own } = record.setup;
	// Whether any other endpoint honors a key is not shown; only a key of the user's own says that it does.
	const key = kind === 'request' && own === undefined ? undefined : headers['Idempotency-Key'];
	const request = { host, apiKey, company, method, path, body, key };
	const sent = checks.sends(record, request, time.date());
	const canceled = cancellation(incidents.stop.signal);
	const answering = incidents.call(async () => {
		if (incidents.stop.signal.aborted) return await canceled;
		const before = ledger.executed.length;
		const fault = incidents.nextFault();
		const answer = sent.target ? ledger.answer(request, record, fault) : { status: 401, json: {} };
		const executed = ledger.executed[before];
		if (executed) checks.executes(record, executed);
		if (fault?.kind === 'timeout') await incidents.sleep(timeout);
		return answer;
	});
	const answer = await Promise.race([answering, canceled]);
	if ('code' in answer) {
		// Nothing was sent, and the node knows it.
		if (answer.code === 'ECONNREFUSED') sent.status = 429;
		throw Object.assign(new Deliberate(answer.code), { code: answer.code });
	}
	sent.status = answer.status;
	return {
		statusCode: answer.status,
		headers: { 'content-type': 'application/json', 'x-trace-id': 'trace' },
		body: Buffer.from(JSON.stringify(answer.json)),
	};
}

/** Stop ends the requests that are under way. */
function cancellation(stop: AbortSignal): Promise<never> {
	const canceled = new Promise<never>((_, reject) => {
		const cancel = () =>
			reject(Object.assign(new Deliberate('canceled'), { code: 'ERR_CANCELED' }));
		if (stop.aborted) cancel();
		else stop.addEventListener('abort', cancel, { once: true });
	});
	canceled.catch(() => {});
	return canceled;
}
