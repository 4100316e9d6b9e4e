import { DateTime } from 'luxon';

import { canonicalAddress, shortAddress } from '../../../shared/address';
import { canonicalDecimal, compareDecimals } from '../../../shared/decimal';
import { address } from '../../../shared/fields/address';
import { amount } from '../../../shared/fields/amount';
import { choice, flag } from '../../../shared/fields/choice';
import { notice, shownWhen, type Values } from '../../../shared/fields/field';
import { InvalidFieldError, quote } from '../../../shared/fields/invalidField';
import { id } from '../../../shared/fields/text';
import { harmless, sentence, shortened } from '../../../shared/plainLine';
import type { Caller, JsonObject } from '../../request/input';
import { hashIn } from '../../request/reason';
import { notFound, objectOf, objectsIn, RawJson } from '../../request/request';
import { approvalAbove, approved, asInDryRun, refuseUnapproved } from '../approval';
import { TIMEZONE_FIX } from '../fields';
import {
	guard,
	guardedAddresses,
	maximumCount,
	onlyInEnvironment,
	refuseAbove,
	refuseAgentsRecipient,
	refuseOtherEnvironment,
	requiredMaximumAmount,
	toolNotice,
} from '../guards';
import { operation, post, type Hint, type SummaryFields } from '../operation';
import { replyOf } from '../reply';
import { namesOnTheList, token, TOKENS, unitOf, unitToAdd } from '../token/tokens';
import type { Payment } from '../work';
import { paymentReference } from './paymentReference';
import { isUncheckable, refuseRecipient, refuseTokenContract } from './recipient';
import {
	balanceDayOption,
	sweepAmount,
	sweepFields,
	sweepOptions,
	TRANSFER_AMOUNT,
} from './sweepAmount';

/** Condition of the fields of a sweep. An option is shown by a path from the root. */
const ABOVE_FLOOR = { amountMode: ['aboveFloor'] };
const SWEEP_OPTION = { '/amountMode': ['aboveFloor'] };

const fields = {
	// Hidden in a tool, because a tool shows `toolNotice` instead.
	transferNotice: shownWhen(
		{ '@tool': [false] },
		notice(
			'This moves real money and cannot be reversed, and only <b>outcome done</b> is paid: behind this node, put an If first, or post its <b>summary</b>.',
		),
	),
	toolNotice: toolNotice(
		'An AI agent can use this only with a Maximum Amount that you enter yourself. It may choose the recipient only if you set Allowed Recipients too. Set Maximum Total as well: an agent can call this many times.',
	),
	accountId: id('Account ID', 'e.g. acc-0001', 'The MPC account that the wallet belongs to'),
	walletId: id('Wallet ID', 'e.g. wal-0001', 'The wallet to send from'),
	to: address('Recipient Address', 'Wallet address of the recipient'),
	tokenAddress: token,
	amountMode: choice(
		'Amount Mode',
		{
			fixed: { name: 'Exact Amount', description: 'Send the amount that you enter' },
			aboveFloor: {
				name: 'Above Floor',
				description: 'Sweep: send what the wallet holds above a floor',
			},
		},
		// This field takes no expression, because n8n would then require the fields of both modes.
		{ noDataExpression: true },
	),
	amount: shownWhen(
		{ amountMode: ['fixed'] },
		amount('Amount', {
			...TRANSFER_AMOUNT,
			description: 'In units of the token. At most 9 digits before and 6 after the decimal point.',
		}),
	),
	balance: shownWhen(ABOVE_FLOOR, sweepFields.balance),
	floor: shownWhen(ABOVE_FLOOR, sweepFields.floor),
	referenceFrom: choice(
		'Reference Mode',
		{
			data: {
				name: 'From Data',
				description: 'Name each payment by your own data, such as its invoice number',
			},
			oncePerDay: {
				name: 'Once per Day',
				description: 'Send at most once a day for each wallet, recipient and token',
			},
		},
		{ noDataExpression: true },
	),
	paymentReference: shownWhen({ referenceFrom: ['data'] }, paymentReference),
	maximumAmount: requiredMaximumAmount('In units of the token, whatever it is worth.'),
};

