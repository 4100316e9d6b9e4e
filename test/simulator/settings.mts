import { z } from 'zod';

/** One setting: how it is checked, what it is at first, and how the command line calls it. */
interface Setting<T> {
	schema: z.ZodType<T>;
	initial: T;
	/** Name on the command line; a flag without a placeholder turns the initial value around. */
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
	// A plain union, so that the setting keeps the type of its values.
	const schema = z.custom<T>(
		(value) => values.some((known) => known === value),
		`must be one of ${values.join(', ')}`,
	);
	return { schema, initial: values[0], placeholder: values.join('|'), ...texts };
}

/** The longest time that can be set: a day. */
const DAY_MS = 86_400_000;

/** How hard the service is on its callers. The initial values are as lenient as the document allows. */
export const SETTINGS = {
	requestsPerSecond: count(15, 100_000, {
		flag: 'requests-per-second',
		placeholder: 'N',
		help: 'per IP address and per company (§8); 0 = no limit',
	}),
	countRejected: toggle(false, {
		flag: 'count-rejected',
		help: 'requests answered with 429 also count towards the limit',
	}),
	retryAfter: choice(['none', 'seconds', 'date'], {
		flag: 'retry-after',
		help: 'Retry-After header of the 429',
	}),
	latencyMs: count(0, 600_000, {
		flag: 'latency',
		placeholder: 'MS',
		help: 'how late every answer is',
	}),
	idempotencyWindowMs: count(0, DAY_MS, {
		flag: 'idempotency-window',
		placeholder: 'MS',
		help: 'how long a key is remembered (§8: not shown); 0 = as long as it runs',
	}),
	repetitionUnderWay: choice(['answer', 'wait', 'reject'], {
		flag: 'repetition',
		help: 'a repetition while the first request is under way: answered at once, waits for its result, or 409',
	}),
	refuseKeyReuse: toggle(false, {
		flag: 'refuse-key-reuse',
		help: 'another request under a key that is remembered gives 409 VAL; without, the first result (§1.6)',
	}),
	keepRejections: toggle(false, {
		flag: 'keep-rejections',
		help: 'rejections are also remembered under their key',
	}),
	operationsForm: choice(['any', 'comma', 'repeated'], {
		flag: 'operations',
		help: 'how several operations are written in the transaction search; the other form gives 412 VAL',
	}),
	requireContentType: toggle(false, {
		flag: 'require-content-type',
		help: 'a body without Content-Type: application/json gives 415 VAL',
	}),
	unblockAnswer: choice(['object', 'array', 'string', 'empty'], {
		flag: 'unblock-answer',
		help: 'what unblocking a card answers (§4.10: not shown)',
	}),
	transferEvents: toggle(true, {
		flag: 'no-transfer-events',
		help: 'no treasury.transfer event after a transfer',
	}),
	pendingTransferMs: count(3_000, DAY_MS, {
		flag: 'pending-transfer',
		placeholder: 'MS',
		help: 'how long until a pending transfer succeeds',
	}),
};

export type Settings = {
	[Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['initial'];
};

export const SETTING_NAMES = Object.keys(SETTINGS) as ReadonlyArray<keyof Settings>;

export const settingsSchema = z
	.strictObject(Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema])))
	.partial() as z.ZodType<Partial<Settings>>;

/** All settings, with the given ones in the place of the initial ones. @throws ZodError */
export function completeSettings(given: Partial<Settings> = {}): Settings {
	const checked = settingsSchema.parse(given);
	const values = SETTING_NAMES.map((name) => [name, checked[name] ?? SETTINGS[name].initial]);
	return Object.fromEntries(values) as Settings;
}
