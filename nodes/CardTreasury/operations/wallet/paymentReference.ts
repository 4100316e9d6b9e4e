import { quote, shortened } from '../../../shared/text';
import { required, type Given, type Refuse } from '../../fields/field';
import { readName } from '../../fields/kinds';
import { codeIn, isBlank, reasonAgainst, type Reason } from '../../fields/values';

const LONGEST = 255;

const CHECK = 'Check the field that this part takes: it is missing, empty, or has another name.';

const FROM_DATA = 'Take it from your own data, such as the invoice number.';

/** Name of a payment in the user's own data. It must be the same whenever the payment is. */
export const paymentReference = required(
	'Payment Reference',
	{
		placeholder: 'e.g. INV-2026-0017',
		description:
			'The name of this payment in your own data: the number of the invoice, not of the row. What this node has sent under a reference, it does not send again, in any execution. A copy of this node does not know it.',
	},
	(value, refuse, given) => {
		refuseUnstable(given, refuse);
		const reference = inOneSpelling(readName(value, refuse));
		// A character such as an emoji has two code units.
		if ([...reference].length > LONGEST)
			return refuse(`is longer than ${LONGEST} characters`, 'Use a shorter name for the payment.');
		if (/\d:\d\d:\d\d/.test(reference))
			return refuse(`is ${quote(reference)}, which holds a time of day`, FROM_DATA);
		return reference;
	},
	{ isName: true },
);

/** Spells a reference. Must never change, because a reference that was paid would get another name. */
function inOneSpelling(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/\p{Dash}/gu, '-')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Words that an expression writes for a missing value inside a text. An ID such as `recA1NaN` is none. */
const MISSING = /(?<![\p{L}\p{N}])(?:undefined|null|NaN)(?![\p{L}\p{N}])|\[object\b/u;

/** Names in expressions that differ each time, or name a position instead of a payment. */
const UNSTABLE =
	/\$(?:execution|runIndex|itemIndex)(?![\w$])|\b(?:Date\s*\.\s*now|toMillis|Math\s*\.\s*random|randomUUID)\b/;

/** Texts in an expression, such as the name of a column, and the items' own row. */
const HARMLESS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\bitemMatching\s*\([^()]*\)/g;

/** Looks at each `{{ }}` by itself, because "INV-" for every row would be one payment. */
function refuseUnstable({ raw, evaluate }: Given, refuse: Refuse): void {
	for (const code of codeIn(raw)) {
		const part = shortened(`{{${code}}}`, 60);
		const [found] = UNSTABLE.exec(code.replace(HARMLESS, "''")) ?? [];
		if (found !== undefined)
			refuse(`takes ${found} in ${part}, which differs each time`, FROM_DATA);
		const reason = againstPart(evaluate(`{{${code}}}`));
		if (reason) refuse(`has a part without a value: ${part} ${reason[0]}`, reason[1]);
	}
}

function againstPart(given: unknown): Reason | undefined {
	// As n8n writes it inside a text: an object becomes "[object Object]".
	const text = typeof given === 'object' && given !== null ? String(given) : given;
	if (isBlank(text)) return ['gave nothing', CHECK];
	const isMissing = MISSING.test(String(text));
	return isMissing ? [`gave ${quote(String(text))}`, CHECK] : reasonAgainst(text, '={{ }}');
}
