/** §2.1, in the order of the alphabet. */
export const BLOCKCHAINS = [
	{ name: 'Arbitrum', value: 'ARBITRUM' },
	{ name: 'Avalanche', value: 'AVALANCHE' },
	{ name: 'Base', value: 'BASE' },
	{ name: 'BSC', value: 'BSC' },
	{ name: 'Ethereum', value: 'ETHEREUM' },
	{ name: 'Optimism', value: 'OPTIMISM' },
	{ name: 'Polygon', value: 'POLYGON' },
];

/** As a person writes it; one that is not documented as it came. */
export function blockchainLabel(blockchain: unknown): string {
	return BLOCKCHAINS.find(({ value }) => value === blockchain)?.name ?? String(blockchain);
}
