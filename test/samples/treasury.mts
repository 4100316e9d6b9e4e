import lodash from 'lodash';

import { byId, NATIVE, RECIPIENT } from '../harness/fixtures.mts';
import { IDS } from '../simulator/ids.mts';
import {
	DRY_RUN,
	LIST,
	no,
	refusals,
	RIGHT,
	ROWS,
	SENT,
	type OperationSample,
} from './operation.mts';

const TOKEN = '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174';
const NOBODY = `0x${'0'.repeat(40)}`;
const DIGITS = 'Use digits and at most one point, e.g. 1000.50.';
const ZERO = 'Check where the amount comes from.';
const COPY = 'Copy it again from its source.';
/** Token (§2.1). */
const USDC = {
	...{ id: 'tok-0001', name: 'USD Coin', symbol: 'USDC', address: '0x70ce', blockchain: 'BASE' },
	usd_price: 1,
};
const RAMP = {
	...{ id: IDS.pendingRamp, type: 'RAMP_ON', status: 'PENDING', company_id: IDS.company },
	...{ destination_wallet_id: IDS.wallet, client_id: IDS.client, origin_amount: 250.75 },
	...{ origin_currency: 'BRL', origin_name: 'Ana Souza' },
};

export const TREASURY: Record<string, OperationSample> = {
	'rampTransfer: updateAmount': {
		is: 'set, moves money 1',
		parameters: 'rampTransferId amount +maximumAmount +dryRun=true',
		given: { rampTransferId: IDS.pendingRamp, amount: '250.75' },
		request: ['PATCH /virtual-wallets/ramps/transfer/{rampTransferId}', { amount: 250.75 }],
		// §2.5
		reply: RAMP,
		item: {
			outcome: 'done',
			summary: `Sent: amount 250.75 of ramp transfer ${IDS.pendingRamp}, PENDING.`,
			...{ id: IDS.pendingRamp, amount: '250.75', ...lodash.omit(RAMP, 'id'), ...SENT },
		},
		errors: [
			'400 APP_ERROR: The amount can only be changed while the ramp transfer is PENDING | If it has moved on, nothing was changed.',
			`404: Ramp transfer not found | Check Ramp Transfer ID, ${RIGHT}`,
		],
		refused: {
			rampTransferId: no.id('Ramp Transfer ID'),
			amount: ['0', `Amount must be above 0 | ${ZERO}`],
			maximumAmount: ['5,0', `Maximum Amount is "5,0" | ${DIGITS}`],
			...DRY_RUN,
		},
	},
	'endpoint: request': {
		is: 'read or once, moves money',
		parameters: 'method=GET path queryParameters={} jsonBody +idempotencyKey +dryRun=true',
		given: { method: 'GET', path: '/mpc/tokens/list' },
		request: ['GET {path}'],
		reply: {},
		item: {},
		errors: [],
		refused: {
			...{ path: no.path('Path', '//x'), queryParameters: ROWS },
			...refusals(`
				method | TRACE | Method is "TRACE" | Use DELETE, GET, HEAD, PATCH, POST and PUT.
				jsonBody | "{a" | JSON Body is not valid JSON | Check quotation marks, commas and brackets.
				idempotencyKey | é | Idempotency Key cannot be sent in a header | Use at most 255 ASCII characters.
			`),
			...DRY_RUN,
		},
	},
	'token: getAll': {
		is: 'read 1',
		parameters: 'returnAll=false limit=50',
		given: { returnAll: true },
		request: ['GET /mpc/tokens/list'],
		reply: [USDC],
		item: USDC,
		errors: [],
		refused: LIST,
	},
	'wallet: transfer': {
		is: 'payment, moves money 2',
		parameters:
			'accountId walletId to tokenAddress amount paymentReference maximumAmount +maximumTotal +allowedRecipients +allowEqualPayments=true +dryRun=true',
		given: {
			...{ accountId: IDS.account, walletId: IDS.wallet, to: RECIPIENT },
			tokenAddress: {
				...{ ...byId(TOKEN), mode: 'list' },
				cachedResultName: 'USDC on POLYGON · USD Coin · $1',
			},
			...{ amount: '007.50', paymentReference: 'INV–17', maximumAmount: '100' },
		},
		request: [
			'POST /mpc/accounts/{accountId}/wallets/{walletId}/transfer',
			{ to: RECIPIENT, token_address: TOKEN, amount: 7.5 },
		],
		// §2.6
		reply: { transaction_hash: '0xab', status: 'SUCCESS' },
		item: {
			outcome: 'done',
			summary: `Sent: 7.5 USDC on POLYGON from ${IDS.wallet} to 0x5aAe…eAed, reference INV-17.`,
			...{ status: 'SUCCESS', transaction_hash: '0xab', payment_reference: 'INV-17' },
			...{ amount: '7.5', to: RECIPIENT, wallet_id: IDS.wallet, token_address: TOKEN, ...SENT },
		},
		errors: [`404: Wallet not found | Check Account ID and Wallet ID, ${RIGHT}`],
		refused: {
			...{ accountId: no.id('Account ID'), walletId: no.id('Wallet ID') },
			...refusals(`
				to | 0x52908400098527886E0F7030069857D2e4169EE7 | Recipient Address does not match its checksum (EIP-55): a character is wrong | ${COPY}
				tokenAddress | USDC | Token is not 0x followed by 40 hexadecimal digits | ${COPY}
				amount | 0.0000001 | Amount is "0.0000001", which has too many digits | Use at most 9 digits before and 6 after the point: round it with .toFixed(6).
				paymentReference | 2026-01-31 9:30:00 | Payment Reference is "2026-01-31 9:30:00", which holds a time of day | Take it from your own data, such as the invoice number.
				maximumAmount | -1 | Maximum Amount is "-1" | ${DIGITS}
				maximumTotal | 1e3 | Maximum Total is "1e3" | ${DIGITS}
				allowedRecipients | ${NOBODY} | Allowed Recipients "${NOBODY}" is an address that nobody holds | ${COPY}
			`),
			...{ allowEqualPayments: no.flag('Allow Equal Payments'), ...DRY_RUN },
		},
	},
	'wallet: calculateSweep': {
		is: 'calculation',
		parameters:
			'walletId tokenAddress balance floor balanceDay +balanceDecimals +sweepMinimum +sweepMaximum +includeNotDue=true',
		given: {
			...{ walletId: IDS.wallet, tokenAddress: NATIVE, balance: '1000.10', floor: '0.30' },
			balanceDay: '2026-01-31',
		},
		item: {
			...{ amount: '999.8', due: true, payment_reference: `sweep 2026-01-31 ${IDS.wallet} native` },
			...{ wallet_id: IDS.wallet, token_address: null, balance: '1000.1', floor: '0.3' },
			summary: `Sweep due: 999.8 of the native coin from ${IDS.wallet} (balance 1000.1, floor 0.3).`,
		},
		errors: [],
		refused: {
			walletId: no.id('Wallet ID'),
			...refusals(`
				tokenAddress | "" | Token is empty | Enter the Token.
				balance | 1,5 | Balance is "1,5" | ${DIGITS}
				floor | -1 | Floor is "-1" | ${DIGITS}
				balanceDay | 2026-01-30 | Balance Day is 2026-01-30, and today is 2026-01-31 in UTC | Read the balance again: money may have moved since.
				balanceDecimals | six | Balance Decimals is "six" | Enter the token's decimals as a whole number, e.g. 6.
				sweepMinimum | 0 | Sweep Minimum must be above 0 | ${ZERO}
				sweepMaximum | -1 | Sweep Maximum is "-1" | ${DIGITS}
			`),
			includeNotDue: no.flag('Include Not Due'),
		},
	},
};
