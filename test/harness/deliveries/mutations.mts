import fc from 'fast-check';

import { anyCharacter } from '../anyCharacter.mts';

/** Removes or replaces a field. */
export interface Change {
	path: string[];
	value: unknown;
	remove: boolean;
}

const PATHS = [
	['product'],
	['event_type'],
	['operation_id'],
	['status'],
	['company_id'],
	['data'],
	['data', 'card_id'],
	['data', 'bill_amount'],
	['data', 'merchant_data'],
	['data', 'merchant_data', 'mcc_code'],
	['data', 'fees', 'atm_fees'],
	['data', 'blocked_at'],
	['data', 'triggered_rule'],
	['data', 'token', 'address'],
	['data', '__proto__'],
	['data', 'constructor'],
	['__proto__'],
	['delivery'],
];

/** Generates a few changes to an envelope, at fields that matter to the trigger and at random ones. */
export function mutations(): fc.Arbitrary<Change[]> {
	const change = fc.record({
		path: fc.oneof(
			{ weight: 6, arbitrary: fc.constantFrom(...PATHS) },
			{ weight: 1, arbitrary: fc.string().map((field) => ['data', field]) },
		),
		value: fc.oneof(
			fc.jsonValue(),
			fc.constantFrom(
				'',
				' ',
				'0',
				'-1',
				'1e3',
				'00',
				'5942',
				'cards',
				'authorization',
				'__proto__',
			),
			fc.string({ unit: anyCharacter }),
		),
		remove: fc.boolean(),
	});
	return fc.array(change, { minLength: 1, maxLength: 4 });
}

/** Returns the changed envelope as JSON text, so that `__proto__` becomes its own key and lone surrogates are escaped. */
export function mutate(event: object, changes: Change[]): string {
	const copy = structuredClone(event) as Record<string, unknown>;
	for (const { path, value, remove } of changes) {
		let target: Record<string, unknown> = copy;
		for (const key of path.slice(0, -1)) {
			const below = Object.hasOwn(target, key) ? target[key] : undefined;
			if (typeof below !== 'object' || below === null) break;
			target = below as Record<string, unknown>;
		}
		const last = path.at(-1)!;
		if (remove) Reflect.deleteProperty(target, last);
		else
			Object.defineProperty(target, last, {
				value,
				enumerable: true,
				configurable: true,
				writable: true,
			});
	}
	return JSON.stringify(copy);
}
