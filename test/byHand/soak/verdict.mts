import lodash from 'lodash';

import { deliveryKey } from '../../../nodes/CardTreasuryTrigger/delivery.ts';
import type { Envelope } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { eventName, type EventEnvelope } from '../../simulator/index.mts';
import type { MemorySample, Sent } from './deliveries.mts';
import type { StoredExecution, StoredState } from './executions.mts';
import { judgeMemory } from './memory.mts';
import type { Outage, Target } from './target.mts';

interface Evidence {
	target: Pick<Target, 'oneProcess' | 'failedStarts'>;
	sent: Sent[];
	outages: Outage[];
	/** Executions before any retry. */
	before: StoredExecution[];
	/** Executions after a user has retried the cut-off ones. */
	after: StoredExecution[];
	/** Number of executions that n8n has neither run nor ended. */
	left: number;
	state: StoredState;
	memory: MemorySample[];
}

export interface Verdict {
	/** Counts with their descriptions. */
	facts: Array<[what: string, value: string]>;
	/** Violations; empty if all is well. */
	faults: string[];
}

/** Description of the count that a supervisor must handle. */
export const FAILED_STARTS = 'Starts of n8n at which it ended by itself, and was started again';

/** Events that the service sends once, whatever the reply (§6.4). */
const UNREPEATED = new Set(['cards.authorization', 'cards.notification_3ds_authorization']);

/** Number of keys that the trigger keeps. */
const MOST_KEYS = 10_000;
/** After a restart, n8n first works off its backlog. */
const RECOVERY_MS = 15_000;
/** A delivery sent this long before a kill can still be in flight. */
const UNDER_WAY_MS = 2_000;

