import { z } from 'zod';

import { isDecimal } from '../../shared/decimal';

/** A row of the catalog (§6.5): all that the choice of events, the outputs, the checks, the samples and the docs know. */
export interface EventDefinition<Schema extends z.ZodTypeAny = z.ZodTypeAny> {
	product: string;
	event_type: string;
	/** As the list of events shows it. */
	label: string;
	/** Names the event's output: its own word first, at most 76 pixels wide, or n8n's editor cuts it. */
	output: string;
	/** As n8n's panel of nodes lists it. */
	action: string;
	/** When the service sends it. */
	when: string;
	/** The documented shape of `data`. */
	data: Schema;
	/** What *Test With* sends: recognizable IDs, and a status that fits where the document shows none. */
	sample: {
		status: string;
		/** Where the document shows what it is; otherwise each sample has its own. */
		operation_id?: string;
		/** On the envelope, where the document shows it there. */
		company_id?: string;
		/** @param now ISO 8601 in UTC */
		data(now: string): z.infer<Schema>;
	};
}

/** A row whose sample is checked against its own schema. */
export function event<Schema extends z.ZodTypeAny>(row: EventDefinition<Schema>): EventDefinition {
	return row;
}

/** `<product>.<event_type>`, by which workflows save an event. */
export function eventName({
	product,
	event_type,
}: {
	product: unknown;
	event_type: unknown;
}): string {
	return `${String(product)}.${String(event_type)}`;
}

/**
 * Field types of `data` (§1, §6.5). Every message completes "<path> …", so that a user reads the same sentence whichever
 * zod the host brings (3 and 4 word their own messages differently).
 */

export const text = () => z.string({ message: 'must be a string' });

/** Amounts in webhook payloads are decimal strings (§1.3). */
export const decimal = () =>
	z
		.string({ message: 'must be a decimal string, e.g. "12.50"' })
		.refine((value) => isDecimal(value), { message: 'must be a decimal string, e.g. "12.50"' });

/** A merchant category code. */
export const mcc = () => {
	const message = 'must be a string of 4 digits';
	return z.string({ message }).regex(/^\d{4}$/, { message });
};

/** ISO 8601 in UTC (§1.2). */
export const instant = () =>
	z
		.string({ message: 'must be an ISO 8601 time in UTC' })
		.refine((value) => UTC.test(value) && !Number.isNaN(Date.parse(value)), {
			message: 'must be an ISO 8601 time in UTC',
		});

const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|\+00:00)$/;

/** Any UUID version, with a pattern of our own: zod 4 became stricter about versions than zod 3. */
export const uuid = () =>
	z.string({ message: 'must be a UUID' }).regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
		message: 'must be a UUID',
	});

/** At least `min`; whole, as §6.5 says integer. */
export const integer = (min: number) =>
	z
		.number({ message: 'must be a whole number' })
		.int({ message: 'must be a whole number' })
		.min(min, { message: `must be at least ${min}` });

/** Fields that the document does not name are let through: they are no issue. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z.object(shape, { message: 'must be an object' });

/** A field whose type is not shown. */
export const anything = () => z.unknown();

/** What the samples of several products have in common. */
export const SAMPLE = {
	card: '00000000-0000-4000-8000-00000000ca4d',
	company: '00000000-0000-4000-8000-00000000c0c0',
	token: { address: '0x70ce000000000000000000000000000000000002' },
	/** An address outside of the company. */
	outside: `0x${'c3'.repeat(20)}`,
	wallet: {
		wallet_id: 'sample-wallet',
		wallet_address: `0x${'a1'.repeat(20)}`,
		// Lower case in events (§6.5).
		blockchain: 'polygon',
		transaction_hash: `0x${'5a'.repeat(32)}`,
	},
} as const;

/** From an address outside of the company, to a wallet of any product (§6.5). */
export const sampleDeposit = () => ({
	...SAMPLE.wallet,
	from_wallet_address: SAMPLE.outside,
	amount: '250.000001',
	token: SAMPLE.token,
});
