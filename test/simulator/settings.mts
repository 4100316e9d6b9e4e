import lodash from 'lodash';
import { z } from 'zod';

/** Setting: its check, initial value and command line flag. */
interface Setting<T> {
	schema: z.ZodType<T>;
	initial: T;
	/** Name on the command line. A flag without a placeholder inverts the initial value. */
	flag: string;
	help: string;
	placeholder?: string;
	max?: number;
	values?: readonly string[];
}

const toggle = (flag: string, help: string, initial = false): Setting<boolean> => ({
	...{ flag, help, initial },
	schema: z.boolean(),
});

const count = (flag: string, initial: number, help: string, max: number): Setting<number> => ({
	...{ flag, help, initial, max },
	placeholder: flag === 'requests-per-second' ? 'N' : 'MS',
	schema: z.number().int().min(0).max(max),
});

const choice = <T extends string>(
	flag: string,
	values: readonly [T, ...T[]],
	help: string,
): Setting<T> => ({
	...{ flag, help, values, initial: values[0] },
	placeholder: values.join('|'),
	schema: z.enum(values, { message: `must be one of ${values.join(', ')}` }),
});

/** One day, the longest time that can be set. */
const DAY_MS = 86_400_000;

/** Strictness of the service. The initial values are as lenient as the document allows. */
export const SETTINGS = {
	requestsPerSecond: count('requests-per-second', 15, 'limit of §8; 0 = no limit', 100_000),
	countRejected: toggle('count-rejected', 'requests rejected with 429 count, too'),
	retryAfter: choice('retry-after', ['none', 'seconds', 'date'], 'Retry-After header of a 429'),
	latencyMs: count('latency', 0, 'delay of every answer', 600_000),
	idempotencyWindowMs: count(
		'idempotency-window',
		0,
		'time a key is remembered (§8: not shown); 0 = until the simulator stops',
		DAY_MS,
	),
	repetitionUnderWay: choice(
		'repetition',
		['answer', 'wait', 'reject'],
		'repetition of a request in flight: answered at once, after it, or with 409',
	),
	refuseKeyReuse: toggle(
		'refuse-key-reuse',
		'another request with a remembered key gives 409 VAL, not the first result (§1.6)',
	),
	keepRejections: toggle('keep-rejections', 'rejections are remembered under their key, too'),
	transferEvents: toggle('no-transfer-events', 'no treasury.transfer event after a transfer', true),
	pendingTransferMs: count(
		'pending-transfer',
		3_000,
		'time until a pending transfer succeeds',
		DAY_MS,
	),
};

export type Settings = {
	[Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['initial'];
};

export const settingsSchema = z
	.strictObject(lodash.mapValues(SETTINGS, 'schema'))
	.partial() as z.ZodType<Partial<Settings>>;

/** Returns all settings: the given ones, and the initial values of the others. @throws ZodError */
export const completeSettings = (given: Partial<Settings> = {}): Settings =>
	({ ...lodash.mapValues(SETTINGS, 'initial'), ...settingsSchema.parse(given) }) as Settings;
