import { refuseUnreviewed } from '../../../../nodes/CardTreasury/n8n/humanReview.ts';
import type { Refuse } from '../../../../nodes/shared/fields/field.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { workOf } from '../operations/reading.mts';
import { n8nOf, type Call } from './reviewedCall.mts';

/** Why the call is refused; undefined when it is not. */
function reasonFor(call: Call): string | undefined {
	const refuse: Refuse = (reason) => {
		throw reason;
	};
	try {
		refuseUnreviewed(n8nOf(call), refuse);
	} catch (reason) {
		return String(reason);
	}
	return undefined;
}

it.each<[string, Call]>([
	['in production', {}],
	['in the editor', { mode: 'manual' }],
	[
		'by a message of several lines',
		{
			parameters: { message: '=Send?\n{{\n  JSON.stringify($json.toolParameters)\n}}\n{{ $now }}' },
		},
	],
	["by n8n's chat", { type: '@n8n/n8n-nodes-langchain.chatHitlTool' }],
	[
		'where the agent ran before',
		{ pairedItem: { item: 0, sourceOverwrite: { previousNode: 'Agent' } } },
	],
])('a call that was approved is let through %s', (_, call) => {
	expect(reasonFor(call)).toBeUndefined();
});

const NO_REVIEW = "is on, and this call did not come from one of n8n's human review nodes";
const NOT_APPROVAL = 'is on, and "Review" does not ask for an approval';
const EXPRESSION = 'is on, and "Review" has an expression in a field other than Message';
const UNCLEAR = 'is on, and the Message of "Review" does not show for certain what is asked';

it.each<[string, Call, string]>([
	['comes from the agent', { previousNode: 'Agent' }, NO_REVIEW],
	['is run by the agent itself', { byAgent: true }, NO_REVIEW],
	['has no execution', { noExecution: true }, NO_REVIEW],
	['comes from a node that n8n does not list', { previousNode: 'Elsewhere' }, NO_REVIEW],
	['does not tell what started the agent', { pairedItem: 0 }, NO_REVIEW],
	['comes from a node of another kind', { type: 'n8n-nodes-base.slackTool' }, NO_REVIEW],
	["comes from another package's review", { type: 'n8n-nodes-other.chatHitlTool' }, NO_REVIEW],
	[
		'comes from a pinned review',
		{ mode: 'manual', pinned: true },
		'is on, and the output of "Review" is pinned',
	],
	[
		'shares its review with another tool',
		{ tools: ['Transfer', 'Other'] },
		'is on, and "Review" reviews other tools too',
	],
	[
		'comes from the review of another tool',
		{ tools: ['Other'] },
		'is on, and "Review" reviews other tools too',
	],
	[
		'is not the first that was asked about',
		{ previousNodeRun: 1 },
		'is on, and "Review" has asked more than once in this execution',
	],
	['was a message only', { parameters: { operation: 'post' } }, NOT_APPROVAL],
	['was asked with a form', { parameters: { responseType: 'customForm' } }, NOT_APPROVAL],
	['has options by expression', { parameters: { options: '={{ $json.o }}' } }, NOT_APPROVAL],
	[
		'may have gone on without an answer',
		{ parameters: { options: { limitWaitTime: {} } } },
		'is on, and "Review" has Limit Wait Time',
	],
	[
		'was asked of whom the agent chose',
		{ parameters: { channelId: { __rl: true, value: '={{ $json.channel }}' } } },
		EXPRESSION,
	],
	[
		'was asked with options of the agent',
		{ parameters: { options: { attribution: '={{ $json.a }}' } } },
		EXPRESSION,
	],
	['was asked without its arguments', { parameters: { message: 'Send?' } }, UNCLEAR],
	...[
		'Send {{ JSON.stringify($json.toolParameters) }}?',
		'={{ $json.toolParameters.note }}',
		'={{ $json.toolParameters }}',
		'={{ /* JSON.stringify($json.toolParameters) */ "Send?" }}',
		'={{ "Send?" // {{ JSON.stringify($json.toolParameters) }}',
		'=\\{{ JSON.stringify($json.toolParameters) }}',
		'={{ JSON.stringify($json.toolParameters).length }}',
		'=JSON.stringify($json.toolParameters)',
		"={{ $fromAI('why') }} {{ JSON.stringify($json.toolParameters) }}",
	].map((message): [string, Call, string] => [
		`was asked by ${message}`,
		{ parameters: { message } },
		UNCLEAR,
	]),
])('a call that %s is refused', (_, call, reason) => {
	expect(reasonFor(call)).toBe(reason);
});

describe('the option', () => {
	const unreviewed = (refuse: Refuse) => refuse('is on, and nobody was asked', 'Ask somebody.');
	const card = (requireHumanReview: unknown, raw: unknown = requireHumanReview) => ({
		parameters: { cardId: 'c', options: { requireHumanReview } },
		raw: { cardId: 'c', options: { requireHumanReview: raw } },
		unreviewed,
	});
	const refusal = async (item: ReturnType<typeof card> & { isTool?: boolean }) =>
		await workOf('card: freeze', item).then(
			() => undefined,
			(thrown: unknown) => thrown instanceof InvalidFieldError && thrown.message,
		);

	it('refuses what was not reviewed, of a tool only', async () => {
		expect(await refusal({ ...card(true), isTool: true })).toBe(
			'Require Human Review is on, and nobody was asked',
		);
		expect(await refusal(card(true))).toBeUndefined();
		expect(await refusal({ ...card(false), isTool: true })).toBeUndefined();
	});

	it('is a fixed value, true or false', async () => {
		const byAgent = card(false, "={{ $fromAI('review') }}");
		expect(await refusal({ ...byAgent, isTool: true })).toContain('filled in by the AI agent');
		for (const value of [undefined, '', 'false']) {
			expect(await refusal({ ...card(value), isTool: true })).toBe(
				'Require Human Review is neither true nor false',
			);
		}
	});
});
