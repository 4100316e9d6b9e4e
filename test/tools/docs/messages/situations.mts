import { refuseUnreviewed } from '../../../../nodes/CardTreasury/n8n/humanReview.ts';
import type {
	EditorSource,
	ItemField,
} from '../../../../nodes/CardTreasury/operations/itemFields.ts';
import { checkSubmission } from '../../../../nodes/CardTreasury/operations/productRequest/submitDocument.ts';
import type { JsonObject } from '../../../../nodes/CardTreasury/request/input.ts';
import { n8nOf, type Call } from '../../../unit/CardTreasury/n8n/reviewedCall.mts';
import {
	itemsOf,
	operationOf,
	workOf,
	type Item,
} from '../../../unit/CardTreasury/operations/reading.mts';
import {
	DOCUMENT,
	RECIPIENT,
	SWEEP,
	TOKEN,
	TRANSFER,
} from '../../../unit/CardTreasury/operations/requests.mts';

const AGENTS = '={{ $fromAI("limit") }}';
const SEARCH = { cardId: 'crd_123' };
const paged = (value: unknown) => ({
	options: { queryParameters: { parameter: [{ name: 'page', value }] } },
});

/** A product request that waits for a passport or an ID card. */
const PRODUCT_REQUEST: JsonObject = {
	id: 'pr_123',
	status: 'pending_documentation',
	missing_requirements: {
		documents: [
			{
				id: 'identity',
				valid_documents: [
					{ id: 'passport', name: 'Passport' },
					{
						id: 'national_id',
						name: 'National ID',
						require_back_image: true,
						metadata: [{ id: 'number', name: 'Number', required: true }],
					},
				],
			},
		],
	},
};
const IN_REVIEW = { ...PRODUCT_REQUEST, id: 'pr_124', status: 'in_kyc' };
const SUBMISSION = {
	productRequestId: 'pr_123',
	documentType: 'national_id',
	metadata: { number: 'X1' },
	backImageField: {},
	replace: false,
};
const submit = (change: Partial<typeof SUBMISSION>) => () =>
	checkSubmission([PRODUCT_REQUEST, IN_REVIEW], { ...SUBMISSION, ...change });

/** What the editor says of a list or mapper of *Submit Document* while other fields have these values. */
const inEditor =
	(use: (field: ItemField<unknown>, editor: EditorSource) => unknown, name: string) =>
	(values: Record<string, string>) =>
	async () =>
		await use(operationOf('productRequest: submitDocument').fields[name]!, editorOf(values));

function editorOf(values: Record<string, string>): EditorSource {
	return {
		current: (name) => values[name],
		load: async () => [PRODUCT_REQUEST, IN_REVIEW],
	};
}

const listed = (name: string) => inEditor((field, editor) => field.list?.(editor), name);

/** Why the editor has no fields for the metadata; each a notice in their place. */
export async function metadataNotices(): Promise<string[]> {
	const { metadata } = operationOf('productRequest: submitDocument').fields;
	const chosen = { clientId: 'cli_123', productRequestId: 'pr_123' };
	const notices: string[] = [];
	for (const values of [
		{},
		{ ...chosen, documentType: 'visa' },
		{ ...chosen, documentType: 'passport' },
	]) {
		const { emptyFieldsNotice = '' } = (await metadata?.mapper?.(editorOf(values))) ?? {};
		notices.push(emptyFieldsNotice);
	}
	return notices;
}

const work = (name: string, parameters: Item['parameters'], more: Partial<Item> = {}) => {
	return async () => await workOf(name, { parameters, ...more });
};
const transfer = (change: object, more: Partial<Item> = {}) =>
	work('wallet: transfer', { ...TRANSFER, ...change }, more);
const sweep = (change: object) => work('wallet: transfer', { ...SWEEP, ...change });
/** A transfer that an agent asks for, with *Require Human Review*. */
const reviewed = (call: Call) =>
	transfer(
		{ options: { maximumAmount: '5000', requireHumanReview: true } },
		{ unreviewed: (refuse) => refuseUnreviewed(n8nOf(call), refuse), isTool: true },
	);