/** Compares the sender's results with n8n's stored executions. */
export function judge(evidence: Evidence): Verdict {
	const { target, sent, outages, before, after, left, state, memory } = evidence;
	const faults: string[] = [];
	const facts: Verdict['facts'] = [];
	const fact = (what: string, value: string | number | unknown[]) => {
		const count = Array.isArray(value) ? value.length : value;
		facts.push([what, typeof count === 'number' ? count.toLocaleString('en-US') : count]);
	};
	const mustNotBe = (what: string, found: unknown[]) => {
		fact(`${what} (must be 0)`, found);
		if (found.length > 0) faults.push(`${what}: ${found.length}, e.g. ${JSON.stringify(found[0])}`);
	};
	const isNearOutage = ([from, to]: Span) =>
		outages.some((outage) => to >= outage.from - UNDER_WAY_MS && from <= outage.to + RECOVERY_MS);

	const [unwanted, wanted] = lodash.partition(
		sent,
		({ kind }) => kind === 'forged' || kind === 'malformed',
	);
	const genuine = wanted.map((one) => ({
		...one,
		key: deliveryKey(one.body as unknown as Envelope),
		name: eventName(one.body as EventEnvelope),
	}));
	const isAuthorization = ({ name }: { name: string }) => name === 'cards.authorization';
	fact('Deliveries', sent);
	fact(
		'… of these repetitions of an earlier one',
		genuine.filter(({ kind }) => kind === 'duplicate'),
	);
	fact('… of these authorizations, decided by rules', genuine.filter(isAuthorization));
	fact('… of these forged or malformed', unwanted);
	fact('Kinds of events', lodash.uniqBy(genuine, 'name'));
	fact('Killed', outages.map(({ what }) => what).join(', ') || 'nothing');
	const failedStarts = target.failedStarts();
	if (failedStarts !== undefined) fact(FAILED_STARTS, failedStarts);
	fact(
		'Deliveries that needed more than one attempt',
		genuine.filter(({ delivery }) => delivery.attempts.length > 1),
	);
	mustNotBe(
		'Forged or malformed deliveries that were accepted',
		// While n8n starts, it answers 200 by itself, with its own text.
		unwanted.filter(
			({ delivery }) =>
				delivery.delivered ||
				delivery.attempts.some(
					({ status, body = '' }) => status === 200 && body.includes('response_code'),
				),
		),
	);

	const [delivered, undelivered] = lodash.partition(genuine, 'delivery.delivered');
	const [missed, lost] = lodash.partition(undelivered, ({ name }) => UNREPEATED.has(name));
	mustNotBe('Repeated events (§6.4) that were never delivered', lost);
	const [missedNear, missedElse] = lodash.partition(missed, (one) => isNearOutage(spanOf([one])));
	fact('Authorizations and 3DS notices, which are not repeated, missed around a kill', missedNear);
	// The benchmarks measure times. Here the machine may be busy, for example with starting n8n.
	fact('… and at any other time', missedElse);

	const stored = new Set(before.map(({ key }) => key));
	const acknowledged = lodash.uniqBy(delivered, 'key');
	fact('Different events that were acknowledged', acknowledged);
	const unstored = lodash.partition(
		acknowledged.filter(({ key }) => !stored.has(key)),
		isAuthorization,
	);
	mustNotBe('… of these without an execution', unstored[1]);
	// n8n cannot both store it first and answer in time.
	fact('… authorizations answered and then not stored, by design', unstored[0]);

	const passedBefore = lodash.countBy(
		before.filter(({ passed }) => passed),
		'key',
	);
	const twice = acknowledged.filter(({ key }) => passedBefore[key]! > 1);
	fact('Executions', before);
	fact(
		'… of these ended at the trigger: repetitions',
		before.filter(({ status, passed }) => status === 'success' && !passed),
	);
	fact(
		'… of these cut off by a kill',
		before.filter(({ status }) => ['crashed', 'error'].includes(status)),
	);
	fact('… of these left by n8n as neither run nor ended', left);
	const [across, without] = lodash.partition(twice, ({ key }) =>
		isNearOutage(spanOf(genuine.filter((one) => one.key === key))),
	);
	const [authorizations, events] = lodash.partition(across, isAuthorization);
	const label = 'Events that ran more than once, across a kill';
	if (target.oneProcess) mustNotBe(label, events);
	else fact(label, events);
	// Only their process knows them: the service never repeats authorizations, but this sender does.
	fact('… and authorizations, of which the service sends no copies (§6.4)', authorizations);
	if (target.oneProcess) mustNotBe('… and without a kill', without);
	else fact('… and without a kill: two workers had looked its key up at once', without);

	const passedAfter = new Set(after.filter(({ passed }) => passed).map(({ key }) => key));
	const [retriable, others] = lodash.partition(
		acknowledged.filter(({ key }) => stored.has(key) && !passedBefore[key]),
		({ key }) => passedAfter.has(key),
	);
	fact('Events that ran when a user had retried the execution that was cut off', retriable);
	const ended = new Set(before.flatMap(({ key, status }) => (status === 'error' ? [key] : [])));
	const [takenAlong, stuck] = lodash.partition(others, ({ key }) => ended.has(key));
	fact(
		'Events whose execution n8n has ended with an error and emptied (see queue mode)',
		takenAlong,
	);
	const errors = before.flatMap(({ status, error }) => (status === 'error' ? (error ?? '–') : []));
	fact('Errors of executions', lodash.uniq(errors).join(' · ') || 'none');
	mustNotBe('Acknowledged events that have not run, and that no retry runs', stuck);

	fact('Delivery keys in the stored memory', state.keys);
	if (state.keys > MOST_KEYS) faults.push('More delivery keys are stored than the trigger keeps');
	fact('Characters of static data of the workflow', state.staticData);
	if (state.staticData > 200) faults.push('The static data of the workflow grows');
	const settledAt = (outages.at(-1)?.to ?? -Infinity) + RECOVERY_MS;
	for (const { what, value, grew } of judgeMemory(memory, settledAt)) {
		fact(what, value);
		if (grew) faults.push(`${what}: ${value}`);
	}
	return { facts, faults };
}

type Span = readonly [from: number, to: number];

/** Period from the first attempt to the end of the last. */
function spanOf(deliveries: Array<Pick<Sent, 'delivery'>>): Span {
	const attempts = deliveries.flatMap(({ delivery }) => delivery.attempts);
	return [
		Math.min(...attempts.map(({ at }) => at)),
		Math.max(...attempts.map(({ at, ms }) => at + ms)),
	];
}
