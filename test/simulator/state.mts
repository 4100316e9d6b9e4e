import { createHash } from 'node:crypto';

import { notFound } from './answer.mts';
import {
	seedRecords,
	type Card,
	type DocumentRequirement,
	type ProductRequest,
	type Records,
	type Wallet,
} from './seed.mts';

interface SubmittedDocument {
	productRequestId: string;
	documentType: string;
	requirement: DocumentRequirement;
}

/** Outcomes of a transfer: the statuses of §2.6 and the 302 of §4.5. */
export type TransferOutcome = 'SUCCESS' | 'PENDING' | 'FAILED' | 'MANUAL_CHECK' | 'WARNING';

/** Data for the event about a transfer (§6.5). */
export interface ExecutedTransfer {
	wallet: Wallet;
	to: string;
	/** Empty for the native coin. */
	tokenAddress: string;
	amountText: string;
	transactionHash: string;
	outcome: TransferOutcome;
}

/** State of the simulated service: seeded, in memory, changed by the endpoints. */
export class SimulatorState {
	records: Records = seedRecords();
	submittedDocuments: SubmittedDocument[] = [];
	private transactions = 0;

	reset(): void {
		Object.assign(this, new SimulatorState());
	}

	/** @throws Rejected 404 `NOT_FOUND` for an unknown card. */
	card(id: string): Card {
		const found = this.records.cards.find((card) => card.id === id);
		if (!found) throw notFound('Card', id);
		return found;
	}

	wallet(accountId: string, walletId: string): Wallet {
		const wallet = this.records.wallets.find(
			({ id, account_id }) => id === walletId && account_id === accountId,
		);
		if (!wallet) throw notFound('Wallet', walletId);
		return wallet;
	}

	/** Requests of a client, newest first (§4.3). @throws Rejected 404 for an unknown client */
	productRequestsOf(clientId: string): ProductRequest[] {
		if (!this.records.clients.includes(clientId)) throw notFound('Client', clientId);
		return this.records.productRequests.filter(({ client_id }) => client_id === clientId);
	}

	/** Lowers what a wallet holds, never below zero: the service's answer does not depend on it. */
	spend(address: string, token: string, amountText: string): void {
		const holding = this.records.holdings.find(
			(each) => each.address === address && each.token === token,
		);
		if (!holding) return;
		const [whole = '', fraction = ''] = amountText.split('.');
		const spent = BigInt(whole + fraction.padEnd(holding.decimals, '0'));
		const left = BigInt(holding.units) - spent;
		holding.units = String(left > 0n ? left : 0n);
	}

	/** Returns a new transaction hash; the sequence is the same in every run. */
	nextTransactionHash(): string {
		return `0x${createHash('sha256').update(`transaction ${++this.transactions}`).digest('hex')}`;
	}
}
