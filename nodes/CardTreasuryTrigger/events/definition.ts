import { z } from 'zod';

import { isDecimal } from '../../shared/decimal';
import { harmless, textOf } from '../../shared/plainLine';
import { SAMPLE_IDS } from '../../shared/sampleIds';

/**
 * Event in the catalog (§6.5). The panel, the outputs, the checks, the samples and the docs are made from the catalog.
 */
export interface EventDefinition<Schema extends z.ZodTypeAny = z.ZodTypeAny> {
	product: string;
	event_type: string;
	/** Name in the list of events. */
	label: string;
	/** Label of the output, distinctive word first. At most 76 pixels wide, because n8n's editor cuts longer labels. */
	output: string;
	/** Name in n8n's node panel. */
	action: string;
	/** Occasion on which the service sends the event. */
	when: string;
	/** Documented shape of `data`. */
	data: Schema;
	/** Deviations from the document that the schema cannot see, each beginning with the field. */
	deviations?(envelope: Facts): string[];
	/**
	 * Says in words what happened: the news, then what it is about.
	 * @param of returns a value of `data`, harmless in a message
	 */
	tell(of: ValueOf, status: string): [news: string, about: string];
	/** Entry of *Events* that takes only a part of these events, e.g. the failed ones. */
	part?: Part;
	/** Sample for *Test With*. Its IDs are recognizable. Its status is a plausible one if the interface document shows none. */
	sample: {
		status: string;
		/** Fixed ID, if the interface document shows what the ID means. By default, each sample gets a new one. */
		operation_id?: string;
		/** Company ID, if the interface document shows one in the envelope. */
		company_id?: string;
		/** @param now ISO 8601 in UTC */
		data(now: string): z.infer<Schema>;
	};
}

/** Fields of an envelope that the document relates to each other. */
export interface Facts {
	operation_id: unknown;
	status?: unknown;
	data: Readonly<Record<string, unknown>>;
}

/** Says if the event has another status than the only documented one. */
export const onlyStatus =
	(documented: string) =>
	({ status }: Facts): string[] =>
		status === documented ? [] : [`status: must be "${documented}" for this event`];

/**
 * Returns a value of `data` for a summary, harmless in a message.
 * @param missing text for a missing value
 */
export type ValueOf = (path: string, missing?: string) => string;

/** Part of an event that can be chosen on its own. */
export interface Part {
	/** Completes the name of the event: `<product>.<event_type>.<suffix>`. */
	suffix: string;
	label: string;
	output: string;
	action: string;
	when: string;
	takes(status: unknown, data: Readonly<Record<string, unknown>>): boolean;
	/** Changes to the sample of the event. */
	sample: { status: string; data?: object };
}

/** Statuses of an event that tells a failure (§6.2). */
const FAILURES: readonly unknown[] = ['failed', 'canceled', 'time_canceled'];

/** Failures of an event that tells success and failure by its status (§6.5). */
export const failures = (row: Omit<Part, 'suffix' | 'takes' | 'sample'>, data?: object): Part => ({
	suffix: 'failed',
	takes: (status) => FAILURES.includes(status),
	sample: { status: 'failed', ...(data && { data }) },
	...row,
});

/** Documented statuses (§6.2), in words. */
export const STATUS_IN_WORDS: ReadonlyMap<string, string> = new Map([
	['pending', 'Pending'],
	['success', 'Successful'],
	['failed', 'Failed'],
	['canceled', 'Canceled'],
	['time_canceled', 'Time Canceled'],
	['manual_check', 'Manual Check'],
]);

/** Checks the type of a sample against the schema of the same event. */
export function event<Schema extends z.ZodTypeAny>(row: EventDefinition<Schema>): EventDefinition {
	return row;
}

/**
 * News of an event whose name says that something has happened. Any other status than success is added, because such a
 * refund has not arrived.
 */
export function happened(news: string, status: string): string {
	if (status === 'success') return news;
	const other = STATUS_IN_WORDS.get(status)?.toLowerCase() ?? harmless(status, 20);
	return `${news}, status ${['', 'null', 'undefined'].includes(other) ? 'missing' : other}`;
}

/** Saved name of an event: `<product>.<event_type>`. */
export function eventName({
	product,
	event_type,
}: {
	product: unknown;
	event_type: unknown;
}): string {
	return `${textOf(product)}.${textOf(event_type)}`;
}

/**
 * Field types of `data` (§1, §6.5). Each message completes "<path> …". Messages are set here, because the host provides
 * zod 3 or 4 and their default messages differ.
 */

export const text = () => z.string({ message: 'must be a string' });

/** Amount in a webhook payload: a decimal string (§1.3). */
export const decimal = () =>
	z
		.string({ message: 'must be a decimal string, e.g. "12.50"' })
		.refine((value) => isDecimal(value), { message: 'must be a decimal string, e.g. "12.50"' });

/** Code in digits. */
export const digits = () => {
	const message = 'must be a string of digits';
	return z.string({ message }).regex(/^\d+$/, { message });
};

/** Name of a blockchain, in lower case (§6.5). */
export const blockchain = () => {
	const message = 'must be a name in lower case';
	return z
		.string({ message })
		.refine((name) => name !== '' && name === name.toLowerCase(), { message });
};

/** Time in ISO 8601, in UTC (§1.2). */
export const instant = () =>
	z
		.string({ message: 'must be an ISO 8601 time in UTC' })
		.refine((value) => UTC.test(value) && isOnCalendar(value), {
			message: 'must be an ISO 8601 time in UTC',
		});

const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|\+00:00)$/;

/** True if RFC 3339 knows the time. `Date` reads 30 February as 2 March, and 24:00 as the next day. */
function isOnCalendar(instant: string): boolean {
	const read = Date.parse(instant);
	return !Number.isNaN(read) && new Date(read).getUTCDate() === Number(instant.slice(8, 10));
}

/** UUID of any version. Checked by pattern, because zod 4 is stricter about versions than zod 3. */
export const uuid = () =>
	z.string({ message: 'must be a UUID' }).regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
		message: 'must be a UUID',
	});

/** Whole number (§6.5). */
export const integer = () =>
	z.number({ message: 'must be a whole number' }).int({ message: 'must be a whole number' });

/** Object with these fields. Undocumented fields are accepted and cause no issue. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z.object(shape, { message: 'must be an object' });

/** Field whose type is not documented. It must be there, and may be null. */
export const present = () =>
	z.custom<unknown>((value) => value !== undefined, { message: 'is missing' });

/** Values shared by the samples of several products. */
export const SAMPLE = {
	card: SAMPLE_IDS.card,
	company: '00000000-0000-4000-8000-00000000c0c0',
	token: { address: '0x70ce000000000000000000000000000000000002' },
	/** Address outside the company. */
	outside: `0x${'c3'.repeat(20)}`,
	wallet: {
		wallet_id: SAMPLE_IDS.wallet,
		wallet_address: `0x${'a1'.repeat(20)}`,
		// Events have blockchains in lower case (§6.5).
		blockchain: 'polygon',
		transaction_hash: `0x${'5a'.repeat(32)}`,
	},
} as const;

/** Deposit from outside the company to a wallet of any product (§6.5). */
export const sampleDeposit = () => ({
	...SAMPLE.wallet,
	from_wallet_address: SAMPLE.outside,
	amount: '250.000001',
	token: SAMPLE.token,
});
