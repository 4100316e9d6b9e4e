import { editorOf } from '../editor.mts';
import { operationOf } from '../reading.mts';

const TOKENS = [
	{ symbol: 'USDC', name: 'USD Coin', blockchain: 'POLYGON', usd_price: 1, address: '0x1' },
	{ symbol: 'ABC', name: 'New', blockchain: 'SOLANA', usd_price: null, address: 'So1' },
];

it("the list has the native coin first, then the service's tokens in order", async () => {
	const editor = editorOf({}, TOKENS);
	const { tokenAddress } = operationOf('wallet: transfer').fields;
	expect(await tokenAddress!.list!(editor)).toEqual([
		{ name: 'Native coin of the wallet', value: 'native' },
		{ name: 'USDC on Polygon · USD Coin · $1', value: '0x1' },
		{ name: 'ABC on SOLANA · New', value: 'So1' },
	]);
	expect(editor.loaded).toEqual([[{ method: 'GET', path: '/mpc/tokens/list' }]]);
});