const options = {
	maximumTotal: guard(
		amount('Maximum Total', {
			placeholder: 'e.g. 20000',
			description:
				'If the transfers of this run add up to more, none is sent. Amounts are added up whatever their token.',
		}),
	),
	maximumTransfers: maximumCount(
		'Maximum Transfers',
		'If this run has more transfers, none is sent',
	),
	allowedRecipients: guardedAddresses(
		'Allowed Recipients',
		'Addresses separated by commas, semicolons or line breaks. A transfer to any other address is rejected before anything is sent.',
	),
	allowMissingChecksum: guard(
		flag(
			'Allow Missing Checksum',
			'Whether to send to an address without a checksum (EIP-55: mixed case), in which a typo goes unnoticed. Allowed Recipients need none.',
			false,
		),
	),
	onlyInEnvironment,
	approved,
	approvalAbove: approvalAbove(
		'A transfer of more than this is sent only if Approved is true. Without this option, Approved is needed for any amount.',
	),
	asInDryRun,
	sweepMinimum: shownWhen(SWEEP_OPTION, sweepOptions.sweepMinimum),
	sweepMaximum: shownWhen(SWEEP_OPTION, sweepOptions.sweepMaximum),
	balanceDay: shownWhen(SWEEP_OPTION, balanceDayOption),
};

type Transfer = Values<typeof fields> & Values<typeof options>;

export const transfer = operation({
	name: 'Transfer',
	action: 'Transfer tokens from wallet',
	description: 'Send tokens from a treasury wallet to an address. This moves real money.',
	section: '4.5',
	searchHint:
		'make a payment or payout, send stablecoins or crypto, or sweep what a wallet holds above a floor. For agents, set Maximum Amount, and Allowed Recipients in the options, as fixed values.',
	endpoint: post('/mpc/accounts/{accountId}/wallets/{walletId}/transfer'),
	level: 2,
	effect: 'keyed write',
	answer: 'object',
	movesMoney: true,
	timeoutMs: 30_000,
	fields,
	options,
	errors: [notFound('Wallet', 'Account ID and Wallet ID')],
	check: (given, caller) => {
		refuseOtherEnvironment(given.onlyInEnvironment, caller);
		refuseAgentsRecipient(given.allowedRecipients, caller);
		refuseRecipient(given);
		refuseAbove(amountOf(given) ?? '0', given.maximumAmount, given.balance);
		refuseWithoutApproval(given);
	},
	// One read for all items of a run.
	precheck: {
		request: () => ({ method: 'GET', path: TOKENS.path }),
		level: 1,
		answer: 'array',
		check: ({ json }, { to }) => {
			refuseTokenContract(to, objectsIn(json));
			return undefined;
		},
		names: ({ json }, { token_address: token }) => namesOnTheList(token, json),
	},
	payment: paymentOf,
	dryRunKeys: (given) => given.asInDryRun,
	nothingToSend: (given) =>
		amountOf(given) === undefined
			? transferItem(given, { status: 'NOTHING_TO_SEND', transaction_hash: null })
			: undefined,
	subject: (given) => ({
		...(given.paymentReference !== undefined && { payment_reference: given.paymentReference }),
		...(given.amount !== undefined && { amount: given.amount }),
		...(given.to !== undefined && { to: given.to }),
		status: null,
		...(given.walletId !== undefined && { wallet_id: given.walletId }),
		...(given.tokenAddress !== undefined && { token_address: given.tokenAddress }),
		transaction_hash: null,
	}),
	limits: ({ maximumTotal, maximumTransfers, ...given }) => {
		const amount = amountOf(given);
		if (amount === undefined) return undefined;
		return { amount, maximumTotal, maximumTransfers };
	},
	unique: (given) => {
		const { amountMode, accountId, walletId, tokenAddress } = given;
		if (amountMode !== 'aboveFloor' || amountOf(given) === undefined) return undefined;
		const token = tokenAddress && canonicalAddress(tokenAddress);
		return {
			value: JSON.stringify([accountId, walletId, token]),
			why: (items) => [
				'Amount Mode',
				`is Above Floor for items ${items}, which have the same wallet and token: each would send the whole surplus`,
				'Sweep a wallet and token once in a run: remove the duplicate items before this node.',
			],
		};
	},
	body: (given) => ({
		to: given.to,
		// A request without a token sends the native coin (§4.5).
		token_address: given.tokenAddress ?? undefined,
		amount: new RawJson(amountOf(given) ?? '0'),
	}),
	items: (answer, given) => {
		const { status, transaction_hash: hash, ...rest } = objectOf(answer);
		// A 302 has code and message (§4.5).
		const { code, message, ...others } = { ...rest, ...answer.pending };
		const warning = answer.pending && { code, ...(message !== undefined && { message }) };
		const shown = {
			status: answer.pending ? 'PENDING' : typeof status === 'string' ? status : null,
			transaction_hash: typeof hash === 'string' ? hash : (hashIn(answer.json) ?? null),
		};
		// Values without a field of their own are shown as they came.
		const unnamed = {
			...(status !== undefined && typeof status !== 'string' && { status }),
			...(hash !== undefined && typeof hash !== 'string' && { transaction_hash: hash }),
			...(answer.pending ? others : rest),
		};
		return [
			{
				...transferItem(given, shown),
				...warning,
				...(Object.keys(unnamed).length > 0 && { answer: unnamed }),
			},
		];
	},
	mayBePending: true,
	isPending: ({ status }) => status !== 'SUCCESS',
	names: transferNames,
	unit: unitToAdd,
	became: transferBecame,
	hints: transferHints,
	output: {
		payment_reference: 'string',
		amount: 'string',
		to: 'string',
		status: 'string',
		wallet_id: 'string',
		token_address: 'string',
		transaction_hash: 'string',
	},
});

