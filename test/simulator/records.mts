/** The resources of §2 as the simulator holds them. Field names are the service's. */

export interface Token {
	id: string;
	name: string;
	symbol: string;
	address: string;
	blockchain: 'ETHEREUM' | 'POLYGON' | 'BSC' | 'ARBITRUM' | 'OPTIMISM' | 'BASE' | 'AVALANCHE';
	usd_price: number;
}

export interface RampTransfer {
	id: string;
	type: string;
	status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
	company_id: string;
	destination_wallet_id: string;
	client_id: string;
	origin_amount: number;
	origin_currency: 'BRL' | 'USD' | 'EUR' | 'ARS' | 'MXN';
	origin_name: string;
}

export interface Wallet {
	id: string;
	account_id: string;
	address: string;
	blockchain: string;
}

export interface DocumentType {
	id: string;
	name: string;
	description: string;
	required: boolean;
	require_image: boolean;
	require_back_image: boolean;
	metadata: Array<{ id: string; name: string; data_type: string; required: boolean }>;
}

export interface DocumentRequirement {
	id: string;
	name: string;
	description: string;
	required: boolean;
	valid_documents: DocumentType[];
}

export interface DataRequirement {
	id: string;
	name: string;
	description: string;
	required: boolean;
	fields: Array<{ key: string; data_type: string; required: boolean }>;
}

export interface ProductRequest {
	id: string;
	client_id: string;
	product: 'cards_individuals' | 'ramps_cards' | 'ramps_pix';
	status: 'requested' | 'pending_documentation' | 'in_kyc' | 'enabled' | 'rejected';
	missing_requirements?: { documents: DocumentRequirement[]; data: DataRequirement[] };
	rejection_code?: string;
	rejection_description?: string;
	created_at: string;
	updated_at: string;
}

/** A submitted document without its images. */
export interface SubmittedDocument {
	productRequestId: string;
	documentType: string;
	images: Array<{ side: 'front' | 'back'; type?: string; size: number }>;
	requirement: DocumentRequirement;
}

export type RestingStatus = 'ACTIVE' | 'INACTIVE' | 'DELETED' | 'EXPIRED';

/** An individual card (§2.7) or an enterprise card, of which the document shows no fields of its own. */
export interface Card {
	id: string;
	kind: 'individual' | 'enterprise';
	provider_card_id: string;
	client_id?: string;
	type: string;
	restingStatus: RestingStatus;
	frozen: boolean;
	blocked: boolean;
	last4: string;
	expiration_month: number;
	expiration_year: number;
	card_holder_name: string;
	approval_method: string;
	daily_limit: number;
	weekly_limit: number;
	monthly_limit: number;
	forwarded_3ds_type: 'sms' | 'webhook';
	velocityRule: { maxAuthorizations: number; timeWindowSeconds: number };
	/** Epoch milliseconds of the approved authorizations that the velocity rule counts. */
	approvedAt: number[];
}

/** One operation of an enterprise card in version 2 (§9.5). */
export interface CardOperation {
	id: string;
	card_id: string;
	operation: string;
	bill_amount: number;
	bill_currency_code: string;
	transaction_amount: number;
	transaction_currency_code: string;
	created_at: string;
	merchant_name: string | null;
	lifecycle: { state: string; outcome: string };
	fees: { atm_fees: number; fx_fees: number };
}

/** The card's status (§3). A block stands over a freeze, so that unfreezing never lifts a block. */
export function cardStatus(card: Card): RestingStatus | 'FROZEN' | 'BLOCKED' {
	if (card.restingStatus !== 'ACTIVE') return card.restingStatus;
	if (card.blocked) return 'BLOCKED';
	return card.frozen ? 'FROZEN' : 'ACTIVE';
}
