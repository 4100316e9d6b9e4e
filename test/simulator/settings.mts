import { z } from 'zod';

/** Setting: its check, initial value and command line flag. */
interface Setting<T> {
	schema: z.ZodType<T>;
	initial: T;
	/** Name on the command line. A flag without a placeholder inverts the initial value. */
	flag: string;
	placeholder?: string;
	max?: number;
	help: string;
}

type Texts = Omit<Setting<unknown>, 'schema' | 'initial'>;

const toggle = (initial: boolean, texts: Texts): Setting<boolean> => ({
	schema: z.boolean(),
	initial,
	...texts,
});

const count = (initial: number, max: number, texts: Texts): Setting<number> => ({
	schema: z.number().int().min(0).max(max),
	initial,
	max,
	...texts,
});

function choice<T extends string>(
	values: readonly [T, ...T[]],
	texts: Omit<Texts, 'placeholder'>,
): Setting<T> {
	// A custom schema, so that the setting keeps the type of its values.
	const schema = z.custom<T>(
		(value) => values.some((known) => known === value),
		`must be one of ${values.join(', ')}`,
	);
	return { schema, initial: values[0], placeholder: values.join('|'), ...texts };
}

/** One day, the longest time that can be set. */
const DAY_MS = 86_400_000;

/** Strictness of the service. The initial values are as lenient as the document allows. */
export const SETTINGS = {
	requestsPerSecond: count(15, 100_000, {
		flag: 'requests-per-second',
		placeholder: 'N',
		help: 'limit of §8; 0 = no limit',
	}),
	countRejected: toggle(false, {
		flag: 'count-rejected',
		help: 'requests rejected with 429 count towards the limit, too',
	}),
	retryAfter: choice(['none', 'seconds', 'date'], {
		flag: 'retry-after',
		help: 'form of the Retry-After header of a 429',
	}),
	latencyMs: count(0, 600_000, {
		flag: 'latency',
		placeholder: 'MS',
		help: 'delay of every answer',
	}),
	idempotencyWindowMs: count(0, DAY_MS, {
		flag: 'idempotency-window',
		placeholder: 'MS',
		help: 'time a key is remembered (§8: not shown); 0 = until the simulator stops',
	}),
	repetitionUnderWay: choice(['answer', 'wait', 'reject'], {
		flag: 'repetition',
		help: 'repetition of a request in flight: answered at once, answered after it, or rejected with 409',
	}),
	refuseKeyReuse: toggle(false, {
		flag: 'refuse-key-reuse',
		help: 'another request with a remembered key gives 409 VAL instead of the first result (§1.6)',
	}),
	keepRejections: toggle(false, {
		flag: 'keep-rejections',
		help: 'rejections are remembered under their key, too',
	}),
	transferEvents: toggle(true, {
		flag: 'no-transfer-events',
		help: 'no treasury.transfer event after a transfer',
	}),
	pendingTransferMs: count(3_000, DAY_MS, {
		flag: 'pending-transfer',
		placeholder: 'MS',
		help: 'time until a pending transfer succeeds',
	}),
};

export type Settings = {
	[Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['initial'];
};

export const SETTING_NAMES = Object.keys(SETTINGS) as ReadonlyArray<keyof Settings>;

export const settingsSchema = z
	.strictObject(Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema])))
	.partial() as z.ZodType<Partial<Settings>>;

/** Returns all settings: the given ones, and the initial values of the others. @throws ZodError */
export function completeSettings(given: Partial<Settings> = {}): Settings {
	const checked = settingsSchema.parse(given);
	const values = SETTING_NAMES.map((name) => [name, checked[name] ?? SETTINGS[name].initial]);
	return Object.fromEntries(values) as Settings;
}
