import { quote, shortened } from '../../../shared/text';
import { required, type Field, type Input, type Refuse } from '../../fields/field';
import { readName } from '../../fields/kinds';
import { codeIn, isBlank, reasonAgainst, type Reason } from '../../fields/values';

const LONGEST = 255;

const CHECK = 'Check the field that this part takes: it is missing, empty, or has another name.';

const FROM_DATA = 'Take it from your own data, such as the invoice number.';

/** Name of a payment in the user's own data. It must be the same whenever the payment is. */
export const paymentReference: Field<string> = {
	...required(
		'Payment Reference',
		{
			placeholder: 'e.g. INV-2026-0017',
			description:
				'The name of this payment in your own data: the number of the invoice, not of the row. What this node has sent under a reference, it does not send again, in any execution. A copy of this node does not know it.',
		},
		(value, refuse, input) => {
			refuseUnstable(input, refuse);
			const reference = inOneSpelling(readName(value, refuse));
			// A character such as an emoji has two code units.
			if ([...reference].length > LONGEST)
				return refuse(`is longer than ${LONGEST} characters`, 'Use a shorter name.');
			if (TIME.test(reference))
				return refuse(`is ${quote(reference)}, which holds a time of day`, FROM_DATA);
			return reference;
		},
		{ isName: true },
	),
	mayChange: (raw) => CHANGING.test(codeIn(raw).join()),
};

/** Time of day, which is another one next time. */
const TIME = /\d:\d\d(?::\d\d| ?[ap]m)|[-/. ]\d+\D{1,4}(?!00:00)\d\d?:\d\d/i;

/** Midnight after a date, as databases and sheets write a date alone. */
const MIDNIGHT =
	/(?<=\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?(?:Z|\+00(?:00)?|[+-]\d\d:\d\d)?(?![\w:.])/gi;

/** Spells a reference. Must never change, because a reference that was paid would get another name. */
function inOneSpelling(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/\p{Dash}/gu, '-')
		.replace(/\s+/g, ' ')
		.replace(MIDNIGHT, '')
		.trim();
}

/** Words that an expression writes for a missing value inside a text. An ID such as `recA1NaN` is none. */
const MISSING = /(?<![\p{L}\p{N}])(?:undefined|null|NaN)(?![\p{L}\p{N}])|\[object\b/u;

/** Names of the run, and of a position instead of a payment. */
const UNSTABLE = /\$(?:execution|runIndex)|(?<!\bitemMatching\s*\([^()]*)\$(?:itemIndex|position)/;

/** Names of the clock and of chance. */
const CHANGING = /[nN]ow|\$today|Date|[Rr]andom/;

/** Looks at each `{{ }}` by itself, because "INV-" for every row would be one payment. */
function refuseUnstable({ raw, evaluate }: Input, refuse: Refuse): void {
	for (const code of codeIn(raw)) {
		const part = shortened(`{{${code}}}`, 60);
		const [found] = UNSTABLE.exec(code) ?? [];
		if (found !== undefined)
			refuse(`takes ${found} in ${part}, which differs each time`, FROM_DATA);
		const reason = againstPart(evaluate(`{{${code}}}`));
		if (reason) refuse(`has a part without a value: ${part} ${reason[0]}`, reason[1]);
	}
}

function againstPart(value: unknown): Reason | undefined {
	// As n8n writes it inside a text: an object becomes "[object Object]".
	const text = typeof value === 'object' && value !== null ? String(value) : value;
	if (isBlank(text)) return ['gave nothing', CHECK];
	const isMissing = MISSING.test(String(text));
	return isMissing ? [`gave ${quote(String(text))}`, CHECK] : reasonAgainst(text, '={{ }}');
}
