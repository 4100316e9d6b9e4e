import { IDS } from '../simulator/ids.mts';
import { table } from './table.mts';

/** What the contract and the interface document (§6.5) say of an entry of *Events*. */
export interface EventSample {
	/** Label, label of the output, and description in the panel. */
	panel: string[];
	status: string;
	/** Business key of its custom data. */
	key: { card_id?: string; client_id?: string };
	/** Summary of the event of the simulator, with the hash below. */
	summary: string;
}

export const HASH = `0x${'5a'.repeat(32)}`;

const CARD = JSON.stringify({ card_id: IDS.activeCard });
const CLIENT = JSON.stringify({ client_id: IDS.client });
const AT_SHOP = `52.35 USD at Coffee & Books with card ${IDS.activeCard}`;
const TOKEN = 'of token 0x70ce…0002';
const WALLET = `wallet ${IDS.wallet}`;
const MOVED = `from ${WALLET} to 0xc3c3…c3c3, transaction 0x5a5a…5a5a`;
const RAMPED = `1500.00 BRL to 275.43 USDC in ${WALLET}`;
const FAILURES = 'Only failed, canceled and timed-out ones';
const REJECTED = `Client status: Ana Souza (${IDS.client}) is rejected: The front image of the passport could not be read.`;

const ROWS = table<
	[string, label: string, output: string, about: string, string, EventSample['key'], string]
>(`
	cards.authorization | Card Authorization | Authorization | A purchase needs your approval, within 1.2 seconds | pending | ${CARD} | Card authorization: ${AT_SHOP}
	cards.authorized | Card Authorized | Authorized | A transaction was approved and is being processed | success | ${CARD} | Card purchase authorized: ${AT_SHOP}
	cards.cleared | Card Cleared | Cleared | A previously authorized transaction settles | success | ${CARD} | Card purchase cleared: ${AT_SHOP}
	cards.declined | Card Declined | Declined | A transaction was declined by the network or by the service | failed | ${CARD} | Card purchase declined: ${AT_SHOP}: Insufficient funds
	cards.reversal | Card Reversal | Reversal | A prior authorization is reversed or released by the network | success | ${CARD} | Card purchase reversed: ${AT_SHOP}
	cards.refund | Card Refund | Refund | A merchant refund is received | success | ${CARD} | Card purchase refunded: ${AT_SHOP}
	cards.deposit | Card Deposit | Card Deposit | A deposit is credited to the card-linked wallet, after fees | success | {} | Card deposit: 249.750001 ${TOKEN} in ${WALLET}, after fees
	cards.cardnet_direct_deposit | Cardnet Direct Deposit | Cardnet | The card receives money by a push transfer of the card network | success | ${CARD} | Card credited: ${AT_SHOP}
	cards.warranty_withdraw | Warranty Withdrawal | Warranty | A withdrawal from the warranty or holding wallet succeeded or failed: see its status | success | ${CARD} | Warranty withdrawal succeeded: 100.00 ${TOKEN} ${MOVED}
	cards.warranty_withdraw.failed | Warranty Withdrawal Failed | Warr. Failed | ${FAILURES} | failed | ${CARD} | Warranty withdrawal failed: 100.00 ${TOKEN} ${MOVED}
	cards.card_blocked_by_velocity | Card Blocked by Velocity | Blocked | A velocity rule blocked a card; sent once per block | success | ${CARD} | Card blocked: card ${IDS.activeCard}, after more than 3 authorizations in 60 seconds
	cards.notification_3ds_authorization | 3DS Code | 3DS Code | The code for a 3DS challenge; needs no decision and is sent once | pending | ${CARD} | 3DS code: for 120.00 USD at Cloud Hosting Inc with card ${IDS.activeCard}
	virtual_wallets.deposit | Virtual Wallet Deposit | VW Deposit | An on-chain deposit was detected | success | {} | Virtual wallet deposit: 250.000001 ${TOKEN} in ${WALLET}
	virtual_wallets.withdraw | Virtual Wallet Withdrawal | Withdraw | A withdrawal succeeded or failed: see its status | success | {} | Virtual wallet withdrawal succeeded: 1250.50 ${TOKEN} ${MOVED}
	virtual_wallets.withdraw.failed | Virtual Wallet Withdrawal Failed | Withdr. Failed | ${FAILURES} | failed | {} | Virtual wallet withdrawal failed: 1250.50 ${TOKEN} ${MOVED}: Insufficient balance for the network fee
	virtual_wallets.ramp_on | Virtual Wallet Ramp On | VW Ramp On | A fiat deposit was converted to crypto and credited | success | {} | Virtual wallet ramp: ${RAMPED}
	treasury.transfer | Treasury Transfer | Transfer | A treasury transfer succeeded or failed: see its status | success | {} | Treasury transfer succeeded: 1250.50 ${TOKEN} ${MOVED}
	treasury.transfer.failed | Treasury Transfer Failed | Transf. Failed | ${FAILURES} | failed | {} | Treasury transfer failed: 1250.50 ${TOKEN} ${MOVED}
	treasury.ramp_on | Treasury Ramp On | Ramp On | A fiat deposit was converted to crypto and credited to the treasury | success | {} | Treasury ramp: ${RAMPED}
	company_activity.client_status | Client Status | Client Status | A client's KYC or KYB status changes, for example by a rejection | failed | ${CLIENT} | ${REJECTED}
	company_activity.client_status.rejected | Client Rejected | Rejected | Only rejections of a client | failed | ${CLIENT} | ${REJECTED}
`);

/** By entry, in the order of the document. */
export const EVENT_SAMPLES: Record<string, EventSample> = Object.fromEntries(
	ROWS.map(([name, label, output, about, status, key, summary]) => [
		name,
		{ panel: [label, output, about], status, key, summary },
	]),
);
