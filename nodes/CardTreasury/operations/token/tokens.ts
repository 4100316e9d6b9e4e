import {
	canonicalAddress,
	isHexadecimal,
	NATIVE_PLACEHOLDER,
	shortAddress,
	ZERO,
} from '../../../shared/address';
import { labelOf } from '../../../shared/fields/choice';
import type { FieldContext } from '../../../shared/fields/field';
import { quote } from '../../../shared/fields/invalidField';
import { isEmpty } from '../../../shared/fields/source';
import { shortened, textOf } from '../../../shared/plainLine';
import type { JsonObject } from '../../request/input';
import { objectsIn } from '../../request/request';
import { locator } from '../fields';
import type { ItemSource } from '../itemFields';
import { get, type SummaryFields, type Unit } from '../operation';

/** Endpoint that lists tokens (§4.1). An operation and a list use it. */
export const TOKENS = get('/mpc/tokens/list');

/** Contract of a token on the list (§4.1). A chain prefix does not count. */
export const contractOf = ({ address }: JsonObject): string =>
	canonicalAddress(textOf(address).replace(/^.*:/, '').trim());

/** Blockchains (§2.1), in alphabetical order. */
export const BLOCKCHAINS = {
	ARBITRUM: 'Arbitrum',
	AVALANCHE: 'Avalanche',
	BASE: 'Base',
	BSC: 'BSC',
	ETHEREUM: 'Ethereum',
	OPTIMISM: 'Optimism',
	POLYGON: 'Polygon',
};

/** Value that stands for the native coin. The native coin has no address. */
const NATIVE = 'native';
/** Addresses that some services write for the native coin. Sent as a token, they would name a contract. */
const STANDS_FOR_NATIVE = [ZERO, NATIVE_PLACEHOLDER];
const NATIVE_LABEL = 'Native coin of the wallet';

/** Token to send, by contract address. Null for the native coin. */
export const token = locator<string | null>(
	'Token',
	{
		description: 'The token to send. To send the native coin of the wallet, choose it explicitly.',
		byHand: {
			displayName: 'By Address',
			placeholder: 'e.g. 0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
		},
		builderHint: {
			propertyHint: `Set the contract address of the token. Only for the native coin of the chain, set "${NATIVE}". Never leave it empty.`,
		},
		fix: `Choose a token from the list, or enter its address. For the native coin of the wallet, choose it or enter ${NATIVE}.`,
	},
	readToken,
	async ({ load }) => {
		const tokens = await load({ method: 'GET', path: TOKENS.path });
		return [
			{ name: NATIVE_LABEL, value: NATIVE },
			...tokens.map(({ name, symbol, blockchain, usd_price: price, address }) => ({
				name: `${textOf(symbol)} on ${labelOf(BLOCKCHAINS, blockchain)} · ${textOf(name)}${isEmpty(price) ? '' : ` · $${textOf(price)}`}`,
				value: textOf(address),
			})),
		];
	},
);

/** Token by its contract address. Null for the native coin. */
export function readToken({ value, refuse }: FieldContext<ItemSource>): string | null {
	const wrong = (reason: string) =>
		refuse(
			reason,
			`Choose the token from the list, or enter its contract address; ${NATIVE} stands for the native coin.`,
		);
	if (typeof value !== 'string') return wrong('is not a string');
	const text = value.trim();
	if (text.toLowerCase() === NATIVE) return null;
	if (STANDS_FOR_NATIVE.includes(canonicalAddress(text)))
		return refuse(
			'is no contract, though some services write this address for the native coin',
			`For the native coin of the wallet, choose it from the list, or enter ${NATIVE}.`,
		);
	if (/[^\x21-\x7e]/.test(text)) return wrong('contains a space or a character outside ASCII');
	// The checksum is not checked, because the address usually comes from the service's own list.
	return isHexadecimal(text) ? text : wrong(`${quote(text)} is not a contract address`);
}

/**
 * Unit in which amounts are added up. Only a symbol says that two wallets hold the same: native coins differ from chain
 * to chain, which the wallet decides (§4.5), and one address can be another contract on another chain.
 */
export function unitToAdd(fields: SummaryFields): Unit {
	const { token_address: token, wallet_id: wallet, symbol } = fields;
	const address = token ? canonicalAddress(token) : 'native';
	return symbol
		? { id: address, name: unitOf(fields) }
		: { id: `${address} ${wallet}`, name: `${unitOf(fields)} in ${shortened(wallet ?? '', 40)}` };
}

/** Token of an amount, in words. */
export function unitOf({ token_address: token, symbol, unlisted }: SummaryFields): string {
	if (token === null) return 'of the native coin';
	const address = token ? shortAddress(token) : '';
	if (symbol) return `${symbol} (${address})`;
	return address && `of ${address}${unlisted ? ` (${unlisted})` : ''}`;
}

/** Symbol that looks like one. Any other text could be taken for an amount or an address. */
const SYMBOL = /^(?=.{1,12}$)[A-Za-z\d.]*[A-Za-z][A-Za-z\d.]*$/;

/** Symbols by address, of each list of tokens. A run asks for each of its items. */
const symbolsOf = new WeakMap<object, Map<string, Set<unknown>>>();

/**
 * Names of a token from the company's list (§4.1). No symbol, if the list has none, or different ones for the address.
 * @returns nothing without a token or a list
 */
export function namesOnTheList(token: unknown, list: unknown): SummaryFields {
	if (typeof token !== 'string' || typeof list !== 'object' || list === null) return {};
	let symbols = symbolsOf.get(list);
	if (symbols === undefined) {
		symbols = new Map();
		for (const listed of objectsIn(list)) {
			const key = contractOf(listed);
			symbols.set(key, (symbols.get(key) ?? new Set()).add(listed.symbol));
		}
		symbolsOf.set(list, symbols);
	}
	const found = symbols.get(canonicalAddress(token));
	if (found === undefined) return { unlisted: 'not in your token list' };
	const [symbol] = found;
	const isOne = found.size === 1 && typeof symbol === 'string' && SYMBOL.test(symbol);
	return { symbol: isOne ? symbol : null };
}
