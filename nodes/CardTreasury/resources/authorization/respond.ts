import { APPROVE, DECLINE, isResponseCode } from '../../../service/authorizationAnswer';
import { InvalidFieldError } from '../../errors';
import { notice, readFields, shownWhen, sourceOf } from '../../fields/field';
import { choice, text } from '../../fields/values';
import type { ResponseOperation } from '../../operation';

const fields = {
	respondNotice: notice(
		'Works in a workflow started by Card Treasury Trigger with Authorization Decision set to Workflow. An answer after the deadline changes nothing.',
	),
	decision: choice(
		'Decision',
		{
			approve: 'Approve',
			decline: 'Decline',
			other: {
				name: 'Other Code',
				description: 'Declines with another reason, passed to the card network',
			},
		},
		{ default: 'decline' },
	),
	responseCode: shownWhen(
		{ decision: ['other'] },
		text('Response Code', {
			// Not `required`: while Decision is an expression, n8n would ask for it whatever that gives.
			placeholder: 'e.g. 51',
			description: 'ISO 8583 response code, passed to the card network as the decline reason',
		}),
	),
};

export const respond: ResponseOperation = {
	kind: 'response',
	name: 'Respond',
	action: 'Respond to card authorization',
	description:
		'Answer the card authorization that started this workflow, within its deadline of 1,200 ms',
	section: '6.3',
	searchHint: 'approve or decline a card payment in a workflow that the trigger started',
	fields,
	responseCode: async (item, caller) => {
		const { decision, responseCode: code } = await readFields(fields, sourceOf(item, caller));
		if (decision !== 'other') return decision === 'approve' ? APPROVE : DECLINE;
		if (isResponseCode(code)) return code;
		throw new InvalidFieldError(
			'Response Code',
			code === undefined ? 'is empty' : 'is not a response code',
			'Use Approve or Decline, or a code of 2 or 3 digits or capital letters, for example 51.',
		);
	},
	output: { decision: { response_code: 'string' } },
};
