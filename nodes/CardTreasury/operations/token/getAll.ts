import { choices, listLimit } from '../../../shared/fields/choice';
import { collection } from '../../../shared/fields/field';
import { text } from '../../../shared/fields/text';
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
			symbol: text('Symbol', {
				placeholder: 'e.g. USDC',
				description: 'Only tokens with this symbol (case-insensitive)',
			}),
		}),
	},
	items: ({ json }, { limit, filters: { blockchains, symbol } }) => {
		const chains = blockchains.map(sameCase);
		return objectsIn(json)
			.filter(({ blockchain }) => chains.length === 0 || chains.includes(sameCase(blockchain)))
			.filter((token) => !symbol?.trim() || sameCase(token.symbol) === sameCase(symbol.trim()))
			.slice(0, limit);
	},
	output: {
		id: 'string',
		name: 'string',
		symbol: 'string',
		address: 'string',
		blockchain: 'string',
		usd_price: 'number',
	},
});

function sameCase(value: unknown): string {
	return String(value).toUpperCase();
}
