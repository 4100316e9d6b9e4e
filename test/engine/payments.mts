import { IDS, type Simulator } from '../simulator/index.mts';

export const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const transfer = {
	resource: 'wallet',
	operation: 'transfer',
	accountId: IDS.account,
	walletId: IDS.wallet,
	to: TO,
	tokenAddress: { __rl: true, mode: 'list', value: 'native' },
	amountMode: 'fixed',
	amount: '5',
	options: {},
};
export const card = (operation: string, cardId = IDS.activeCard) => ({
	resource: 'card',
	operation,
	cardId,
});
export const post = (jsonBody: string) => ({
	resource: 'endpoint',
	operation: 'request',
	method: 'POST',
	path: `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`,
	jsonBody,
});
export const body = (amount: string, to = TO) => `{"to":"${to}","amount":${amount}}`;
export const tool = { node: { type: 'cardTreasuryTool' } };
export const amountsOf = (simulator: Simulator) =>
	simulator.ledger.map(({ amountText }) => amountText);
