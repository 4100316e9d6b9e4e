import { errorAnswer, invalid, json, notFound, Rejected, type Answer } from '../answer.mts';
import { exactAmount } from '../body.mts';
import { endpoint } from '../endpoint.mts';
import { MAGIC_RECIPIENTS } from '../ids.mts';
import type { SimulatorState, TransferOutcome } from '../state.mts';

export const listTokens = endpoint('4.1', ({ state }) => json(200, state.records.tokens));

export const updateRampTransfer = endpoint('4.4', ({ params, state, bodyText, execute }) => {
	const transfer = state.records.rampTransfers.find(({ id }) => id === params.id);
	if (!transfer) throw notFound('Ramp transfer', params.id!);
	const amountText = exactAmount(bodyText);
	// The document shows no range for this amount. Only a positive number makes sense.
	if (Number(amountText) <= 0) throw invalid('amount must be greater than 0');
	if (transfer.status !== 'PENDING') {
		throw new Rejected(
			400,
			'APP_ERROR',
			`The amount can be updated only in PENDING; the ramp transfer is ${transfer.status}`,
		);
	}
	// The document does not show which field holds the new amount (§4.4); `origin_amount` is assumed.
	transfer.origin_amount = Number(amountText);
	execute({ operation: 'rampTransfer.updateAmount', amountText });
	return json(200, transfer);
});

export const transferTokens = endpoint(
	'4.5',
	({ params, state, body, bodyText, execute, transferred }) => {
		const wallet = state.wallet(params.accountId!, params.walletId!);
		const { to, token_address: tokenAddress = '' } = body as { to: string; token_address?: string };
		const amountText = exactAmount(bodyText);
		const outcome = outcomeFor(to, state);
		const transactionHash = state.nextTransactionHash();
		execute({ operation: 'wallet.transfer', amountText, result: outcome, transactionHash });
		transferred({ wallet, to, tokenAddress, amountText, transactionHash, outcome });
		return outcomeAnswer(outcome, transactionHash);
	},
);

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
	// A 302 invites clients to follow it. The target answers 404, so the request log shows a client that did.
	warning.headers.Location = `/mpc/transfers/${hash}`;
	return warning;
}
