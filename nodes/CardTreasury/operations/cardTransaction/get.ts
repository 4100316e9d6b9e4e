import { notice } from '../../../shared/fields/field';
import { InvalidFieldError } from '../../../shared/fields/invalidField';
import { CARD_ID_EXAMPLE, optionalId, path, PLACEHOLDER } from '../../../shared/fields/text';
import { fillPath, objectOf } from '../../request/request';
import { refuseAgentsPath } from '../guards';
import { operation, get as read } from '../operation';
import { NOT_ENTERPRISE, queryParameters, VERSION_2 } from './version2';

const IDS = { cardId: 'Card ID', transactionId: 'Transaction ID' };
const isId = (name: string): name is keyof typeof IDS => Object.hasOwn(IDS, name);

export const get = operation({
	name: 'Get',
	action: 'Get card transaction',
	description: 'Get one transaction of an enterprise card, with its outcome and fees (version 2)',
	section: '4.12',
	searchHint: 'see how a purchase ended: cleared, reversed, refunded or declined',
	endpoint: read("(from the provider's reference, with {cardId} and {transactionId})"),
	effect: 'read',
	answer: 'object',
	timeoutMs: 15_000,
	headers: VERSION_2,
	fields: {
		pathNotice: notice("For enterprise cards only. Your provider's API reference shows this path."),
		path: path('Endpoint Path', {
			placeholder: 'e.g. /…/{cardId}/…/{transactionId}',
			description: 'Write {cardId} and {transactionId} where the IDs belong',
		}),
		cardId: optionalId('Card ID', CARD_ID_EXAMPLE, 'Replaces {cardId} in the path'),
		transactionId: optionalId(
			'Transaction ID',
			'e.g. op-0001',
			'Replaces {transactionId} in the path',
		),
	},
	options: { queryParameters },
	errors: [
		{
			status: 412,
			message: 'The card is not an enterprise card, or version 2 does not have this transaction',
			fix: `${NOT_ENTERPRISE} Otherwise check Endpoint Path, the IDs and Query Parameters against your provider's API reference.`,
		},
	],
	check: ({ path: template, ...ids }, caller) => {
		refuseAgentsPath('Endpoint Path', caller);
		for (const [placeholder] of template.matchAll(PLACEHOLDER)) {
			const name = placeholder.replace(/^\{|\}$/g, '');
			if (isId(name) && ids[name] !== undefined) continue;
			throw isId(name)
				? new InvalidFieldError(
						IDS[name],
						`is empty, but the path has ${placeholder}`,
						`Enter the ${IDS[name]}, or check the expression that gives it.`,
					)
				: new InvalidFieldError(
						'Endpoint Path',
						`contains ${placeholder}, which is not a placeholder of this node`,
						'Write {cardId} and {transactionId} where the IDs belong.',
					);
		}
	},
	route: ({ path: template, ...ids }) => ({ path: fillPath(template, ids) }),
	query: ({ queryParameters: others }) => others,
	items: (answer) => [objectOf(answer)],
	output: { operation: 'string', lifecycle: { state: 'string', outcome: 'string' } },
});
