import type { ServiceRequest } from '../../operation';
import { labelOf } from '../labels';

/** §4.1, the one call behind the operation and the list. */
export const LIST_PATH = '/mpc/tokens/list';

export const listRequest = (): ServiceRequest => ({ method: 'GET', path: LIST_PATH });

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

export const blockchainLabel = (blockchain: unknown) => labelOf(BLOCKCHAINS, blockchain);
