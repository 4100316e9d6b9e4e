import { invalid, json, errorAnswer, type Answer } from '../answer.mts';
import { bodyObject, exactAmount } from '../body.mts';
import type { Endpoint } from '../endpoint.mts';
import { MAGIC_RECIPIENTS } from '../ids.mts';
import type { SimulatorState, TransferOutcome } from '../state.mts';

/** §4.5: at most 9 integer digits and 6 decimal places. Exponents are rejected: the document counts digits. */
const AMOUNT = /^\d{1,9}(?:\.\d{1,6})?$/;

export const transferTokens: Endpoint = {
	section: '4.5',
	method: 'POST',
	path: '/mpc/accounts/{accountId}/wallets/{walletId}/transfer',
	level: 2,
	idempotent: true,
	handle(request) {
		const { params, state, bodyText } = request;
		const wallet = state.wallet(params.accountId!, params.walletId!);
		const body = bodyObject(request.body);
		const to = checkRecipient(body.to);
		if (body.token_address !== undefined && typeof body.token_address !== 'string') {
			throw invalid('token_address must be a string');
		}
		const amountText = exactAmount(bodyText);
		if (!AMOUNT.test(amountText) || Number(amountText) === 0) {
			throw invalid(
				'amount must be greater than 0, with at most 9 integer digits and 6 decimal places',
			);
		}
		const outcome = outcomeFor(to, state);
		const transactionHash = state.nextTransactionHash();
		request.execute({ operation: 'wallet.transfer', amountText });
		const tokenAddress = body.token_address ?? '';
		request.transferred({ wallet, to, tokenAddress, amountText, transactionHash, outcome });
		return outcomeAnswer(outcome, transactionHash);
	},
};

// The document shows no status or code for a body that breaks its rules; 400 `VAL` is the simulator's choice.
function checkRecipient(to: unknown): string {
	if (typeof to !== 'string' || to === '') throw invalid('to is required and must be a string');
	if (/\s/.test(to)) throw invalid('to must not contain blank spaces');
	return to;
}

function outcomeFor(to: string, state: SimulatorState): TransferOutcome {
	const outcomes = Object.keys(MAGIC_RECIPIENTS) as Array<keyof typeof MAGIC_RECIPIENTS>;
	const magic = outcomes.find(
		(outcome) => MAGIC_RECIPIENTS[outcome].toLowerCase() === to.toLowerCase(),
	);
	return magic ?? state.nextTransferOutcomes.shift() ?? 'SUCCESS';
}

function outcomeAnswer(outcome: TransferOutcome, hash: string): Answer {
	if (outcome !== 'WARNING') return json(200, { transaction_hash: hash, status: outcome });
	const warning = errorAnswer(302, 'WARNING', 'The transaction is pending; check the status later');
	// A 302 invites clients to follow it. The target answers 404, and the request log shows who did.
	warning.headers.Location = `/mpc/transfers/${hash}`;
	return warning;
}
