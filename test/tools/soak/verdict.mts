import lodash from 'lodash';

import { deliveryKey, type Envelope } from '../../../nodes/CardTreasuryTrigger/delivery/parse.ts';
import { eventName, type EventEnvelope } from '../../simulator/index.mts';
import type { MemorySample, Sent } from './deliveries.mts';
import type { StoredExecution, StoredState } from './executions.mts';
import { judgeMemory } from './memory.mts';
import type { Outage } from './target.mts';

export interface Evidence {
	/** See the target. */
	oneProcess: boolean;
	sent: Sent[];
	outages: Outage[];
	/** When everything had ended, before anybody retried anything. */
	before: StoredExecution[];
	/** When what was cut off had been retried by a user. */
	after: StoredExecution[];
	/** Executions that n8n has neither run nor ended. */
	left: number;
	/** See the target. */
	failedStarts: number | undefined;
	state: StoredState;
	memory: MemorySample[];
}

export interface Verdict {
	/** What was counted, in words. */
	facts: Array<[what: string, value: string]>;
	/** What must not be; empty when all is well. */
	faults: string[];
}

/** What whatever supervises n8n has to put right. */
export const FAILED_STARTS = 'Starts of n8n at which it ended by itself, and was started again';

/** Events that the service sends once, whatever comes of it (§6.4). */
const UNREPEATED = new Set(['cards.authorization', 'cards.notification_3ds_authorization']);
const AUTHORIZATION = 'cards.authorization';

/** The trigger's memory holds no more; see its own limit. */
const MOST_KEYS = 20_000;
/** What has come up again works off what waited for it. */
const RECOVERY_MS = 15_000;
/** What was sent this long before a kill can be under way when it comes. */
const UNDER_WAY_MS = 2_000;

interface Genuine extends Sent {
	key: string;
	name: string;
}

