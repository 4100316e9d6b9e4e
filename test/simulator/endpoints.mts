import lodash from 'lodash';

import { invalid, notFound, Rejected } from './answer.mts';
import type { LedgerRow } from './books.mts';
import { DESCRIBED_ENDPOINTS, OPERATION_FAMILIES, type DescribedEndpoint } from './description.mts';
import { reviewDocument, type SubmittedDocument } from './documentReview.mts';
import { MAGIC_RECIPIENTS } from './ids.mts';
import { pdf } from './pdf.mts';
import { cardStatus, type Card } from './seed.mts';
import type { ExecutedTransfer, SimulatorState, TransferOutcome } from './state.mts';

/** Request as an endpoint receives it: authenticated, and as the description has it. */
interface EndpointRequest {
	params: Record<string, string>;
	/** A parameter that is repeated is a list. */
	query: Record<string, string | string[] | undefined>;
	body: any;
	state: SimulatorState;
	/** Records the effect in the ledger; called once per effect, where it happens. */
	execute(effect: Pick<LedgerRow, 'operation' | 'amountText' | 'result' | 'transactionHash'>): void;
	transferred(transfer: ExecutedTransfer): void;
}

/** Returns the JSON value of a 200, or the bytes of a PDF. @throws Rejected for any other answer */
type Handler = (request: EndpointRequest) => unknown;

/** Endpoint of the description that the simulator serves. */
export interface Endpoint extends DescribedEndpoint {
	level: number;
	handle: Handler;
}

/** @throws Rejected 404 for an unknown card and for an enterprise card */
function individualCard(state: SimulatorState, id: string): Card {
	const card = state.card(id);
	if (card.kind !== 'individual') throw notFound('Card', id);
	return card;
}

/** @throws Rejected 404 for an unknown card, 412 for an individual one (§9.4). */
function enterpriseCard(state: SimulatorState, id: string): Card {
	const card = state.card(id);
	if (card.kind === 'enterprise') return card;
	throw new Rejected(412, 'VAL', 'Version 2 is available for enterprise cards only');
}

/**
 * Families requested in `operations`; empty means all. The document does not show how to send several, so both forms
 * are accepted.
 * @throws Rejected 412 that lists the available operations (§7.3)
 */
function wantedOperations({ operations = [] }: EndpointRequest['query']): string[] {
	const wanted = [operations].flat().flatMap((value) => value.split(',').filter(Boolean));
	const unknown = lodash.difference(wanted, OPERATION_FAMILIES);
	if (unknown.length === 0) return wanted;
	const message = `Operations not available in version 2: ${unknown.join(', ')}. Available operations: ${OPERATION_FAMILIES.join(', ')}`;
	throw new Rejected(412, 'VAL', message);
}

const outcomeFor = (to: string): TransferOutcome =>
	(lodash.findKey(MAGIC_RECIPIENTS, (each) => each.toLowerCase() === to.toLowerCase()) ??
		'SUCCESS') as TransferOutcome;

const freeze: Handler = ({ params, state, body: { freeze: frozen }, execute }) => {
	individualCard(state, params.cardId!).frozen = frozen;
	execute({ operation: frozen ? 'card.freeze' : 'card.unfreeze' });
	return {};
};

/** Internal fields of a card that the service does not return (§2.7). */
const NOT_OF_THE_SERVICE = 'kind restingStatus frozen blocked velocityRule approvedAt'.split(' ');

const submitDocument: Handler = ({ params, state, body, execute }) => {
	const product = state
		.productRequestsOf(params.clientId!)
		.find(({ id }) => id === params.productRequestId);
	if (!product) throw notFound('Product enablement request', params.productRequestId!);
	if (product.status !== 'pending_documentation') {
		const message = `The product enablement request is not pending documentation but ${product.status}`;
		throw new Rejected(409, 'VAL', message);
	}
	const rejected = reviewDocument(state, product, body.document as SubmittedDocument);
	if (rejected.length === 0) execute({ operation: 'productRequest.submitDocument' });
	return { product, rejected_items: rejected };
};

const updateRampTransfer: Handler = ({ params, state, body: { amount }, execute }) => {
	const transfer = state.records.rampTransfers.find(({ id }) => id === params.id);
	if (!transfer) throw notFound('Ramp transfer', params.id!);
	// The document shows no range for this amount. Only a positive number makes sense.
	if (amount <= 0) throw invalid('amount must be greater than 0');
	if (transfer.status !== 'PENDING') {
		const message = `The amount can be updated only in PENDING; the ramp transfer is ${transfer.status}`;
		throw new Rejected(400, 'APP_ERROR', message);
	}
	// The document does not show which field holds the new amount (§4.4); `origin_amount` is assumed.
	transfer.origin_amount = amount;
	execute({ operation: 'rampTransfer.updateAmount', amountText: String(amount) });
	return transfer;
};

/** Results of transfers that have moved nothing, or not yet. */
export const UNMOVED: readonly unknown[] = ['FAILED', 'MANUAL_CHECK'];

