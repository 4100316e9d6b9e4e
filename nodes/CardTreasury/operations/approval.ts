import { amount } from '../../shared/fields/amount';
import { field } from '../../shared/fields/field';
import { InvalidFieldError } from '../../shared/fields/invalidField';
import { codeIn, isEmpty, isExpression, textBeside } from '../../shared/fields/source';
import { guard, OPTIONAL, usersOwn } from './guards';
import type { ItemField } from './itemFields';

/** @param description what the amount above the limit means here */
export const approvalAbove = (description: string): ItemField<string | undefined> =>
	guard(amount('Approval Above', { placeholder: 'e.g. 1000', description, mayBeZero: true }));

const answer: ItemField<undefined> = field(
	'Approved',
	{
		placeholder: 'e.g. {{ $json.data.approved }}',
		description:
			"Nothing is sent unless this is true. Drag a person's answer here, such as <i>data.approved</i> of Slack's Send and Wait. Of several answers, each must be true.",
	},
	() => undefined,
);

/** Question whether a node has run. It is true after a no, too. */
const IS_EXECUTED = /\$\((['"`]).*?\1\)\s*(?:\??\.isExecuted|\[(['"`])isExecuted\2\])/g;

/** Answers of people, taken together. `unclear`: neither true nor false. */
type Answer = 'yes' | (typeof REFUSING)[number];

/** Answers that refuse the write. The first one that is there is reported. */
const REFUSING = ['no', 'missing', 'unclear'] as const;

function answerIn(value: unknown): Answer {
	if (typeof value !== 'boolean' && typeof value !== 'string')
		return isEmpty(value) ? 'missing' : 'unclear';
	switch (String(value).trim()) {
		case 'true':
			return 'yes';
		case 'false':
			return 'no';
		case '':
			return 'missing';
		default:
			return 'unclear';
	}
}

/**
 * Answers to questions, without which nothing is sent. An expression that gives nothing is no approval, but a dry run may
 * come before the question. A fixed value is refused, because it would approve everything. A tool does not show the
 * option: n8n's own human review asks there.
 */
export const approved: ItemField<Answer | undefined> = notInTool({
	...usersOwn(answer, OPTIONAL, (given) => {
		const { source, name, value, raw, refuse } = given;
		if (!source.has(name)) return undefined;
		if (typeof value === 'object') given.refuseNothing(value, undefined);
		const code = codeIn(raw);
		if (!isExpression(raw) || code.some((part) => !part.replace(IS_EXECUTED, '').includes('$')))
			refuse(
				'takes no value from another node',
				'Drag the answer of a person here. A fixed value would approve everything.',
			);
		// Nobody has answered a text, and n8n evaluates an expression that is not closed.
		if (textBeside(raw).trim() !== '') return 'unclear';
		// Each part is looked at alone, so that the words of one answer do not stand in for another one.
		const parts = code.length > 1 ? code.map((part) => source.evaluate?.(`{{${part}}}`)) : [value];
		const answers = new Set<Answer>(parts.map(answerIn));
		// A dry run before the question has no answer yet. With Approval Above, a missing answer is reported.
		const isBefore = source.get('dryRun') === true && !source.has('approvalAbove');
		if (isBefore && answers.size === 1 && answers.has('missing')) return undefined;
		return REFUSING.find((refusing) => answers.has(refusing)) ?? 'yes';
	}),
	// A part without a value is an answer that is missing.
	look: 'own',
});

/** Hides an option in a tool. */
function notInTool<Value>(option: ItemField<Value>): ItemField<Value> {
	return {
		...option,
		property: (name, method) =>
			[option.property(name, method)]
				.flat()
				.slice(0, 1)
				.map((property) => ({ ...property, displayOptions: { hide: { '@tool': [true] } } })),
	};
}

/** Keys of dry runs, in one text, as it came: each item of a run has the same one. */
export const asInDryRun: ItemField<string | undefined> = notInTool(
	guard(
		field(
			'As in Dry Run',
			{
				placeholder: 'e.g. {{ $json.idempotency_key }}',
				description:
					'Nothing is sent unless a dry run showed this very payment. Drag its <i>idempotency_key</i> here, or those of a whole question: <i>concatenated_idempotency_key</i> of Summarize. Not from a table, where the next run writes another one.',
			},
			({ value, refuse }) =>
				typeof value === 'string' && KEYS.test(value)
					? value
					: refuse('is not an idempotency key', 'Drag idempotency_key of the dry run here.'),
		),
	),
);

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.source;
const KEYS = new RegExp(`^\\s*${UUID}(?:[\\s,;]+${UUID})*\\s*$`, 'i');

const UNAPPROVED: Record<Exclude<Answer, 'yes'> | 'absent', [reason: string, fix: string]> = {
	no: ['is false: declined, or not answered', 'Ask again if that was a mistake.'],
	missing: ['has no answer', 'Check the expression if a person did answer; else ask again.'],
	unclear: ['is not true', 'Check the expression if a person has approved it; else ask again.'],
	absent: ['is not set', 'Drag the answer of a person into it.'],
};

/**
 * Refuses a write that nobody has approved.
 * @param given undefined if the option is absent
 * @param which completes the reason, such as which limit is exceeded
 * @throws InvalidFieldError
 */
export function refuseUnapproved(given: Answer | undefined, which = ''): void {
	if (given === 'yes') return;
	const [reason, fix] = UNAPPROVED[given ?? 'absent'];
	throw new InvalidFieldError('Approved', `${reason}${which}`, fix);
}
