import { z } from 'zod';

import { isDecimal } from '../../service/decimal';

/**
 * Field types of webhook payloads (§1, §6.5). Every message completes "<path> …", so that a user reads the same
 * sentence whichever zod the host brings (3 and 4 word their own messages differently).
 */

export const text = () => z.string({ message: 'must be a string' });

/** Amounts in webhook payloads are decimal strings (§1.3). */
export const decimal = () =>
	z
		.string({ message: 'must be a decimal string, e.g. "12.50"' })
		.refine((value) => isDecimal(value), { message: 'must be a decimal string, e.g. "12.50"' });

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
