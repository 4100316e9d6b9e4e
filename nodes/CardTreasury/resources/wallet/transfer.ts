import { serviceOperation } from '../../operation';
import { readAmount, refuseAbove, TRANSFER_AMOUNT } from '../../parameters/amount';
import { fillPath } from '../../parameters/path';
import {
	FieldRefusal,
	readId,
	readOptionalText,
	readTexts,
	type ParameterReader,
} from '../../parameters/reader';
import { idempotencyKeyOption, idField } from '../fields';

const PATH = '/mpc/accounts/{accountId}/wallets/{walletId}/transfer';

interface Transfer {
	accountId: string;
	walletId: string;
	to: string;
	tokenAddress?: string;
	amount: string;
}

export const transfer = serviceOperation<Transfer>({
	value: 'transfer',
	displayName: 'Transfer',
	action: 'Transfer tokens from a wallet',
	description: 'Send tokens from a treasury wallet to an address. This moves real money.',
	section: '4.5',
	endpoint: { method: 'POST', path: PATH },
	level: 2,
	effect: 'keyed write',
	answer: 'object',
	mayBePending: true,
	timeoutMs: 30_000,
	refusals: [
		{
			status: 404,
			message: 'The service does not know this wallet',
			fix: 'Check Account ID and Wallet ID, and that they belong to the environment of the credential.',
		},
	],
	properties: [
		{
			displayName: 'This moves real money. A transfer on a blockchain cannot be taken back.',
			name: 'transferNotice',
			type: 'notice',
			default: '',
		},
		idField('accountId', 'Account ID', 'e.g. acc_123'),
		idField('walletId', 'Wallet ID', 'e.g. wal_123'),
		{
			displayName: 'To',
			name: 'to',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 0x52908400098527886E0F7030069857D2E4169EE7',
			description: 'Wallet address of the recipient',
		},
		{
			displayName: 'Token Address',
			name: 'tokenAddress',
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			description: 'The token to send. Empty means the native coin of the wallet.',
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					typeOptions: { searchListMethod: 'searchTokens', searchable: true },
				},
				{
					displayName: 'By Address',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
				},
			],
		},
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 1250.50',
			description:
				'In units of the token: more than 0, at most 9 digits before and 6 after the decimal point',
		},
	],
	options: [
		{
			displayName: 'Allowed Recipients',
			name: 'allowedRecipients',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description:
				'Comma-separated addresses. A transfer to any other address is refused before anything is sent.',
		},
		idempotencyKeyOption,
		{
			displayName: 'Maximum Amount',
			name: 'maximumAmount',
			type: 'string',
			default: '',
			placeholder: 'e.g. 5000',
			description:
				'A larger amount is refused before anything is sent. Required when an AI agent uses this node.',
		},
	],
	fields: (parameters) => {
		const fields = {
			accountId: readId(parameters, 'accountId', 'Account ID'),
			walletId: readId(parameters, 'walletId', 'Wallet ID'),
			to: readAddress(parameters.get('to'), 'To'),
			tokenAddress: readTokenAddress(parameters),
			amount: readAmount(parameters, 'amount', 'Amount', TRANSFER_AMOUNT),
		};
		guardAmount(parameters, fields.amount);
		guardRecipient(parameters, fields.to);
		return fields;
	},
	request: ({ to, tokenAddress, amount, ...ids }) => {
		const token =
			tokenAddress === undefined ? '' : `"token_address":${JSON.stringify(tokenAddress)},`;
		return {
			method: 'POST',
			path: fillPath(PATH, ids),
			body: `{"to":${JSON.stringify(to)},${token}"amount":${amount}}`,
		};
	},
	items: ({ json, pending, traceId }) => {
		if (pending)
			return [
				{ json: { transaction_hash: null, status: 'PENDING', ...pending, trace_id: traceId } },
			];
		const { transaction_hash: hash, status } = json as Record<string, unknown>;
		return [
			{
				json: {
					transaction_hash: typeof hash === 'string' ? hash : null,
					// Without a status nobody may take the transfer for done: it has to be looked at.
					status: typeof status === 'string' ? status : 'MANUAL_CHECK',
					trace_id: traceId,
				},
			},
		];
	},
});

function readAddress(value: unknown, label: string): string {
	if (typeof value !== 'string' || value === '') {
		throw new FieldRefusal(label, 'is empty', 'Enter the wallet address of the recipient.');
	}
	if (/[\s\p{Cc}\p{Cf}]/u.test(value)) {
		throw new FieldRefusal(
			label,
			'contains a blank',
			'Remove blanks and line breaks from the address.',
		);
	}
	return value;
}

function readTokenAddress(parameters: ParameterReader): string | undefined {
	const address = readOptionalText(parameters, 'tokenAddress', 'Token Address');
	return address === undefined ? undefined : readAddress(address, 'Token Address');
}

function guardAmount(parameters: ParameterReader, amount: string): void {
	const maximum = parameters.get('options.maximumAmount');
	const given = maximum !== undefined && maximum !== '' && maximum !== null;
	if (given) refuseAbove(amount, readAmount(parameters, 'options.maximumAmount', 'Maximum Amount'));
	else if (parameters.isTool) {
		throw new FieldRefusal(
			'Maximum Amount',
			'is not set, and an AI agent is asking for a transfer',
			'Set Maximum Amount in the options of the tool, as a fixed value.',
		);
	} else if (maximum !== undefined) {
		throw new FieldRefusal('Maximum Amount', 'is empty', 'Enter an amount, or remove the option.');
	}
}

function guardRecipient(parameters: ParameterReader, to: string): void {
	if (parameters.get('options.allowedRecipients') === undefined) return;
	const allowed = readTexts(parameters, 'options.allowedRecipients', 'Allowed Recipients');
	if (!allowed.some((address) => sameAddress(address, to))) {
		throw new FieldRefusal(
			'To',
			'is not among the Allowed Recipients',
			'Check where the address comes from.',
		);
	}
}

/** Letter case in a hexadecimal address is only a checksum; in any other address it counts. */
function sameAddress(left: string, right: string): boolean {
	const hexadecimal = /^0x[0-9a-f]{40}$/i;
	if (hexadecimal.test(left) && hexadecimal.test(right))
		return left.toLowerCase() === right.toLowerCase();
	return left === right;
}
