import { serviceOperation } from '../../operation';
import { readLimit, readOptionalText, readTexts } from '../../parameters/reader';
import { filtersField, limitField, returnAllField } from '../fields';
import { asList } from '../items';
import { BLOCKCHAINS, LIST_PATH, listRequest } from './listing';

export const getAll = serviceOperation({
	value: 'getAll',
	displayName: 'Get Many',
	action: 'Get many tokens',
	description: 'List the tokens of the company with their prices',
	section: '4.1',
	endpoint: { method: 'GET', path: LIST_PATH },
	level: 1,
	effect: 'read',
	answer: 'array',
	timeoutMs: 15_000,
	properties: [
		returnAllField,
		limitField,
		filtersField([
			{
				displayName: 'Blockchains',
				name: 'blockchains',
				type: 'multiOptions',
				options: BLOCKCHAINS,
				default: [],
				description: 'Only tokens on these blockchains. None chosen means all.',
			},
			{
				displayName: 'Symbol',
				name: 'symbol',
				type: 'string',
				default: '',
				placeholder: 'e.g. USDC',
				description: 'Only tokens with this symbol, in any letter case',
			},
		]),
	],
	fields: (parameters) => ({
		limit: readLimit(parameters),
		blockchains: readTexts(parameters, 'filters.blockchains', 'Blockchains').map(sameCase),
		symbol: readOptionalText(parameters, 'filters.symbol', 'Symbol')?.trim(),
	}),
	request: listRequest,
	items: (answer, { limit, blockchains, symbol }) =>
		asList(answer)
			.filter(
				(token) => blockchains.length === 0 || blockchains.includes(sameCase(token.blockchain)),
			)
			.filter((token) => !symbol || sameCase(token.symbol) === sameCase(symbol))
			.slice(0, limit)
			.map((json) => ({ json })),
});

function sameCase(value: unknown): string {
	return String(value).toUpperCase();
}
