import { seedCardOperations, seedCards } from './seedCards.mts';
import { seedProductRequests } from './seedProductRequests.mts';
import { IDS } from './ids.mts';
import type { RampTransfer, Token, Wallet } from './records.mts';

/** A fresh copy of everything the simulator starts with; the same every time. */
export function seedRecords() {
	return {
		tokens: seedTokens(),
		wallets: seedWallets(),
		rampTransfers: seedRampTransfers(),
		cards: seedCards(),
		cardOperations: seedCardOperations(),
		/** Individual clients, by ID. */
		clients: [IDS.client, IDS.otherClient, IDS.newClient, IDS.sampleClient] as string[],
		productRequests: seedProductRequests(),
	};
}

export type Records = ReturnType<typeof seedRecords>;

/** Several chains, the same symbol on several of them, and symbols in mixed case: what filters have to cope with. */
function seedTokens(): Token[] {
	const rows: Array<[symbol: string, name: string, chain: Token['blockchain'], usdPrice: number]> =
		[
			['USDC', 'USD Coin', 'ETHEREUM', 1],
			['USDC', 'USD Coin', 'POLYGON', 1],
			['USDC', 'USD Coin', 'BASE', 0.9998],
			['usdc', 'Bridged USD Coin', 'ARBITRUM', 0.9997],
			['USDT', 'Tether USD', 'ETHEREUM', 1.0001],
			['USDT', 'Tether USD', 'BSC', 1.0001],
			['Usdt', 'Tether USD', 'AVALANCHE', 1.0002],
			['WETH', 'Wrapped Ether', 'OPTIMISM', 2731.55],
			['wMATIC', 'Wrapped Matic', 'POLYGON', 0.412345],
			['DAI', 'Dai Stablecoin', 'OPTIMISM', 0.999901],
		];
	return rows.map(([symbol, name, blockchain, usd_price], index) => ({
		id: `tok-${String(index + 1).padStart(4, '0')}`,
		name,
		symbol,
		address: `0x70ce${String(index + 1).padStart(36, '0')}`,
		blockchain,
		usd_price,
	}));
}

function seedWallets(): Wallet[] {
	return [
		{
			id: IDS.wallet,
			account_id: IDS.account,
			address: `0x${'a1'.repeat(20)}`,
			blockchain: 'POLYGON',
		},
		{
			id: IDS.secondWallet,
			account_id: IDS.account,
			address: `0x${'a2'.repeat(20)}`,
			blockchain: 'ETHEREUM',
		},
		{
			id: IDS.otherAccountWallet,
			account_id: IDS.otherAccount,
			address: `0x${'b1'.repeat(20)}`,
			blockchain: 'BASE',
		},
	];
}

function seedRampTransfers(): RampTransfer[] {
	const transfer = (
		id: string,
		status: RampTransfer['status'],
		origin_currency: RampTransfer['origin_currency'],
		origin_amount: number,
		origin_name: string,
	): RampTransfer => ({
		id,
		// Types other than `RAMP_ON` are not shown (§2.5).
		type: 'RAMP_ON',
		status,
		company_id: IDS.company,
		destination_wallet_id: IDS.wallet,
		client_id: IDS.client,
		origin_amount,
		origin_currency,
		origin_name,
	});
	return [
		transfer(IDS.pendingRamp, 'PENDING', 'BRL', 1500.5, 'Ana Souza'),
		transfer(IDS.secondPendingRamp, 'PENDING', 'MXN', 20_000, 'Luis Ortega'),
		transfer(IDS.processingRamp, 'PROCESSING', 'USD', 250, 'Grace Hill'),
		transfer(IDS.completedRamp, 'COMPLETED', 'EUR', 980.25, 'Jonas Weber'),
		transfer(IDS.failedRamp, 'FAILED', 'ARS', 100_000, 'Carla Paz'),
		transfer(IDS.cancelledRamp, 'CANCELLED', 'USD', 75, 'Sam Reed'),
	];
}