/** Compares what the sender knows with what n8n has stored. */
export function judge({
	oneProcess,
	sent,
	outages,
	before,
	after,
	left,
	failedStarts,
	state,
	memory,
}: Evidence): Verdict {
	const faults: string[] = [];
	const facts: Verdict['facts'] = [];
	const fact = (what: string, value: string | number) =>
		facts.push([what, typeof value === 'number' ? value.toLocaleString('en-US') : value]);
	const mustNotBe = (what: string, found: unknown[]) => {
		fact(`${what} (must be 0)`, found.length);
		if (found.length > 0) faults.push(`${what}: ${found.length}, e.g. ${JSON.stringify(found[0])}`);
	};
	const nearOutage = (from: number, to: number) =>
		outages.some((outage) => to >= outage.from - UNDER_WAY_MS && from <= outage.to + RECOVERY_MS);

	const isUnwanted = ({ kind }: Sent) => kind === 'forged' || kind === 'malformed';
	const unwanted = sent.filter(isUnwanted);
	const genuine = sent
		.filter((one) => !isUnwanted(one))
		.map((one): Genuine => ({ ...one, key: keyOf(one), name: nameOf(one) }));
	fact('Deliveries', sent.length);
	fact(
		'… of these repetitions of an earlier one',
		genuine.filter(({ kind }) => kind === 'duplicate').length,
	);
	fact(
		'… of these authorizations, decided by rules',
		genuine.filter(({ name }) => name === AUTHORIZATION).length,
	);
	fact('… of these forged or malformed', unwanted.length);
	fact('Kinds of events', new Set(genuine.map(({ name }) => name)).size);
	fact('Killed', outages.map(({ what }) => what).join(', ') || 'nothing');
	if (failedStarts !== undefined) fact(FAILED_STARTS, failedStarts);
	fact(
		'Deliveries that needed more than one attempt',
		genuine.filter(({ delivery }) => delivery.attempts.length > 1).length,
	);
	mustNotBe(
		'Forged or malformed deliveries that were accepted',
		// What answers 200 while n8n starts is n8n itself, with a text of its own.
		unwanted.filter(
			({ delivery }) =>
				delivery.delivered ||
				delivery.attempts.some(
					({ status, body = '' }) => status === 200 && body.includes('response_code'),
				),
		),
	);

	const undelivered = genuine.filter(({ delivery }) => !delivery.delivered);
	mustNotBe(
		'Repeated events (§6.4) that were never delivered',
		undelivered.filter(({ name }) => !UNREPEATED.has(name)),
	);
	const missed = undelivered.filter(({ name }) => UNREPEATED.has(name));
	const spanOf = ({ delivery: { attempts } }: Genuine) =>
		[attempts[0]!.at, attempts.at(-1)!.at + attempts.at(-1)!.ms] as const;
	fact(
		'Authorizations and 3DS notices, which are not repeated, missed around a kill',
		missed.filter((one) => nearOutage(...spanOf(one))).length,
	);
	// Their time is the subject of the benchmarks: here the machine may be busy with starting n8n, or with anything else.
	fact('… and at any other time', missed.filter((one) => !nearOutage(...spanOf(one))).length);

	const byKey = new Map<string, StoredExecution[]>();
	for (const execution of before) {
		const known = byKey.get(execution.key);
		if (known) known.push(execution);
		else byKey.set(execution.key, [execution]);
	}
	const executionsOf = ({ key }: Genuine) => byKey.get(key) ?? [];
	const acknowledged = [
		...new Map(
			genuine.filter(({ delivery }) => delivery.delivered).map((one) => [one.key, one]),
		).values(),
	];
	fact('Different events that were acknowledged', acknowledged.length);
	const unstored = acknowledged.filter((one) => executionsOf(one).length === 0);
	mustNotBe(
		'… of these without an execution',
		unstored.filter(({ name }) => name !== AUTHORIZATION),
	);
	// n8n cannot store it first and answer in time.
	fact(
		'… authorizations answered and then not stored, by design',
		unstored.filter(({ name }) => name === AUTHORIZATION).length,
	);

	const timesPassed = countBy(
		before.filter(({ passed }) => passed),
		({ key }) => key,
	);
	const twice = acknowledged.filter(({ key }) => (timesPassed.get(key) ?? 0) > 1);
	const acrossOutage = (one: Genuine) => {
		const spans = genuine.filter(({ key }) => key === one.key).map(spanOf);
		return nearOutage(
			Math.min(...spans.map(([from]) => from)),
			Math.max(...spans.map(([, to]) => to)),
		);
	};
	fact('Executions', before.length);
	fact(
		'… of these ended at the trigger: repetitions that only the stored memory knew',
		before.filter(({ status, passed }) => status === 'success' && !passed).length,
	);
	fact(
		'… of these cut off by a kill',
		before.filter(({ status }) => ['crashed', 'error'].includes(status)).length,
	);
	fact('… of these left by n8n as neither run nor ended', left);
	const [across, without] = lodash.partition(twice, acrossOutage);
	const [authorizations, events] = lodash.partition(across, ({ name }) => name === AUTHORIZATION);
	const label = 'Events that ran more than once, across a kill';
	if (oneProcess) mustNotBe(label, events);
	else fact(label, events.length);
	// Only their process knows them: the service never repeats them, the sender here does.
	fact('… and authorizations, of which the service sends no copies (§6.4)', authorizations.length);
	if (oneProcess) mustNotBe('… and without a kill', without);
	else
		fact(
			'… and without a kill: nginx had turned to the other process (see queue mode)',
			without.length,
		);

	const passedBefore = new Set(timesPassed.keys());
	const passedAfter = new Set(after.filter(({ passed }) => passed).map(({ key }) => key));
	const cutOff = acknowledged.filter(
		(one) => executionsOf(one).length > 0 && !passedBefore.has(one.key),
	);
	const retriable = cutOff.filter(({ key }) => passedAfter.has(key));
	fact('Events that ran when a user had retried the execution that was cut off', retriable.length);
	const takenAlong = cutOff.filter(
		(one) =>
			!passedAfter.has(one.key) && executionsOf(one).some(({ status }) => status === 'error'),
	);
	fact(
		'Events whose execution n8n has ended with an error and emptied (see queue mode)',
		takenAlong.length,
	);
	mustNotBe(
		'Acknowledged events that have not run, and that no retry runs',
		cutOff.filter((one) => !passedAfter.has(one.key) && !takenAlong.includes(one)),
	);

	fact('Delivery keys in the stored memory', state.keys);
	if (state.keys > MOST_KEYS) faults.push('More delivery keys are stored than the trigger keeps');
	fact('Characters of static data of the workflow', state.staticData);
	if (state.staticData > 200) faults.push('The static data of the workflow grows');
	for (const { what, value, grew } of judgeMemory(
		memory,
		(outages.at(-1)?.to ?? -Infinity) + RECOVERY_MS,
	)) {
		fact(what, value);
		if (grew) faults.push(`${what}: ${value}`);
	}
	return { facts, faults };
}

function countBy<Value>(
	values: Value[],
	keyOfValue: (value: Value) => string,
): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values)
		counts.set(keyOfValue(value), (counts.get(keyOfValue(value)) ?? 0) + 1);
	return counts;
}

function keyOf({ body }: Sent): string {
	return deliveryKey(body as unknown as Envelope);
}

function nameOf({ body }: Sent): string {
	return eventName(body as EventEnvelope);
}
