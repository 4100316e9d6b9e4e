import { choice } from '../../../shared/fields/choice';
import { otherCode, responseCodeOf } from '../../../shared/fields/decision';
import { notice, readFields, shownWhen } from '../../../shared/fields/field';
import { sourceOf } from '../itemFields';
import type { ResponseOperation } from '../operation';

const fields = {
	respondNotice: notice(
		'Answers a card authorization that a rule or the default of Card Treasury Trigger asks about. An answer after the deadline changes nothing.',
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
		otherCode('Response Code', {
			// This field is not `required`, because n8n would then demand it whenever Decision is an expression.
			placeholder: 'e.g. 51',
			description:
				'ISO 8583 response code that declines, passed to the card network as the reason. To approve, choose Approve.',
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
	responseCode: (item, caller) => {
		const { decision, responseCode } = readFields(fields, sourceOf(item, caller));
		return responseCodeOf(decision, responseCode);
	},
	output: { decision: { response_code: 'string' } },
};
