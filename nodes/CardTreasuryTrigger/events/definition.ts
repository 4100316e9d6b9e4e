import { z } from 'zod';

import { isDecimal } from '../../shared/decimal';

/**
 * Row of the catalog (§6.5), from which the list of events, the outputs, the checks, the samples and the docs are made.
 */
export interface EventDefinition<Schema extends z.ZodTypeAny = z.ZodTypeAny> {
	product: string;
	event_type: string;
	/** Name in the list of events. */
	label: string;
	/** Label of the output, distinctive word first. At most 76 pixels wide, or n8n's editor cuts it. */
	output: string;
	/** Name in n8n's node panel. */
	action: string;
	/** Occasion on which the service sends it. */
	when: string;
	/** Documented shape of `data`. */
	data: Schema;
	/** Sample for *Test With*, with recognizable IDs, and a fitting status if the document shows none. */
	sample: {
		status: string;
		/** Set if the document shows its meaning; otherwise each sample has its own. */
		operation_id?: string;
		/** Set if the document shows it on the envelope. */
		company_id?: string;
		/** @param now ISO 8601 in UTC */
		data(now: string): z.infer<Schema>;
	};
}

/** Row whose sample is checked against its own schema. */
export function event<Schema extends z.ZodTypeAny>(row: EventDefinition<Schema>): EventDefinition {
	return row;
}

/** Saved name of an event: `<product>.<event_type>`. */
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
 * Field types of `data` (§1, §6.5). Every message completes "<path> …". The messages are set here, because zod 3 and 4
 * have different ones and the host determines the version.
 */

export const text = () => z.string({ message: 'must be a string' });

/** Amounts in webhook payloads are decimal strings (§1.3). */
export const decimal = () =>
	z
		.string({ message: 'must be a decimal string, e.g. "12.50"' })
		.refine((value) => isDecimal(value), { message: 'must be a decimal string, e.g. "12.50"' });

/** Merchant category code. */
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

/** UUID of any version. Uses a pattern, because zod 4 is stricter about versions than zod 3. */
export const uuid = () =>
	z.string({ message: 'must be a UUID' }).regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
		message: 'must be a UUID',
	});

/** Integer (§6.5) of at least `min`. */
export const integer = (min: number) =>
	z
		.number({ message: 'must be a whole number' })
		.int({ message: 'must be a whole number' })
		.min(min, { message: `must be at least ${min}` });

/** Object with these fields. Undocumented fields are accepted and cause no issue. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z.object(shape, { message: 'must be an object' });

/** Field whose type is not documented. */
export const anything = () => z.unknown();

/** Values shared by the samples of several products. */
export const SAMPLE = {
	card: '00000000-0000-4000-8000-00000000ca4d',
	company: '00000000-0000-4000-8000-00000000c0c0',
	token: { address: '0x70ce000000000000000000000000000000000002' },
	/** Address outside the company. */
	outside: `0x${'c3'.repeat(20)}`,
	wallet: {
		wallet_id: 'sample-wallet',
		wallet_address: `0x${'a1'.repeat(20)}`,
		// Lower case in events (§6.5).
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
