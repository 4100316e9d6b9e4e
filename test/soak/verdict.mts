import { deliveryKey } from '../../nodes/CardTreasuryTrigger/deliveryKey.ts';
import { eventName, type EventEnvelope } from '../simulator/index.mts';
import type { MemorySample, Sent } from './deliveries.mts';
import type { StoredExecution, StoredState } from './executions.mts';
import type { Outage } from './instance.mts';

export interface Evidence {
	sent: Sent[];
	outages: Outage[];
	executions: StoredExecution[];
	state: StoredState;
	memory: MemorySample[];
}

export interface Verdict {
	/** What was counted, in words. */
	facts: Array<[string, string | number]>;
	/** What must not be; empty when all is well. */
	faults: string[];
}

/** Events that the service sends once, whatever comes of it (§6.4). */
const UNREPEATED = new Set(['cards.authorization', 'cards.notification_3ds_authorization']);

/** The trigger's memory holds no more; see its own limit. */
const MOST_KEYS = 20_000;
/** An n8n that has come up works off what waited for it. */
const RECOVERY_MS = 15_000;
/** Between an authorization's answer and its execution being stored: n8n cannot store it first and answer in time. */
const ANSWER_FIRST_MS = 2_000;

/** Holds what the sender knows against what n8n has stored. */
export function judge({ sent, outages, executions, state, memory }: Evidence): Verdict {
	const faults: string[] = [];
	const fault = (count: number, what: string, example?: unknown) => {
		if (count > 0) faults.push(`${count} ${what}${example === undefined ? '' : `, e.g. ${JSON.stringify(example)}`}`);
	};
	const duringOutage = (at: number, ms: number) => outages.some(({ from, to }) => at + ms >= from && at <= to + RECOVERY_MS);

	const genuine = sent.filter(({ kind }) => kind !== 'forged' && kind !== 'malformed').map((one) => ({ ...one, key: keyOf(one), name: nameOf(one) }));
	const unwanted = sent.filter(({ kind }) => kind === 'forged' || kind === 'malformed');
	const accepted = unwanted.filter(({ delivery }) => delivery.attempts.some(({ status }) => status !== undefined && status < 400));
	fault(accepted.length, 'forged or malformed deliveries were not refused', accepted[0]);

	const undelivered = genuine.filter(({ delivery }) => !delivery.delivered);
	const repeatable = undelivered.filter(({ name }) => !UNREPEATED.has(name));
	fault(repeatable.length, 'events were never delivered', repeatable[0]?.delivery);
	const missed = undelivered.filter(({ name }) => UNREPEATED.has(name));
	const unexplained = missed.filter(({ delivery }) => !delivery.attempts.every(({ at, ms }) => duringOutage(at, ms)));
	fault(unexplained.length, 'unrepeated events were missed while n8n was up', unexplained[0]);

	const byKey = Map.groupBy(executions, ({ key }) => key);
	const of = (key: string) => byKey.get(key) ?? [];
	const delivered = [...new Map(genuine.filter(({ delivery }) => delivery.delivered).map((one) => [one.key, one])).values()];
	const without = delivered.filter(({ key }) => of(key).length === 0);
	const answeredFirst = without.filter(({ name, delivery }) => {
		const { at, ms } = delivery.attempts.at(-1)!;
		return name === 'cards.authorization' && outages.some(({ from }) => at + ms <= from + 50 && from - at - ms < ANSWER_FIRST_MS);
	});
	const lost = without.filter((one) => !answeredFirst.includes(one));
	fault(lost.length, 'acknowledged events have no execution', lost[0]);
	const unrun = delivered.filter(({ key }) => of(key).length > 0 && !of(key).some(({ passed }) => passed));
	fault(unrun.length, 'acknowledged events never went on behind the trigger, not even when their execution was retried', unrun[0] && of(unrun[0].key));

	const ran = delivered.map((one) => ({ ...one, runs: of(one.key).filter(({ passed }) => passed) }));
	const twice = ran.filter(({ runs }) => runs.length > 1);
	const cut = twice.filter(({ key }) => of(key).some(({ status }) => status === 'crashed'));
	fault(twice.length - cut.length, 'events ran twice without having been cut off', twice.find((one) => !cut.includes(one))?.runs);

	fault(Math.max(0, state.keys - MOST_KEYS), 'more delivery keys are stored than the trigger keeps');
	fault(state.staticData > 200 ? state.staticData : 0, 'characters of static data are stored');
	const calm = memory.filter(({ at }) => at > (outages.at(-1)?.to ?? -Infinity) + RECOVERY_MS);
	const [early, late] = [calm.slice(0, Math.ceil(calm.length / 3)), calm.slice(-Math.ceil(calm.length / 3))].map(medianMiB);
	if (calm.length >= 60 && late! > early! * 1.25) faults.push(`memory grew from ${early} to ${late} MiB`);

	const repeated = genuine.filter(({ kind }) => kind === 'duplicate').length;
	const retried = genuine.filter(({ delivery }) => delivery.attempts.length > 1).length;
	const facts: Verdict['facts'] = [
		['Deliveries', sent.length],
		['of these repetitions', repeated],
		['of these forged or malformed, all refused', unwanted.length],
		['Kinds of events', new Set(genuine.map(({ name }) => name)).size],
		['Times n8n was killed', outages.length],
		['Deliveries that needed more than one attempt', retried],
		['Different events that were acknowledged', delivered.length],
		['of these without an execution', lost.length],
		['Events that were never delivered', repeatable.length],
		['Authorizations and 3DS notices missed while n8n was down (never repeated, §6.4)', missed.length],
		['Authorizations answered just before a kill, without an execution', answeredFirst.length],
		['Executions', executions.length],
		['of these cut off by a kill', executions.filter(({ status }) => status === 'crashed').length],
		['of these ended at the trigger, as duplicates that only the stored memory knew', executions.filter(({ status, passed }) => status === 'success' && !passed).length],
		['Events that ran more than once: cut off, and retried', cut.length],
		['Delivery keys stored', state.keys],
		['Characters of static data stored', state.staticData],
		['Memory after the last kill, first and last third (MiB)', `${early} → ${late}`],
	];
	return { facts, faults };
}

function keyOf({ body }: Sent): string {
	return deliveryKey(body as Parameters<typeof deliveryKey>[0]);
}

function nameOf({ body }: Sent): string {
	return eventName(body as EventEnvelope);
}

function medianMiB(samples: MemorySample[]): number {
	const sorted = samples.map(({ rssBytes }) => rssBytes).sort((left, right) => left - right);
	return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) / 2 ** 20);
}