const asAgent = (parameters: Item['parameters'], raw = parameters) =>
	work('endpoint: request', parameters, { raw, isTool: true });

/** By operation: what is wrong only with several fields together, for an agent, or with what the service says. */
export const SITUATIONS: Record<string, Array<() => unknown>> = {
	'wallet: transfer': [
		transfer({ amount: '1000000000' }),
		transfer({ amount: '0.0000001' }),
		transfer({ options: 'x' }),
		transfer({ to: TOKEN, tokenAddress: TOKEN }),
		transfer({ options: { allowedRecipients: 'TJRab, TKxyz' } }),
		transfer({ to: RECIPIENT.toLowerCase(), options: { requireChecksum: true } }),
		transfer({ walletId: '{{ $json.wallet }}' }),
		transfer({ amount: '5001', options: { maximumAmount: '5000' } }),
		transfer({ options: { onlyInEnvironment: 'production' } }),
		sweep({ options: { sweepMinimum: '50', sweepMaximum: '10' } }),
		sweep({ balance: '2000000000' }),
		transfer({ to: RECIPIENT }, { isTool: true }),
		transfer(
			{ options: { maximumAmount: '5000' } },
			{ raw: { options: { maximumAmount: AGENTS } }, isTool: true },
		),
		transfer(
			{ options: { maximumAmount: '5000' } },
			{ raw: { options: { maximumAmount: '={{ $json.limit }}' } }, isTool: true },
		),
		transfer({ options: { maximumAmount: '5000' } }, { raw: { to: AGENTS }, isTool: true }),
		transfer({ to: RECIPIENT }, { isTool: true, isAssistant: true }),
		reviewed({ byAgent: true }),
		reviewed({ mode: 'manual', pinned: true }),
		reviewed({ tools: ['Other'] }),
		reviewed({ previousNodeRun: 1 }),
		reviewed({ parameters: { operation: 'post' } }),
		reviewed({ parameters: { options: { limitWaitTime: {} } } }),
		reviewed({ parameters: { channelId: '={{ $json.channel }}' } }),
		reviewed({ parameters: { message: 'Send?' } }),
	],
	'cardTransaction: search': [
		work('cardTransaction: search', { ...SEARCH, operations: ['REFUND'] }),
		work('cardTransaction: search', { ...SEARCH, ...paged(undefined) }, { raw: paged('={{ 1 }}') }),
		async () =>
			await itemsOf(
				'cardTransaction: search',
				{ parameters: { ...SEARCH, splitMovements: true } },
				{ json: { total_elements: 2 } },
			),
	],
	'cardTransaction: get': [
		work('cardTransaction: get', { path: '/cards/{cardId}' }),
		work('cardTransaction: get', { path: '/cards/{card_id}' }),
	],
	'cardTransaction: downloadStatement': [
		work('cardTransaction: downloadStatement', {
			cardId: 'crd_123',
			fromDate: '2026-02-28',
			toDate: '2026-02-01',
		}),
	],
	'productRequest: submitDocument': [
		listed('productRequestId')({}),
		listed('documentType')({ clientId: 'cli_123' }),
		listed('documentType')({ clientId: 'cli_123', productRequestId: 'pr_999' }),
		listed('documentType')({ clientId: 'cli_123', productRequestId: 'pr_124' }),
		work('productRequest: submitDocument', { ...DOCUMENT, frontImageField: '' }),
		submit({ productRequestId: 'pr_999' }),
		submit({ productRequestId: 'pr_124' }),
		submit({ documentType: 'visa' }),
		submit({ backImageField: undefined }),
		submit({ metadata: {} as typeof SUBMISSION.metadata }),
	],
	'endpoint: request': [
		asAgent({ method: 'POST', path: '/x' }, { method: 'POST', path: AGENTS }),
		asAgent({ method: 'PATCH', path: '/virtual-wallets/ramps/transfer/rmp_123' }),
	],
};
