import type { RunRecord } from './checks.mts';
import { Deliberate, latency, never, type Incidents } from './incidents.mts';
import { TARGETS } from './ledger.mts';
import type { World } from './world.mts';

export interface SentOptions {
	method: string;
	url: string;
	headers: Record<string, string>;
	body?: string;
	timeout: number;
}

export type Host = ReturnType<typeof hostOf>;

/** Milliseconds; longer than the node waits for n8n's database. */
const SLOW_MS = 40_000;

/** Database, credential and network of one run of the node. */
export function hostOf(world: World, record: RunRecord, incidents: Incidents) {
	const { notes, settings } = world;
	return {
		incidents,
		/** Credential as it is saved now. */
		credential: () => {
			const { host, environment, apiKey } = world.target;
			record.target ??= world.target;
			return {
				environment,
				baseUrl: `https://${host}`,
				apiKey,
				webhookKey: '',
				idempotencyWindowHours: settings.promisedHours,
			};
		},
		apiKey: () => world.target.apiKey,
		/** @throws like n8n's helper if there is no answer */
		request: async (options: SentOptions, apiKey: string) =>
			await incidents.watch(async () => await send(world, record, incidents, options, apiKey)),
		record: async (entries: string[], maxEntries: number | undefined) =>
			await noting(world, record, incidents, 'record', () =>
				notes.record(record.memory, entries, maxEntries),
			),
		forget: async (entries: string[]) =>
			await noting(world, record, incidents, 'remove', () => notes.remove(record.memory, entries)),
		count: async () => await incidents.call(() => notes.of(record.memory).length),
	};
}

/**
 * Calls n8n's database.
 * @throws if the call fails
 */
async function noting<Result>(
	{ checks, notes, settings, time }: World,
	record: RunRecord,
	incidents: Incidents,
	what: 'record' | 'remove',
	effect: () => Result,
): Promise<Result> {
	const write = async () => {
		if (!settings.twoProcesses) return effect();
		const read = [...notes.of(record.memory)];
		await incidents.sleep(latency());
		return notes.overwrite(record.memory, read, time.date(), effect);
	};
	return await incidents.watch(async () => {
		const fault = incidents.nextNote();
		if (fault) checks.databaseFails(record, what, fault.silence !== undefined);
		const result = await incidents.call(async () => {
			if (fault?.silence === 'slow' && !fault.after) await incidents.sleep(SLOW_MS);
			return fault && !fault.after && fault.silence !== 'slow'
				? undefined
				: { value: await write() };
		});
		if (fault?.silence === 'hangs') return await never();
		if (fault?.silence === 'slow' && fault.after) await incidents.sleep(SLOW_MS);
		if (!result || (fault && !fault.silence)) throw new Deliberate('The database is gone');
		return result.value;
	});
}

/**
 * Sends one request over the network.
 * @throws like n8n's helper if there is no answer
 */
async function send(
	{ ledger, checks, time }: World,
	record: RunRecord,
	incidents: Incidents,
	{ url, body = '', headers, timeout }: SentOptions,
	apiKey: string,
) {
	const { host, pathname: path } = new URL(url);
	const target = TARGETS.find((known) => known.host === host && known.apiKey === apiKey);
	const { kind } = record.setup;
	// Without the user's own key, the service executes every repetition.
	const key = kind === 'request' ? undefined : headers['Idempotency-Key'];
	const sent = checks.sends(record, path, body, key, target);
	const canceled = cancellation(incidents.stop.signal);
	const answering = incidents.call(async () => {
		if (incidents.stop.signal.aborted) return await canceled;
		const fault = incidents.nextFault();
		const answer = target
			? ledger.answer({ target, path, body, key }, record, fault)
			: { status: 401, json: {} };
		checks.log(`${record.label}: ${path} → ${fault?.kind ?? 'answered'}`);
		if (fault?.kind === 'timeout' || fault?.kind === 'late') await incidents.sleep(timeout);
		return answer;
	});
	const answer = await Promise.race([answering, canceled]).finally(() => {
		sent.answeredAt = time.date();
	});
	if ('code' in answer) {
		// This code proves that nothing was sent.
		if (answer.code === 'ECONNREFUSED') sent.became = 'free';
		throw Object.assign(new Deliberate(answer.code), { code: answer.code });
	}
	const { status, json } = answer;
	if ([401, 404, 429].includes(status)) sent.became = 'free';
	else if (status < 400)
		sent.became = (json as { status?: string }).status === 'FAILED' ? 'failed' : 'accepted';
	return {
		statusCode: status,
		headers: { 'content-type': 'application/json', 'x-trace-id': 'trace' },
		body: Buffer.from(JSON.stringify(json)),
	};
}

/** Rejects on Stop, like a request in flight. */
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
