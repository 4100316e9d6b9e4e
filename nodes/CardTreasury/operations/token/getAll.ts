import { choices, foundInstead, isSameText, listLimit } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import { named, text } from '../../../shared/fields/text';
import { objectsIn } from '../../request/request';
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
	items: ({ json }, { limit, filters: { blockchains, symbol } }) =>
		objectsIn(json)
			.filter((token) => blockchains.length === 0 || blockchains.some(isSameText(token.blockchain)))
			.filter((token) => symbol === undefined || isSameText(symbol)(token.symbol))
			.slice(0, limit),
	unmatched: ({ json }) =>
		foundInstead(
			'tokens',
			objectsIn(json).map(({ symbol, blockchain }) => `${symbol} on ${blockchain}`),
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
