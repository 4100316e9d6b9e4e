import { IDS } from './ids.mts';

/** Returns a fresh copy of the initial records, always the same. Field names are the service's (§2). */
export const seedRecords = () => ({
	tokens: TOKENS.map(([symbol, name, blockchain, usd_price], index) => ({
		id: `tok-${String(index + 1).padStart(4, '0')}`,
		...{ name, symbol, address: tokenAddress(index) },
		...{ blockchain, usd_price },
	})),
	wallets: [wallet(IDS.wallet, 'a1', 'POLYGON'), wallet(IDS.secondWallet, 'a2', 'ETHEREUM')],
	/** What the wallets hold on their blockchain, in the smallest unit. Without a token, the native coin. */
	holdings: [holding('a1', 'POLYGON', '1250500000'), holding('a2', 'ETHEREUM', '2500300000')],
	rampTransfers: RAMPS.map(([id, status, origin_currency, origin_amount, origin_name]) => ({
		// The document shows no type other than `RAMP_ON` (§2.5).
		...{ id, type: 'RAMP_ON', status, company_id: IDS.company },
		...{ destination_wallet_id: IDS.wallet, client_id: IDS.client },
		...{ origin_amount, origin_currency, origin_name },
	})),
	cards: [
		card(IDS.activeCard, '4001', 'ANA SOUZA'),
		card(IDS.frozenCard, '4002', 'ANA SOUZA', { frozen: true }),
		card(IDS.blockedCard, '4003', 'GRACE HILL', { blocked: true, client_id: IDS.otherClient }),
		card(IDS.sampleCard, '4006', 'ANA SOUZA', { blocked: true, client_id: IDS.sampleClient }),
		card(IDS.enterpriseCard, '9001', 'EXAMPLE COMPANY', { kind: 'enterprise' }),
	],
	cardOperations: OPERATIONS.map(cardOperation),
	clients: [IDS.client, IDS.otherClient, IDS.newClient, IDS.sampleClient] as string[],
	/** Newest first (§4.3). */
	productRequests: [
		request(IDS.pendingProductRequest, IDS.client, '2026-11-18', pending()),
		request(IDS.sampleProductRequest, IDS.sampleClient, '2026-11-18', pending()),
		request(IDS.rejectedProductRequest, IDS.client, '2026-10-12', {
			status: 'rejected',
			rejection_code: 'DOCUMENT_UNREADABLE',
			rejection_description: 'The front image of the passport could not be read.',
		}),
		request(IDS.inKycProductRequest, IDS.otherClient, '2026-11-10', { status: 'in_kyc' }),
		request(IDS.enabledProductRequest, IDS.otherClient, '2026-09-30', { status: 'enabled' }),
	],
});

export type Records = ReturnType<typeof seedRecords>;
export type Wallet = Records['wallets'][number];
/** Individual card (§2.7) or enterprise card. The document shows no fields of an enterprise card. */
export type Card = Records['cards'][number];

/** Tokens of several chains, one symbol on several chains, and symbols in mixed case. */
const TOKENS: Array<[symbol: string, name: string, chain: string, usdPrice: number]> = [
	['USDC', 'USD Coin', 'ETHEREUM', 1],
	['USDC', 'USD Coin', 'POLYGON', 1],
	['USDC', 'USD Coin', 'BASE', 0.9998],
	['usdc', 'Bridged USD Coin', 'ARBITRUM', 0.9997],
	['USDT', 'Tether USD', 'ETHEREUM', 1.0001],
	['USDT', 'Tether USD', 'BSC', 1.0001],
	['Usdt', 'Tether USD', 'AVALANCHE', 1.0002],
	['WETH', 'Wrapped Ether', 'OPTIMISM', 2731.55],
	['wMATIC', 'Wrapped Matic', 'POLYGON', 0.412345],
	['DAI', 'Dai Stablecoin', 'OPTIMISM', 0.999901],
];

const tokenAddress = (index: number) => `0x70ce${String(index + 1).padStart(36, '0')}`;

const wallet = (id: string, byte: string, blockchain: string) => ({
	...{ id, account_id: IDS.account as string, address: `0x${byte.repeat(20)}`, blockchain },
});

/** USDC of a wallet. It has six decimals on these blockchains. */
const holding = (byte: string, blockchain: string, units: string) => ({
	address: `0x${byte.repeat(20)}`,
	token: tokenAddress(
		TOKENS.findIndex(([symbol, , chain]) => symbol === 'USDC' && chain === blockchain),
	),
	decimals: 6,
	units,
});

const RAMPS: Array<[id: string, status: string, currency: string, amount: number, name: string]> = [
	[IDS.pendingRamp, 'PENDING', 'BRL', 1500.5, 'Ana Souza'],
	[IDS.processingRamp, 'PROCESSING', 'USD', 250, 'Grace Hill'],
	[IDS.completedRamp, 'COMPLETED', 'EUR', 980.25, 'Jonas Weber'],
];

