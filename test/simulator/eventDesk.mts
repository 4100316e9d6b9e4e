import { randomUUID } from 'node:crypto';
import { recordAuthorization, type AuthorizationRecord } from './cardRules.mts';
import { sampleEvent, type EventOverrides } from './events/index.mts';
import type { EventEnvelope } from './events/definition.mts';
import { IDS } from './ids.mts';
import { deliver, type Delivery, type DeliverOptions } from './sender.mts';
import type { SimulatorState } from './state.mts';

/** Where the company's events go (§4.14, whose operations are not shown). */
export type Subscription = Pick<DeliverOptions, 'url' | 'webhookKey' | 'attempts' | 'timeScale'>;

/** An event that left through the simulator; `delivery` is there once it has ended. */
export interface DeliveryRecord {
	n: number;
	url: string;
	event: EventEnvelope;
	delivery?: Delivery;
}

/** Emits events, on demand and when a card is blocked. */
export class EventDesk {
	readonly deliveries: DeliveryRecord[] = [];
	subscription: Subscription | undefined;

	constructor(
		private readonly state: SimulatorState,
		private readonly closing: AbortSignal,
		subscription?: Subscription,
	) {
		this.subscription = subscription;
	}

	clear(): void {
		this.deliveries.length = 0;
	}

	/** Sends a sample with overrides, by default to the subscription. @throws RangeError for an unknown name or without a target. */
	async emit(
		name: string,
		overrides: EventOverrides = {},
		target = this.subscription,
	): Promise<DeliveryRecord> {
		if (!target) throw new RangeError('No subscription is set, so a URL is needed');
		return await this.send(sampleEvent(name, overrides), target);
	}

	/**
	 * Records an authorization on a card. The one that triggers the velocity rule blocks the card, and its
	 * event goes to the subscription, if there is one; no later authorization emits it again (§3).
	 * @param at epoch milliseconds; default now
	 * @throws Refused 404 for an unknown card
	 */
	authorize(cardId: string, at = Date.now()): AuthorizationRecord & { event?: EventEnvelope } {
		const card = this.state.card(cardId);
		const record = recordAuthorization(card, randomUUID(), at);
		if (!record.blocked) return record;
		const event = sampleEvent('cards.card_blocked_by_velocity', {
			data: {
				card_id: card.id,
				company_id: IDS.company,
				blocked_at: record.blocked.blockedAt,
				triggered_rule: {
					max_authorizations: card.velocityRule.maxAuthorizations,
					time_window_seconds: card.velocityRule.timeWindowSeconds,
				},
				last_authorization_id: record.authorizationId,
			},
		});
		if (this.subscription) void this.send(event, this.subscription);
		return { ...record, event };
	}

	private async send(event: EventEnvelope, target: Subscription): Promise<DeliveryRecord> {
		const record: DeliveryRecord = { n: this.deliveries.length + 1, url: target.url, event };
		this.deliveries.push(record);
		record.delivery = await deliver(event, { ...target, signal: this.closing });
		return record;
	}
}
