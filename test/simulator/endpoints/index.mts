import type { Endpoint } from '../endpoint.mts';
import * as cards from './cards.mts';
import * as cardTransactions from './cardTransactions.mts';
import * as productRequests from './productRequests.mts';
import * as wallets from './wallets.mts';

/** Every documented endpoint that still exists (§4.1 to §4.12), without the deprecated ones (§4.13). */
export const ENDPOINTS: readonly Endpoint[] = [
	wallets,
	cards,
	cardTransactions,
	productRequests,
].flatMap((resource): Endpoint[] => Object.values(resource));
