import { required, type FieldContext } from '../../../shared/fields/field';
import { isExpression } from '../../../shared/fields/source';
import type { ItemField, ItemSource } from '../itemFields';

const LONGEST = 255;

const FROM_DATA = 'Take it from your own data, such as the invoice number of the payment.';

/** Reference of a payment: a name from the user's own data that never changes. */
export const paymentReference: ItemField<string> = required<string, ItemSource>(
	'Payment Reference',
	{
		placeholder: 'e.g. INV-2026-0017',
		description:
			'The name of this payment in your own data, such as the invoice number. A payment that was sent under a reference is not sent again, in any execution.',
		builderHint: {
			propertyHint:
				'Build it from what names the payment in the data (an invoice number or a row ID), never from the execution, the position of the item, the clock or chance.',
		},
	},
	(given) => {
		refuseUnstable(given);
		refuseEmptyParts(given);
		return readReference(given);
	},
	FROM_DATA,
);

function readReference({ value, refuse }: FieldContext<ItemSource>): string {
	if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
		return refuse(
			`is the number ${value}, which may have been rounded`,
			'Pass it as a string with all its digits.',
		);
	if (typeof value !== 'string' && typeof value !== 'number')
		return refuse('is not a string', FROM_DATA);
	const reference = String(value).trim();
	if (reference === '') return refuse('is empty', FROM_DATA);
	return reference.length > LONGEST
		? refuse(`is longer than ${LONGEST} characters`, 'Use a shorter name for the payment.')
		: reference;
}

const CLOCK =
	"For a daily payment choose Once per Day; else take the date from the trigger's output.";

/** Parts of expressions that change with every run, or that name a position instead of a payment. */
const UNSTABLE: Array<[pattern: RegExp, name: string, why: string, fix: string]> = [
	[/\$execution(?![\w$])/, '$execution', 'differs in each run', FROM_DATA],
	[/\$runIndex(?![\w$])/, '$runIndex', 'counts the iterations of a loop', FROM_DATA],
	[/\$itemIndex(?![\w$])/, '$itemIndex', 'is the position of the item', FROM_DATA],
	[/\$now(?![\w$])/, '$now', 'differs in each run', CLOCK],
	[/\$today(?![\w$])/, '$today', 'differs each day', CLOCK],
	[/(?<![\w$.])Date\s*\.\s*now(?![\w$])/, 'Date.now', 'differs in each run', CLOCK],
	[/\bnew\s+Date\s*(?:\(\s*\)|(?!\s*[\w$(]))/, 'new Date()', 'differs in each run', CLOCK],
	[/(?<![\w$.])DateTime\s*\.\s*now(?![\w$])/, 'DateTime.now', 'differs in each run', CLOCK],
	[/(?<![\w$.])Math\s*\.\s*random(?![\w$])/, 'Math.random', 'differs each time', FROM_DATA],
	[/(?<![\w$.])crypto\s*\./, 'crypto', 'differs each time', FROM_DATA],
];

/**
 * Refuses an expression that changes with every run. Cannot detect values that an earlier node made from the clock or
 * at random.
 */
function refuseUnstable({ raw, refuse }: FieldContext<ItemSource>): void {
	for (const code of codeIn(raw)) {
		const found = UNSTABLE.find(([pattern]) => pattern.test(code));
		if (found) refuse(`uses ${found[1]}, which ${found[2]}`, found[3]);
	}
}

/** Refuses an expression with an empty part, because every payment would get the same name, such as `INV-`. */
export function refuseEmptyParts({
	raw,
	value,
	source: { item },
	refuse,
}: FieldContext<ItemSource>): void {
	const parts = codeIn(raw);
	for (const code of parts) {
		const part = `{{${code}}}`;
		// If the expression consists of this part only, the part has been evaluated already.
		const given = raw === `=${part}` ? value : item.evaluate(part);
		const text = String(given);
		if (!NOTHING.test(text)) continue;
		refuse(
			`has a part without a value: ${shortened(part)} gave ${text.trim() === '' ? 'nothing' : text}`,
			'Check that part of the expression, and that the input has what it refers to.',
		);
	}
}

/** Text that JavaScript writes for a missing value, alone or at the end (`INV-undefined`). */
const NOTHING = /(?:^\s*|undefined|null|NaN|\[object Object\]|Invalid DateTime)\s*$/;

const shortened = (part: string) => (part.length > 60 ? `${part.slice(0, 60)}…` : part);

/** Returns the code in each `{{ }}`. As in n8n, the code ends at the first `}}` without a backslash before it. */
export function codeIn(raw: unknown): string[] {
	if (!isExpression(raw) || typeof raw !== 'string') return [];
	return [...raw.matchAll(/(?<!\\)(?:\\\\)*\{\{(.*?)(?<!\\)(?:\\\\)*\}\}/gs)].map(
		([, code = '']) => code,
	);
}
