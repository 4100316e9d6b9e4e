import { Problem } from '../../../shared/problem';
import { shortAddress, shortened } from '../../../shared/text';
import { canonicalAddress } from '../../fields/address';
import { notice, option } from '../../fields/field';
import { flag, id } from '../../fields/kinds';
import { address, addresses, amount, refuseAbove, SENT } from '../../fields/money';
import { path } from '../../service/request';
import { notFound, operation } from '../operation';
import { documented } from '../reply';
import { paymentReference } from './paymentReference';
import { token } from './token';

const fields = {
	moneyNotice: notice(
		'This moves real money and cannot be reversed. Accepted is not paid: only items whose <b>outcome</b> is done are paid.',
	),
	accountId: id('Account ID', 'e.g. acc-0001', 'The MPC account that the wallet belongs to'),
	walletId: id('Wallet ID', 'e.g. wal-0001', 'The wallet to send from'),
	to: address('Recipient Address', 'Wallet address of the recipient'),
	tokenAddress: token,
	amount: amount('Amount', {
		digits: SENT,
		description: 'In units of the token. At most 9 digits before and 6 after the decimal point.',
	}),
	paymentReference,
	maximumAmount: amount('Maximum Amount', {
		placeholder: 'e.g. 5000',
		description: 'In units of the token. A larger amount is refused before anything is sent.',
	}),
	maximumTotal: option(
		amount('Maximum Total', {
			placeholder: 'e.g. 20000',
			description: 'If the transfers of this run add up to more, none is sent',
		}),
	),
	allowedRecipients: option(
		addresses(
			'Allowed Recipients',
			'Addresses separated by commas, semicolons or line breaks. A transfer to any other one is refused.',
		),
	),
	allowEqualPayments: option(
		flag(
			'Allow Equal Payments',
			'Whether two transfers of this run may send the same amount of the same token to the same recipient',
			true,
		),
	),
};

export const transfer = operation({
	name: 'Transfer',
	action: 'Transfer tokens from wallet',
	description: 'Send tokens from a treasury wallet to an address. This moves real money.',
	effect: 'payment',
	level: 2,
	fields,
	movesMoney: true,
	errors: [notFound('Wallet', 'Account ID and Wallet ID')],
	check: ({ to, tokenAddress, amount: due, maximumAmount, allowedRecipients }) => {
		refuseAbove(maximumAmount, due);
		const isRecipient = (other: string | null) =>
			other !== null && canonicalAddress(other) === canonicalAddress(to);
		if (isRecipient(tokenAddress.address))
			throw new Problem(
				"Recipient Address is the token's own contract",
				'Enter the wallet address of the recipient: tokens sent to their contract are lost.',
			);
		if (allowedRecipients && !allowedRecipients.some(isRecipient))
			throw new Problem(
				'Recipient Address is not among the Allowed Recipients',
				'Check where the address comes from.',
			);
	},
	request: ({ accountId, walletId, to, tokenAddress, amount: due }) => ({
		method: 'POST',
		path: path`/mpc/accounts/${accountId}/wallets/${walletId}/transfer`,
		// Without a token, the service sends the native coin (§4.5).
		body: { to, token_address: tokenAddress.address ?? undefined, amount: Number(due) },
	}),
	payment: ({ accountId, walletId, to, tokenAddress, amount: due, ...values }) => ({
		reference: values.paymentReference,
		values: [
			accountId,
			walletId,
			canonicalAddress(to),
			canonicalAddress(tokenAddress.address ?? 'native'),
			due,
		],
		amount: due,
		maximumTotal: values.maximumTotal,
		allowEqual: values.allowEqualPayments,
	}),
	subject: (values) => ({
		status: null,
		transaction_hash: null,
		payment_reference: values.paymentReference,
		amount: values.amount,
		to: values.to,
		wallet_id: values.walletId,
		token_address: values.tokenAddress?.address,
	}),
	// E.g. "100.5 USDC on ETHEREUM from w-1 to 0x1111…1119, reference INV-7", of what could be read.
	say: ({ paymentReference: reference, amount: due, tokenAddress, walletId, to }) => {
		const words = [
			due && tokenAddress && `${due} ${tokenAddress.name}`,
			walletId && `from ${shortened(walletId, 40)}`,
			to && `to ${shortAddress(to)}`,
		];
		const named = reference && `reference ${shortened(reference, 40)}`;
		return [words.filter(Boolean).join(' '), named].filter(Boolean).join(', ') || undefined;
	},
	output: (reply) => {
		const { json, rest } = documented(reply, 'status', 'transaction_hash');
		const status = reply.isPending ? 'PENDING' : (json.status ?? null);
		const item = { status, transaction_hash: json.transaction_hash ?? null, ...rest };
		return { items: [item], outcome: OUTCOMES.get(status) ?? 'pending' };
	},
});

/** A status that is missing or unknown waits for the event, too. */
const OUTCOMES = new Map<unknown, 'done' | 'failed'>([
	['SUCCESS', 'done'],
	['FAILED', 'failed'],
]);