const card = (id: string, last4: string, card_holder_name: string, differences: object = {}) => ({
	...{ id, kind: 'individual', provider_card_id: `provider-card-${last4}` },
	client_id: IDS.client as string,
	// The document does not show the allowed values of `type` and `approval_method` (§2.7).
	...{ type: 'VIRTUAL', approval_method: 'WEBHOOK' },
	...{ restingStatus: 'ACTIVE', frozen: false, blocked: false },
	...{ last4, expiration_month: 11, expiration_year: 2029, card_holder_name },
	...{ daily_limit: 1_000, weekly_limit: 5_000.5, monthly_limit: 15_000 },
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
const OPERATIONS: Array<
	[operation: string, amount: number, merchant: string | null, state: string, outcome: string]
> = [
	['PURCHASE', 52.35, 'Coffee & Books', 'CLOSED', 'CLEARED'],
	['PURCHASE', 120, 'Cloud Hosting Inc', 'OPEN', 'APPROVED'],
	['PURCHASE', 999.99, 'Luxury Watches', 'CLOSED', 'DECLINED'],
	['WALLET_DEPOSIT', 500, null, 'CLOSED', 'COMPLETED'],
	['WALLET_WITHDRAWAL', 75.5, null, 'CLOSED', 'COMPLETED'],
	['WARRANTY_DEPOSIT', 1_000, null, 'CLOSED', 'COMPLETED'],
	['WARRANTY_WITHDRAWAL', 250.000001, null, 'CLOSED', 'COMPLETED'],
	['OVERRIDE_VIRTUAL_BALANCE', 10, null, 'CLOSED', 'COMPLETED'],
	['CARDNET_DIRECT_DEPOSIT', 33.33, null, 'CLOSED', 'COMPLETED'],
	['PURCHASE', 18.2, 'City Taxi', 'CLOSED', 'REVERSED'],
	['PURCHASE', 64, 'Shoe Store', 'CLOSED', 'REFUNDED'],
];

const cardOperation = (
	[operation, bill_amount, merchant_name, state, outcome]: (typeof OPERATIONS)[number],
	index: number,
) => ({
	id: `op-${String(index + 1).padStart(4, '0')}`,
	card_id: IDS.enterpriseCard as string,
	...{ operation, bill_amount, bill_currency_code: 'USD' },
	...{ transaction_amount: bill_amount, transaction_currency_code: 'USD' },
	created_at: new Date(Date.UTC(2026, 10, 20, 12) - index * 6 * 3_600_000).toISOString(),
	merchant_name,
	// The document does not show the values of `lifecycle.state` and `lifecycle.outcome` (§4.12).
	lifecycle: { state, outcome },
	fees: { atm_fees: 0, fx_fees: index === 0 ? 0.35 : 0 },
});

export interface ProductRequest {
	id: string;
	client_id: string;
	product: string;
	created_at: string;
	updated_at: string;
	status: 'requested' | 'pending_documentation' | 'in_kyc' | 'enabled' | 'rejected';
	missing_requirements?: ReturnType<typeof missingRequirements>;
	rejection_code?: string;
	rejection_description?: string;
}

export type DocumentRequirement = ReturnType<typeof missingRequirements>['documents'][number];

function request(
	id: string,
	client_id: string,
	day: string,
	more: Pick<ProductRequest, 'status'> & Partial<ProductRequest>,
): ProductRequest {
	const created_at = `${day}T09:30:00.000Z`;
	const product = 'cards_individuals';
	return { id, client_id, product, created_at, updated_at: created_at, ...more };
}

const pending = () => ({
	status: 'pending_documentation' as const,
	missing_requirements: missingRequirements(),
});

const missingRequirements = () => ({
	documents: [
		{
			...requirement('identity', 'Proof of identity', 'A government-issued document.'),
			valid_documents: [
				documentType('passport', 'Passport', 'The page with the photo.', false, [
					metadata('number', 'Passport number', 'STRING', true),
					metadata('issuing_country', 'Issuing country', 'STRING', false),
					// §2.3 shows only PHONE and STRING. Another type keeps clients from assuming a closed set.
					metadata('expiration_date', 'Expiration date', 'DATE', false),
				]),
				documentType('national_id', 'National identity card', 'Both sides.', true, [
					metadata('number', 'Document number', 'STRING', true),
				]),
			],
		},
		{
			...requirement('address', 'Proof of address', 'Not older than three months.'),
			valid_documents: [
				documentType('utility_bill', 'Utility bill', 'Electricity, water or internet.', false, [
					metadata('contact_phone', 'Contact phone', 'PHONE', false),
				]),
			],
		},
		{
			...requirement('income', 'Proof of income', 'Speeds up the review.', false),
			valid_documents: [documentType('payslip', 'Payslip', 'Of the last month.', false, [])],
		},
	],
	data: [
		{
			...requirement('contact', 'Contact', 'How the client can be reached.'),
			fields: [
				{ key: 'phone', data_type: 'PHONE', required: true },
				{ key: 'nickname', data_type: 'STRING', required: false },
			],
		},
	],
});

const requirement = (id: string, name: string, description: string, required = true) => ({
	...{ id, name, description, required },
});

const documentType = (
	id: string,
	name: string,
	description: string,
	require_back_image: boolean,
	fields: Array<ReturnType<typeof metadata>>,
) => ({
	...requirement(id, name, description, false),
	...{ require_image: true, require_back_image, metadata: fields },
});

const metadata = (id: string, name: string, data_type: string, required: boolean) => ({
	...{ id, name, data_type, required },
});
