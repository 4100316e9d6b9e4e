import { APPROVE, DECLINE, isResponseCode } from '../../../service/authorizationAnswer';
import type { AnswerOperation } from '../../operation';
import { FieldRefusal, readChoice } from '../../parameters/reader';

export const respond: AnswerOperation = {
	kind: 'answer',
	value: 'respond',
	displayName: 'Respond',
	action: 'Respond to card authorization',
	description:
		'Answer the card authorization that started this workflow, within its deadline of 1,200 ms',
	section: '6.3',
	properties: [
		{
			displayName:
				'Works in a workflow started by Card Treasury Trigger with Authorization Decision set to Workflow. An answer after the deadline changes nothing.',
			name: 'respondNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Decision',
			name: 'decision',
			type: 'options',
			options: [
				{ name: 'Approve', value: 'approve' },
				{ name: 'Decline', value: 'decline' },
				{ name: 'Other', value: 'other', description: 'Give the response code yourself' },
			],
			default: 'decline',
		},
		{
			displayName: 'Response Code',
			name: 'responseCode',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 51',
			description: 'ISO 8583 response code, passed to the card network as the reason to decline',
			displayOptions: { show: { decision: ['other'] } },
		},
	],
	responseCode: (parameters) => {
		const decision = readChoice(parameters, 'decision', 'Decision', [
			'approve',
			'decline',
			'other',
		] as const);
		if (decision !== 'other') return decision === 'approve' ? APPROVE : DECLINE;
		const code = parameters.get('responseCode');
		if (!isResponseCode(code)) {
			throw new FieldRefusal(
				'Response Code',
				'is not a response code',
				'Enter letters and digits only, e.g. 51.',
			);
		}
		return code;
	},
};
