import { IDS } from './ids.mts';
import { seedCardOperations, seedCards } from './seedCards.mts';
import { seedProductRequests } from './seedProductRequests.mts';

/** Returns a fresh copy of the initial records, always the same. Field names are the service's (§2). */
export const seedRecords = () => ({
	tokens: TOKENS.map(([symbol, name, blockchain, usd_price], index) => ({
		id: `tok-${String(index + 1).padStart(4, '0')}`,
		...{ name, symbol, address: `0x70ce${String(index + 1).padStart(36, '0')}` },
		...{ blockchain, usd_price },
	})),
	wallets: [
		wallet(IDS.wallet, IDS.account, 'a1', 'POLYGON'),
		wallet(IDS.secondWallet, IDS.account, 'a2', 'ETHEREUM'),
		wallet(IDS.otherAccountWallet, IDS.otherAccount, 'b1', 'BASE'),
	],
	rampTransfers: [
		rampTransfer(IDS.pendingRamp, 'PENDING', 'BRL', 1500.5, 'Ana Souza'),
		rampTransfer(IDS.secondPendingRamp, 'PENDING', 'MXN', 20_000, 'Luis Ortega'),
		rampTransfer(IDS.processingRamp, 'PROCESSING', 'USD', 250, 'Grace Hill'),
		rampTransfer(IDS.completedRamp, 'COMPLETED', 'EUR', 980.25, 'Jonas Weber'),
		rampTransfer(IDS.failedRamp, 'FAILED', 'ARS', 100_000, 'Carla Paz'),
		rampTransfer(IDS.cancelledRamp, 'CANCELLED', 'USD', 75, 'Sam Reed'),
	],
	cards: seedCards(),
	cardOperations: seedCardOperations(),
	/** IDs of individual clients. */
	clients: [IDS.client, IDS.otherClient, IDS.newClient, IDS.sampleClient] as string[],
	productRequests: seedProductRequests(),
});

export type Records = ReturnType<typeof seedRecords>;
export type Wallet = Records['wallets'][number];

/** Tokens of several chains, one symbol on several chains, and symbols in mixed case. */
const TOKENS: Array<[symbol: string, name: string, chain: string, usdPrice: number]> = [
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

const wallet = (id: string, account_id: string, byte: string, blockchain: string) => ({
	...{ id, account_id, address: `0x${byte.repeat(20)}`, blockchain },
});

const rampTransfer = (
	id: string,
	status: string,
	origin_currency: string,
	origin_amount: number,
	origin_name: string,
) => ({
	// The document shows no type other than `RAMP_ON` (§2.5).
	...{ id, type: 'RAMP_ON', status, company_id: IDS.company },
	...{ destination_wallet_id: IDS.wallet, client_id: IDS.client },
	...{ origin_amount, origin_currency, origin_name },
});
