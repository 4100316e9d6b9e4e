import type { Endpoint } from '../endpoint.mts';
import { configure3ds } from './configure3ds.mts';
import { downloadStatement } from './downloadStatement.mts';
import { freezeCard } from './freezeCard.mts';
import { getCardTransaction } from './getCardTransaction.mts';
import { getIndividualCard } from './getIndividualCard.mts';
import { listProductRequests } from './listProductRequests.mts';
import { listTokens } from './listTokens.mts';
import { searchCardTransactions } from './searchCardTransactions.mts';
import { submitDocument } from './submitDocument.mts';
import { transferTokens } from './transferTokens.mts';
import { unblockCard } from './unblockCard.mts';
import { updateRampTransfer } from './updateRampTransfer.mts';

/** Every endpoint that the document shows and that still exists (§4.1 to §4.12); the deprecated ones (§4.13) are gone. */
export const ENDPOINTS: readonly Endpoint[] = [
	listTokens,
	submitDocument,
	listProductRequests,
	updateRampTransfer,
	transferTokens,
	getIndividualCard,
	freezeCard,
	configure3ds,
	downloadStatement,
	unblockCard,
	searchCardTransactions,
	getCardTransaction,
];
