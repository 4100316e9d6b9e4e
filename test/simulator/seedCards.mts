import { IDS } from './ids.mts';

export function seedCards() {
	return [
		card(IDS.activeCard, '4001', 'ANA SOUZA'),
		card(IDS.frozenCard, '4002', 'ANA SOUZA', { frozen: true }),
		card(IDS.blockedCard, '4003', 'GRACE HILL', { blocked: true, client_id: IDS.otherClient }),
		card(IDS.secondActiveCard, '4004', 'GRACE HILL', {
			forwarded_3ds_type: 'webhook',
			client_id: IDS.otherClient,
		}),
		card(IDS.expiredCard, '4005', 'ANA SOUZA', { restingStatus: 'EXPIRED', expiration_year: 2024 }),
		card(IDS.sampleCard, '4006', 'ANA SOUZA', { blocked: true, client_id: IDS.sampleClient }),
		card(IDS.enterpriseCard, '9001', 'EXAMPLE COMPANY', {
			kind: 'enterprise',
			client_id: undefined,
		}),
	];
}

/** Individual card (§2.7) or enterprise card. The document shows no fields of an enterprise card. */
export type Card = ReturnType<typeof seedCards>[number];

/** Fields in which a card differs, with types wider than their first value. */
interface Differences {
	kind?: 'individual' | 'enterprise';
	client_id?: string;
	restingStatus?: 'ACTIVE' | 'INACTIVE' | 'DELETED' | 'EXPIRED';
	frozen?: boolean;
	blocked?: boolean;
	expiration_year?: number;
	forwarded_3ds_type?: 'sms' | 'webhook';
}

const card = (id: string, last4: string, holder: string, differences: Differences = {}) => ({
	id,
	kind: 'individual',
	provider_card_id: `provider-card-${last4}`,
	client_id: IDS.client as string | undefined,
	// The document does not show the allowed values of `type` and `approval_method` (§2.7).
	type: 'VIRTUAL',
	restingStatus: 'ACTIVE',
	frozen: false,
	blocked: false,
	last4,
	expiration_month: 11,
	expiration_year: 2029,
	card_holder_name: holder,
	approval_method: 'WEBHOOK',
	daily_limit: 1_000,
	weekly_limit: 5_000.5,
	monthly_limit: 15_000,
	forwarded_3ds_type: 'sms',
	velocityRule: { maxAuthorizations: 3, timeWindowSeconds: 60 },
	/** Epoch milliseconds of the approved authorizations that the velocity rule counts. */
	approvedAt: [] as number[],
	...differences,
});

/** Status of a card (§3). A block takes precedence over a freeze, so that unfreezing never lifts a block. */
export function cardStatus({ restingStatus, blocked, frozen }: Card): string {
	if (restingStatus !== 'ACTIVE') return restingStatus;
	return blocked ? 'BLOCKED' : frozen ? 'FROZEN' : 'ACTIVE';
}

/** Operations of version 2 (§9.5), newest first: every family of §9.6, and purchases with different outcomes. */
export function seedCardOperations() {
	const rows: Array<
		[operation: string, amount: number, merchant: string | null, state: string, outcome: string]
	> = [
		['PURCHASE', 52.35, 'Coffee & Books', 'CLOSED', 'CLEARED'],
		['PURCHASE', 120, 'Cloud Hosting Inc', 'OPEN', 'APPROVED'],
		['PURCHASE', 999.99, 'Luxury Watches', 'CLOSED', 'DECLINED'],
		['PURCHASE', 18.2, 'City Taxi', 'CLOSED', 'REVERSED'],
		['PURCHASE', 64, 'Shoe Store', 'CLOSED', 'REFUNDED'],
		['WALLET_DEPOSIT', 500, null, 'CLOSED', 'COMPLETED'],
		['WALLET_WITHDRAWAL', 75.5, null, 'CLOSED', 'COMPLETED'],
		['WARRANTY_DEPOSIT', 1_000, null, 'CLOSED', 'COMPLETED'],
		['WARRANTY_WITHDRAWAL', 250.000001, null, 'CLOSED', 'COMPLETED'],
		['OVERRIDE_VIRTUAL_BALANCE', 10, null, 'CLOSED', 'COMPLETED'],
		['CARDNET_DIRECT_DEPOSIT', 33.33, null, 'CLOSED', 'COMPLETED'],
		['PURCHASE', 7.25, 'Corner Bakery', 'CLOSED', 'CLEARED'],
	];
	return rows.map(([operation, bill_amount, merchant_name, state, outcome], index) => ({
		id: `op-${String(index + 1).padStart(4, '0')}`,
		card_id: IDS.enterpriseCard,
		operation,
		bill_amount,
		bill_currency_code: 'USD',
		transaction_amount: bill_amount,
		transaction_currency_code: 'USD',
		created_at: new Date(Date.UTC(2026, 10, 20, 12) - index * 6 * 3_600_000).toISOString(),
		merchant_name,
		// The document does not show the values of `lifecycle.state` and `lifecycle.outcome` (§4.12).
		lifecycle: { state, outcome },
		fees: { atm_fees: 0, fx_fees: index === 0 ? 0.35 : 0 },
	}));
}
