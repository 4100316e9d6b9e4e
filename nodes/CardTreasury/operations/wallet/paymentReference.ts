import { required, type FieldContext } from '../../../shared/fields/field';
import { codeIn } from '../../../shared/fields/source';
import { named } from '../../../shared/fields/text';
import type { ItemField, ItemSource } from '../itemFields';

const LONGEST = 255;

const FROM_DATA = 'Take it from your own data, such as the invoice number of the payment.';

/** Reference of a payment: a name from the user's own data that never changes. */
export const paymentReference: ItemField<string> = named(
	required<string, ItemSource>(
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
			return readReference(given, FROM_DATA);
		},
		FROM_DATA,
	),
);

/**
 * Reads a name of a payment in its one spelling, so that two people or two exports name the same payment.
 * @param fix advice on a value that is no name
 */
export function readReference({ value, refuse }: FieldContext<ItemSource>, fix: string): string {
	if (typeof value !== 'string' && typeof value !== 'number') return refuse('is not a string', fix);
	const reference = inOneSpelling(String(value));
	if (reference === '') return refuse('is empty', fix);
	// A character such as an emoji has two code units.
	return [...reference].length > LONGEST
		? refuse(`is longer than ${LONGEST} characters`, 'Use a shorter name for the payment.')
		: reference;
}

/**
 * Spells a reference: NFKC, every dash is `-`, white space in a row is one space, outer spaces go. Must never change,
 * because a reference that was paid would get another name.
 */
function inOneSpelling(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/[\p{Pd}\u2212]/gu, '-')
		.replace(/\s+/g, ' ')
		.trim();
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
	[
		/(?<![\w$.])DateTime\s*\.\s*(?:local|utc)\s*\(\s*\)/,
		'DateTime.local()',
		'differs in each run',
		CLOCK,
	],
	[/(?<![\w$.])Math\s*\.\s*random(?![\w$])/, 'Math.random', 'differs each time', FROM_DATA],
	[/(?<![\w$.])crypto\s*\./, 'crypto', 'differs each time', FROM_DATA],
];

/** Text in an expression, e.g. the name of a column. Not a template, which may hold code. */
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;

/**
 * Refuses an expression that changes with every run. Cannot detect values that an earlier node made from the clock or
 * at random.
 */
function refuseUnstable({ raw, refuse }: FieldContext<ItemSource>): void {
	for (const code of codeIn(raw)) {
		// `itemMatching($itemIndex)` takes data of the item's own row. `pairedItem` is its older name.
		const checked = code
			.replace(TEXT, "''")
			.replace(/(?<=\b(?:itemMatching|pairedItem)\s*\([^()]*)\$itemIndex(?=[^()]*\))/g, '');
		const found = UNSTABLE.find(([pattern]) => pattern.test(checked));
		if (found) refuse(`uses ${found[1]}, which ${found[2]}`, found[3]);
	}
}
