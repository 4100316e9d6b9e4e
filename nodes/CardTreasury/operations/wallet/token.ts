import { isObject } from '../../../shared/isObject';
import { shortAddress, textOf } from '../../../shared/text';
import { isAddress, isHeld, NO_ADDRESS } from '../../fields/address';
import type { Editor } from '../../fields/field';
import { locator } from '../../fields/kinds';
import { isEmpty } from '../../fields/values';

export const LIST_PATH = '/mpc/tokens/list';

/** Stands for the native coin, which has no address. */
const NATIVE = 'native';
const NATIVE_LABEL = 'Native coin of the wallet';

export interface Token {
	/** Null for the native coin. */
	address: string | null;
	/** In a message, after the amount. */
	name: string;
}

export const token = locator<Token>(
	'Token',
	`The token to send, by its contract address. For the native coin of the wallet, choose it or enter ${NATIVE}.`,
	['By Address', 'e.g. 0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
	(value, refuse, { raw }) => {
		const address = textOf(value).trim();
		if (address.toLowerCase() === NATIVE) return { address: null, name: 'of the native coin' };
		if (!isAddress(address)) return refuse(...NO_ADDRESS);
		if (!isHeld(address))
			return refuse("is no token's contract", 'For the native coin, choose it from the list.');
		return { address, name: nameInList(raw, address) ?? `of ${shortAddress(address)}` };
	},
	listTokens,
);

/** E.g. "USDC on ETHEREUM", if the user chose the token from the list. */
function nameInList(raw: unknown, address: string): string | undefined {
	const { mode, value, cachedResultName: name } = isObject(raw) ? raw : {};
	const isChosen = mode === 'list' && value === address && typeof name === 'string';
	return isChosen ? name.split(' · ')[0] : undefined;
}

async function listTokens({ load }: Editor) {
	const tokens = await load(LIST_PATH);
	return [
		{ name: NATIVE_LABEL, value: NATIVE },
		...tokens.map(({ name, symbol, blockchain, usd_price: price, address }) => ({
			name: `${textOf(symbol)} on ${textOf(blockchain)} · ${textOf(name)}${isEmpty(price) ? '' : ` · $${textOf(price)}`}`,
			value: textOf(address),
		})),
	];
}
