import { IDS, type Simulator } from '../../simulator/index.mts';
import { seedRecords } from '../../simulator/seed.mts';
import { RECIPIENT } from '../fixtures.mts';

export const ANA = { client_id: IDS.client, name: 'Ana Souza', email: 'ana.souza@example.com' };

export const LINK = 'test-only-link';

/** Table of what *Pay* has paid. */
export const PAID = 'Payments';
/** Outcome of the row of a transfer that fits no payment. */
export const NOT_BY_PAY = 'a foreign transfer, not by Pay';
export const CLIENTS = 'KYC clients';
export const WATCHED = 'Watched workflows';

const pays = { account_id: IDS.account, token_address: 'native', to: RECIPIENT };

const [held] = seedRecords().holdings;

/** Row of a wallet that holds 1250.5 USDC on the simulator's blockchain. */
export const walletRow = (floor: string, differences: object = {}) => ({
	...pays,
	...{ wallet_id: IDS.wallet, token_address: held!.token, floor },
	...{ reader: '/chain/rpc', address: held!.address.slice(2), decimals: '6' },
	...differences,
});

export const paymentRow = (differences: object = {}) => ({
	reference: 'INV-7',
	day: '2026-01-01',
	wallet_id: IDS.wallet,
	token_address: 'native',
	to: '0x1111111111111111111111111111111111111111',
	amount: 1.5,
	outcome: 'done',
	summary: 'Sent: INV-7',
	...differences,
});

/** Item of a list that *Pay* gets. */
export const due = (reference: string, amount: number | string, differences: object = {}) => ({
	...pays,
	...{ reference, amount, wallet_id: IDS.wallet, what: 'Salaries', ask_always: true },
	...differences,
});

export const invoiceRow = (reference: string, amount: string, differences: object = {}) => ({
	...pays,
	reference,
	due_day: '2026-01-01',
	wallet_id: IDS.wallet,
	amount,
	...differences,
});

export const recipientRow = (name: string, differences: object = {}) => ({
	...pays,
	name,
	wallet_id: IDS.wallet,
	...differences,
});

/** Row of a client, whom no mail has reached yet. */
export const clientRow = (client: object, differences: object = {}) => ({
	...client,
	type: '',
	link: '',
	remind_on: null,
	told: '',
	summary: '',
	...differences,
});

/** Lets the newest product request of the first client wait for so many days. */
export function waitsFor({ state }: Simulator, days: number): void {
	const [request] = state.productRequestsOf(IDS.client);
	request!.updated_at = new Date(Date.now() - days * 86_400_000 - 60_000).toISOString();
}
