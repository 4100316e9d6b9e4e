import { randomUUID } from 'node:crypto';

import { describedEvent, sampleEvent, type EventEnvelope, type EventOverrides } from './events.mts';
import { IDS } from './ids.mts';
import { cardStatus } from './seed.mts';
import { deliver, type Attempt, type DeliverOptions, type Delivery } from './sender.mts';
import type { World } from './service.mts';
import type { ExecutedTransfer, TransferOutcome } from './state.mts';

/** Target of the company's events (§4.14 does not show how to set it). */
export type Subscription = Pick<DeliverOptions, 'url' | 'webhookKey' | 'attempts' | 'timeScale'>;

/** Event sent by the simulator; `delivery` is set once it has ended. */
export interface DeliveryRecord {
	n: number;
	url: string;
	event: EventEnvelope;
	attempts: Attempt[];
	delivery?: Delivery;
}

/** Outcomes of transfers that have ended. Other transfers are pending and succeed later. */
const ENDED: readonly TransferOutcome[] = ['SUCCESS', 'FAILED', 'MANUAL_CHECK'];

/** Emits events: on demand, when a card is blocked, and after a transfer. */
export class Outbox {
	constructor(
		private readonly world: Pick<World, 'state' | 'settings' | 'deliveries' | 'pause'>,
		private readonly closing: AbortSignal,
		public subscription?: Subscription,
	) {}

	/** Sends a sample with overrides. @throws RangeError for an unknown name */
	emit(name: string, overrides: EventOverrides, target: Subscription): Promise<DeliveryRecord> {
		return this.send(sampleEvent(name, overrides), target);
	}

	/**
	 * Records an authorization on a card (§3). The first one over the velocity limit blocks the card and sends its event
	 * to the subscription, if any.
	 * @throws Rejected 404 for an unknown card
	 */
	authorize(cardId: string): void {
		const card = this.world.state.card(cardId);
		if (cardStatus(card) !== 'ACTIVE') return;
		const { maxAuthorizations, timeWindowSeconds } = card.velocityRule;
		const now = Date.now();
		const isCounted = (earlier: number) => now - earlier < timeWindowSeconds * 1_000;
		card.approvedAt = [...card.approvedAt.filter(isCounted), now];
		if (card.approvedAt.length <= maxAuthorizations) return;
		card.blocked = true;
		const event = sampleEvent('cards.card_blocked_by_velocity', {
			data: {
				card_id: card.id,
				company_id: IDS.company,
				blocked_at: new Date(now).toISOString(),
				triggered_rule: {
					max_authorizations: maxAuthorizations,
					time_window_seconds: timeWindowSeconds,
				},
				last_authorization_id: randomUUID(),
			},
		});
		if (this.subscription) void this.send(describedEvent(event), this.subscription);
	}

	/**
	 * Sends the event of an executed transfer to the subscription, if any; for a pending transfer, its later success.
	 * @throws if the pause is interrupted
	 */
	async confirm(transfer: ExecutedTransfer): Promise<void> {
		const isEnded = ENDED.includes(transfer.outcome);
		if (!isEnded) await this.world.pause(this.world.settings.pendingTransferMs);
		if (!this.subscription) return;
		const event = transferEvent(transfer, isEnded ? transfer.outcome.toLowerCase() : 'success');
		await this.send(describedEvent(event), this.subscription);
	}

	private async send(event: EventEnvelope, target: Subscription): Promise<DeliveryRecord> {
		const { deliveries } = this.world;
		const n = deliveries.length + 1;
		const record: DeliveryRecord = { n, url: target.url, event, attempts: [] };
		deliveries.push(record);
		record.delivery = await deliver(event, {
			...{ ...target, signal: this.closing },
			onAttempt: (attempt) => record.attempts.push(attempt),
		});
		return record;
	}
}

function transferEvent(transfer: ExecutedTransfer, status: string): EventEnvelope {
	const { wallet, to, tokenAddress, amountText, transactionHash } = transfer;
	return sampleEvent('treasury.transfer', {
		status,
		data: {
			wallet_id: wallet.id,
			wallet_address: wallet.address,
			// Events write chains in lowercase (§6.5).
			blockchain: wallet.blockchain.toLowerCase(),
			transaction_hash: transactionHash,
			to_wallet_address: to,
			// Events write amounts as strings, requests as numbers (§1.3).
			amount: amountText,
			// The document does not show the value for the native coin; empty, as in the request (§4.5).
			token: { address: tokenAddress },
		},
	});
}