const transferTokens: Handler = ({ params, state, body, execute, transferred }) => {
	const wallet = state.wallet(params.accountId!, params.walletId!);
	const { to, token_address: tokenAddress = '', amount } = body;
	const amountText = String(amount);
	const outcome = outcomeFor(to);
	const transactionHash = state.nextTransactionHash();
	execute({ operation: 'wallet.transfer', amountText, result: outcome, transactionHash });
	if (!UNMOVED.includes(outcome)) state.spend(wallet.address, tokenAddress, amountText);
	transferred({ wallet, to, tokenAddress, amountText, transactionHash, outcome });
	if (outcome !== 'WARNING') return { transaction_hash: transactionHash, status: outcome };
	// A 302 invites clients to follow it. The target answers 404, so the request log shows a client that did.
	const headers = { Location: `/mpc/transfers/${transactionHash}` };
	throw new Rejected(302, 'WARNING', 'The transaction is pending; check the status later', headers);
};

const downloadStatement: Handler = ({ params, query, state }) => {
	const card = state.records.cards.find(({ id }) => id === params.cardId);
	if (!card) throw new Rejected(412, 'VAL', `Card not found: ${params.cardId}`);
	const { from_date: from, to_date: to } = query;
	// The document does not say if the days are required; here they are, so that a client that omits one is noticed.
	if (!from || !to) throw invalid('from_date and to_date are required');
	if (from > to) throw invalid('from_date must not be after to_date');
	const operations = state.records.cardOperations.filter(
		({ card_id, created_at }) =>
			card_id === card.id && created_at.slice(0, 10) >= from && created_at.slice(0, 10) <= to,
	);
	return pdf([
		`Card statement ${String(from)} to ${String(to)}`,
		`Card **** ${card.last4} (${card.card_holder_name})`,
		...operations.map(
			({ created_at, operation, bill_amount }) => `${created_at}  ${operation}  ${bill_amount}`,
		),
	]);
};

/**
 * Searches in version 2 regardless of `X-API-Version`, which is ignored since 1 October 2026 (§9.3).
 * The document shows only `total_elements` and each movement's `operation` and `bill_amount`. The list name `movements`
 * and the other fields are inventions of the simulator.
 */
const search: Handler = ({ params, query, state }) => {
	const card = enterpriseCard(state, params.cardId!);
	const operations = wantedOperations(query);
	const found = state.records.cardOperations.filter(
		({ card_id, operation }) =>
			card_id === card.id && (operations.length === 0 || operations.includes(operation)),
	);
	return {
		total_elements: found.length,
		// Status, decline reason and fees are part of the detail only (§9.7).
		movements: found.map((operation) => lodash.omit(operation, 'lifecycle', 'fees', 'card_id')),
	};
};

/** Returns one operation. The document does not show any field other than `lifecycle`; these are inventions. */
const getCardTransaction: Handler = ({ params, query, state }) => {
	const card = enterpriseCard(state, params.cardId!);
	wantedOperations(query);
	const found = state.records.cardOperations.find(
		({ id, card_id }) => id === params.transactionId && card_id === card.id,
	);
	if (!found) throw notFound('Card transaction', params.transactionId!);
	return found;
};

const HANDLERS: Record<string, Handler> = {
	'4.1': ({ state }) => state.records.tokens,
	'4.2': submitDocument,
	'4.3': ({ params, state }) => state.productRequestsOf(params.clientId!),
	'4.4': updateRampTransfer,
	'4.5': transferTokens,
	'4.6': ({ params, state }) => {
		const card = individualCard(state, params.cardId!);
		return { ...lodash.omit(card, NOT_OF_THE_SERVICE), status: cardStatus(card) };
	},
	'4.7': freeze,
	// §4.8 does not mention unknown cards; §7.2 names 404 for cards in general.
	'4.8': ({ params, state, body: { type }, execute }) => {
		state.card(params.cardId!).forwarded_3ds_type = type;
		execute({ operation: 'card.configure3ds' });
		return { type };
	},
	'4.9': downloadStatement,
	'4.10': ({ params, state, execute }) => {
		const card = state.card(params.id!);
		// The resulting status is not shown (§3); here it is the earlier one. The answer is an invention of the simulator.
		Object.assign(card, { blocked: false, approvedAt: [] });
		execute({ operation: 'card.unblock' });
		return { id: card.id, status: cardStatus(card) };
	},
	'4.11': search,
	'4.12': getCardTransaction,
};

/** Level and path of the simulator, where the document shows none: those of similar endpoints. */
const CHOSEN: Record<string, Partial<DescribedEndpoint>> = {
	'4.10': { level: 2 },
	'4.12': { path: '/cards/transactions/{cardId}/operations/{transactionId}' },
};

/** Every documented endpoint that still exists (§4.1 to §4.12), without the deprecated ones (§4.13). */
export const ENDPOINTS: readonly Endpoint[] = DESCRIBED_ENDPOINTS.map((described) => {
	const { level = 1, ...more } = { ...described, ...CHOSEN[described.section] };
	return { ...more, level, handle: HANDLERS[described.section]! };
});
