import { APPROVE, approves, DECLINE, isResponseCode } from '../../../shared/responseCode';
import { quote, textOf } from '../../../shared/text';
import { notice, required, shownWhen } from '../../fields/field';
import { choice } from '../../fields/kinds';
import { answering } from '../operation';

/** Answers the authorization that started the workflow (§6.3). */
export const respond = answering({
	name: 'Respond',
	action: 'Respond to card authorization',
	description:
		'Answer the card authorization that started this workflow, within its deadline of 1,200 ms',
	fields: {
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
			required(
				'Response Code',
				{
					// Not `required` in the panel, because n8n would demand it whenever Decision is an expression.
					required: undefined,
					placeholder: 'e.g. 51',
					description: 'ISO 8583 response code that declines. To approve, choose Approve.',
				},
				(value, refuse) => {
					const code = textOf(value).trim();
					return isResponseCode(code) && !approves(code)
						? code
						: refuse(
								`is ${quote(code)}, not a code that declines`,
								'Use 2 or 3 digits or capital letters, for example 51.',
							);
				},
			),
		),
	},
	responseCode: ({ decision, responseCode = DECLINE }) =>
		decision === 'approve' ? APPROVE : responseCode,
});
