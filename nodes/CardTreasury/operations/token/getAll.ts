import { choices, foundInstead, isSameText, listLimit } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import { named, text } from '../../../shared/fields/text';
import type { JsonObject } from '../../request/input';
import { objectsIn, type ServiceAnswer } from '../../request/request';
import { operation } from '../operation';
import { BLOCKCHAINS, TOKENS } from './tokens';

export const getAll = operation({
	name: 'Get Many',
	action: 'Get many tokens',
	description: 'List the tokens of the company with their prices',
	section: '4.1',
	endpoint: TOKENS,
	level: 1,
	effect: 'read',
	answer: 'array',
	timeoutMs: 15_000,
	fields: {
		...listLimit,
		filters: collection('Filters', 'Add filter', {
			blockchains: choices(
				'Blockchains',
				BLOCKCHAINS,
				'Only tokens on these blockchains. Leave empty for all.',
			),
			symbol: named(
				text('Symbol', {
					placeholder: 'e.g. USDC',
					description: 'Only tokens with this symbol (case-insensitive)',
				}),
			),
		}),
	},
	items: (answer, { limit, filters }) => matching(answer, filters).slice(0, limit),
	unmatched: (answer, { filters }) =>
		matching(answer, filters).length > 0
			? undefined
			: foundInstead(
					'tokens',
					objectsIn(answer.json).map(({ symbol, blockchain }) => `${symbol} on ${blockchain}`),
				),
	output: {
		id: 'string',
		name: 'string',
		symbol: 'string',
		address: 'string',
		blockchain: 'string',
		usd_price: 'number',
	},
});

function matching(
	{ json }: ServiceAnswer,
	{ blockchains, symbol }: { blockchains: string[]; symbol?: string },
): JsonObject[] {
	return objectsIn(json)
		.filter((token) => blockchains.length === 0 || blockchains.some(isSameText(token.blockchain)))
		.filter((token) => symbol === undefined || isSameText(symbol)(token.symbol));
}