/** Amount to send. Undefined if there is nothing to send. */
function amountOf(given: Omit<Transfer, 'maximumTotal' | 'maximumTransfers'>): string | undefined {
	const { balance, floor, sweepMinimum, sweepMaximum } = given;
	// `balance` and `floor` have been read only if the mode is Above Floor.
	if (balance === undefined || floor === undefined) return given.amount;
	return sweepAmount({ balance, floor, sweepMinimum, sweepMaximum });
}

/** @throws InvalidFieldError if the reference needs the day, and the start or the time zone is unknown */
function paymentOf(given: Transfer, { startedAt, timezone }: Caller): Payment {
	const { accountId, walletId, paymentReference: reference } = given;
	const token = given.tokenAddress === null ? 'native' : canonicalAddress(given.tokenAddress);
	const target = [accountId, walletId, canonicalAddress(given.to), token];
	const values = [...target, canonicalDecimal(amountOf(given) ?? '0')];
	if (reference !== undefined) return { reference, oncePerDay: false, values, shown: reference };
	if (startedAt === undefined) {
		throw new InvalidFieldError(
			'Reference Mode',
			'is Once per Day, but this call has no n8n execution to take the day from',
			'Choose From Data, and name each payment by your own data, such as its invoice number.',
		);
	}
	const start = DateTime.fromMillis(startedAt, { zone: timezone });
	if (!start.isValid) {
		throw new InvalidFieldError(
			'Reference Mode',
			`is Once per Day, but ${quote(timezone)} is not a time zone`,
			TIMEZONE_FIX,
		);
	}
	const day = start.toFormat('yyyy-MM-dd');
	return { reference: JSON.stringify([day, ...target]), oncePerDay: true, values, shown: day };
}

function transferItem(
	given: Transfer,
	result: { status: string | null; transaction_hash: string | null },
): JsonObject {
	return {
		amount: amountOf(given) ?? '0',
		to: given.to,
		status: result.status,
		wallet_id: given.walletId,
		token_address: given.tokenAddress,
		transaction_hash: result.transaction_hash,
	};
}

