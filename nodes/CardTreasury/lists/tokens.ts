import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { blockchainLabel, listRequest } from '../resources/token/listing';
import { filterByWords, load } from './load';

/** Tokens by name, symbol, chain or address, with their price (§4.1), in the service's order. */
export async function searchTokens(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const tokens = await load(this, listRequest());
	const entries = tokens.map(({ name, symbol, blockchain, usd_price: price, address }) => ({
		name: `${String(symbol)} on ${blockchainLabel(blockchain)} · ${String(name)}${price === undefined || price === null ? '' : ` · $${String(price)}`}`,
		value: String(address),
	}));
	return { results: filterByWords(entries, filter) };
}