/** @throws InvalidFieldError if an approval is asked for, and this amount has none */
function refuseWithoutApproval(given: Transfer): void {
	const { approved: answer, approvalAbove: limit } = given;
	if (answer === undefined && limit === undefined) return;
	const due = amountOf(given) ?? '0';
	if (compareDecimals(due, limit ?? '0') <= 0) return;
	refuseUnapproved(answer, limit && `, and ${due} is above the Approval Above of ${limit}`);
}

/** Names of a transfer. The shorter ones give only both ends of the address, of long names the beginning, and no wallet. */
function transferNames(fields: SummaryFields): string[] {
	const {
		payment_reference: reference,
		amount,
		to,
		wallet_id: wallet,
		token_address: token,
		symbol,
	} = fields;
	const unit = unitOf(fields);
	const shortUnit = symbol ?? (token === null ? 'native' : unitOf({ token_address: token ?? '' }));
	const name = (length: number, addressOf: (text: string) => string, of = unit, from = wallet) =>
		[
			reference && `${shortened(reference, length)},`,
			amount,
			amount && of,
			from && `from ${shortened(from, length)}`,
			to && `to ${addressOf(to)}`,
		]
			.filter(Boolean)
			.join(' ') || 'this transfer';
	return [
		name(60, (text) => text),
		name(60, shortAddress),
		name(24, shortAddress),
		name(16, shortAddress, shortUnit, ''),
	];
}

/** Outcome of a transfer that the service has accepted. */
function transferBecame({ outcome, status, answer, message }: JsonObject): string | undefined {
	if (outcome !== 'pending' && outcome !== 'done') return undefined;
	if (outcome === 'done') return 'The status is SUCCESS';
	const reply = replyOf(answer) ?? replyOf({ message });
	const said = reply === undefined ? '' : `The service replied: ${shortened(reply, 80)}`;
	const is = isText(status)
		? `Accepted with status ${harmless(status, 20)}`
		: 'Accepted, no status';
	return [is, said, 'Wait for the event'].filter(Boolean).map(sentence).join(' ');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Warns of transfers that are not final, or must not be re-sent. */
function transferHints(results: JsonObject[][]): Hint[] {
	const items = results.flat();
	const open = items.filter(({ outcome }) => outcome === 'pending');
	const [expected, unclear] = [true, false].map((isExpected) =>
		open.filter(({ status }) => (status === 'PENDING' || status === 'MANUAL_CHECK') === isExpected),
	) as [JsonObject[], JsonObject[]];
	const statuses = new Set(
		unclear.map(({ status }) => (isText(status) ? harmless(status, 20) : 'none')),
	);
	const replies = new Set(unclear.flatMap(({ answer }) => replyOf(answer) ?? []));
	const replied = [...replies].slice(0, 3).map((reply) => ` The service replied: "${reply}".`);
	return [
		hint(
			expected.length,
			'1 transfer is pending or needs a manual check. Do not send it again: wait for the treasury.transfer event.',
			'transfers are pending or need a manual check. Do not send them again: wait for their treasury.transfer events.',
		),
		hint(
			unclear.length,
			`1 transfer came back without a documented status (${[...statuses].join(', ')}). Do not treat it as done, and do not send it again: wait for the treasury.transfer event.${replied.join('')}`,
			`transfers came back without a documented status (${[...statuses].slice(0, 5).join(', ')}). Do not treat them as done, and do not send them again: wait for their treasury.transfer events.${replied.join('')}`,
		),
		hint(
			items.filter(isUncheckable).length,
			'The recipient address of 1 transfer carries no checksum: a typo in it goes unnoticed. Compare it with its source, or enter its mixed-case form.',
			'transfers go to addresses that carry no checksum: a typo in one goes unnoticed. Compare them with their source, or enter their mixed-case form.',
		),
	].flat();
}

function hint(count: number, one: string, several: string): Hint[] {
	if (count === 0) return [];
	return [{ message: count === 1 ? one : `${count} ${several}`, type: 'warning' }];
}
