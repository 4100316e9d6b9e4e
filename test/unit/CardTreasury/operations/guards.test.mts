import type { INodeProperties } from 'n8n-workflow';

import { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { encodeBody } from '../../../../nodes/CardTreasury/request/request.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { Execution } from '../batch/batches.mts';
import {
	RAMP,
	RECIPIENT,
	refusalOf,
	refused,
	SWEEP,
	TOKEN,
	TRANSFER,
	withOptions,
} from './guarded.mts';
import { operationOf, workOf, type Item } from './reading.mts';

const ACCEPTED = expect.objectContaining({ profile: expect.anything() });
/** Address of another chain. */
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const transfer = async (item: Item) => await workOf('wallet: transfer', item);

describe('Maximum Amount', () => {
	const withMaximum = (maximumAmount: unknown) => ({ parameters: { ...TRANSFER, maximumAmount } });

	it.each([
		['9.999999', 'Amount is 10, above the Maximum Amount of 9.999999'],
		['5 EUR', 'Maximum Amount "5 EUR" is not valid'],
		['', 'Maximum Amount is empty'],
	])('a maximum of %j refuses the transfer', async (maximum, message) => {
		expect(await refusalOf(withMaximum(maximum))).toBe(message);
	});

	it('an expression that returns nothing refuses the transfer', async () => {
		const raw = { ...TRANSFER, maximumAmount: '={{ $json.max }}' };
		expect(await refusalOf({ ...withMaximum(undefined), raw })).toBe(
			'Maximum Amount has no value: {{ $json.max }} gave nothing',
		);
	});

	it.each(['10', 10])('a maximum of %j accepts the same amount', async (maximum) => {
		expect(await transfer(withMaximum(maximum))).toEqual(ACCEPTED);
	});
});

describe('guards', () => {
	it('a list with an expression is none of the user in a tool', async () => {
		const parameters = { cardId: 'c', options: { unlessStatus: ['FROZEN'] } };
		const raw = { cardId: 'c', options: { unlessStatus: ['={{ $json.status }}'] } };
		expect(await refusalOf({ parameters, raw, isTool: true }, 'card: unblock')).toBe(
			'Unless Status is an expression in a tool',
		);
	});

	it.each<[object, string]>([
		...[1.5, 0, '0x10', '1e1', true].map((maximumTransfers): [object, string] => [
			{ maximumTransfers },
			'Maximum Transfers is not a whole number of 1 or more',
		]),
		[
			{ allowedRecipients: `${TRON}; ${TOKEN}` },
			'Recipient Address is not among the Allowed Recipients',
		],
		[{ allowedRecipients: ' , ' }, 'Allowed Recipients is empty'],
		[
			{ onlyInEnvironment: 'production' },
			'Only in Environment is Production, but the credential is for Sandbox',
		],
		[{ onlyInEnvironment: 'test' }, 'Only in Environment cannot be "test"'],
		...[true, 'yes', 'INV-1', '0b7e9b8a3d0c5f559b0d2a9d3c1e4f60'].map(
			(asInDryRun): [object, string] => [{ asInDryRun }, 'As in Dry Run is not an idempotency key'],
		),
	])('the guard %j refuses the transfer', async (options, message) => {
		expect(await refusalOf(withOptions(options))).toBe(message);
	});

	it.each([
		{ maximumTotal: '10', maximumTransfers: 1 },
		{ allowedRecipients: [TRON, RECIPIENT.toLowerCase()] },
		{ allowedRecipients: `${TRON},\n${RECIPIENT.slice(2)}\n${TOKEN}` },
		{ onlyInEnvironment: 'sandbox' },
		{ allowMissingChecksum: false },
	])('the guard %j accepts the transfer', async (options) => {
		expect(await transfer(withOptions(options))).toEqual(ACCEPTED);
	});

	it('the batch gets the limits as entered, with the amount', async () => {
		const { limits } = await transfer(
			withOptions({ maximumTotal: '20.50', maximumTransfers: '3' }),
		);
		expect(limits).toEqual({ amount: '10', maximumTotal: '20.50', maximumTransfers: 3 });
		const sweep = { parameters: { ...SWEEP, options: { maximumTotal: '900' } } };
		expect((await transfer(sweep)).limits).toMatchObject({ amount: '250' });
	});

	it('options whose expression returned nothing refuse the transfer', async () => {
		const parameters = { ...TRANSFER, options: undefined };
		const raw = { ...TRANSFER, options: '={{ $json.options }}' };
		expect(await refusalOf({ parameters, raw })).toBe('Options is not an object');
	});

	it('a failed expression is reported for its field, even in an option', async () => {
		const failed = new InvalidFieldError('Amount', 'has an expression that fails', 'Check it.');
		for (const parameters of [
			{ ...TRANSFER, amount: failed },
			{ ...TRANSFER, options: failed },
		])
			expect(await refusalOf({ parameters })).toBe('Amount has an expression that fails');
	});
});

describe.each([
	['maximumTotal', 'Maximum Total', '10'],
	['maximumTransfers', 'Maximum Transfers', 1],
	['allowedRecipients', 'Allowed Recipients', RECIPIENT],
	['onlyInEnvironment', 'Only in Environment', 'sandbox'],
	['allowMissingChecksum', 'Allow Missing Checksum', false],
	['approvalAbove', 'Approval Above', '1000'],
	['asInDryRun', 'As in Dry Run', ' 0B7E9B8A-3D0C-5F55-9B0D-2A9D3C1E4F60 '],
	['sweepMinimum', 'Sweep Minimum', '1'],
	['sweepMaximum', 'Sweep Maximum', '10'],
])('option %s', (name, label, valid) => {
	const sweep = (value: unknown, stored = value) => ({
		parameters: { ...SWEEP, options: { [name]: value } },
		raw: { ...SWEEP, options: { [name]: stored } },
	});

	it('the option without a value refuses the transfer', async () => {
		for (const value of [undefined, null, '']) {
			expect(await refusalOf(sweep(value))).toBe(`${label} is empty`);
			expect(await refusalOf(sweep(value, '={{ $json.max }}'))).toBe(
				`${label} has no value: {{ $json.max }} gave nothing`,
			);
		}
	});

	it('a value from the agent refuses the transfer, in a workflow too', async () => {
		const item = sweep(valid, '={{ $fromAI("limit") }}');
		for (const isTool of [true, false])
			expect(await refusalOf({ ...item, isTool })).toBe(`${label} is filled in by the AI agent`);
	});

	it('an expression refuses the transfer only in a tool, whose agent may choose its input', async () => {
		// n8n removes the = if a field takes no expression.
		for (const stored of ['={{ $json.limit }}', '{{ $json.limit }}'])
			expect(await refusalOf({ ...sweep(valid, stored), isTool: true })).toBe(
				`${label} is an expression in a tool`,
			);
		const item = { ...sweep(valid, '={{ $json.limit }}') };
		item.parameters.options = { ...item.parameters.options, allowedRecipients: RECIPIENT };
		expect(await transfer(item)).toEqual(ACCEPTED);
	});
});

describe('Approved', () => {
	const ANSWER = '={{ $json.data.approved }}';
	const answered = (approved: unknown, options: object = {}, stored: unknown = ANSWER): Item => ({
		parameters: { ...TRANSFER, options: { ...options, approved } },
		raw: { ...TRANSFER, options: { ...options, approved: stored } },
	});

	it('an answer that is read only if it was asked for accepts the transfer', async () => {
		const stored = "={{ $('Ask').isExecuted && $('Ask').item.json.data.approved }}";
		expect(await transfer(answered(true, {}, stored))).toEqual(ACCEPTED);
	});

	it.each([true, 'true'])('%j accepts the transfer', async (value) => {
		expect(await transfer(answered(value))).toEqual(ACCEPTED);
	});

	const DECLINED = [
		'Approved is false: declined, or not answered',
		'Ask again if that was a mistake.',
	];
	const MISSING = [
		'Approved has no answer',
		'Check the expression if a person did answer; else ask again.',
	];
	const UNCLEAR = [
		'Approved is not true',
		'Check the expression if a person has approved it; else ask again.',
	];

	it.each([
		[false, DECLINED],
		['false', DECLINED],
		[undefined, MISSING],
		[null, MISSING],
		['', MISSING],
		['yes', UNCLEAR],
		[1, UNCLEAR],
	])('%j is no approval, and the refusal says why', async (value, refusal) => {
		expect(await refused(answered(value))).toEqual(refusal);
		const unblock = {
			...answered(value),
			parameters: { cardId: 'c', options: { approved: value } },
		};
		expect(await refusalOf(unblock, 'card: unblock')).toBe(refusal[0]);
	});

	it.each(['', undefined, null])(
		'an empty expression, which gave %j, is no approval',
		async (value) => {
			for (const options of [{}, { approvalAbove: '1' }])
				expect((await refused(answered(value, options, '=')))[0]).toContain(
					'Approved has no answer',
				);
			const parameters = { cardId: 'c', options: { approved: value } };
			const raw = { cardId: 'c', options: { approved: '=' } };
			expect(await refusalOf({ parameters, raw }, 'card: unblock')).toBe('Approved has no answer');
		},
	);

	it.each([
		['true true', undefined],
		['true  true', undefined],
		['true false', DECLINED],
		['false ', DECLINED],
		['true ', MISSING],
		['true yes', UNCLEAR],
	])('the two answers %j are refused with %j', async (value, refusal) => {
		const answers = value.split(/ +/);
		const parts = { '{{ $json.a }}': answers[0], '{{ $json.b }}': answers[1] };
		const item = { ...answered(value, {}, '={{ $json.a }} {{ $json.b }}'), parts };
		if (refusal) expect(await refused(item)).toEqual(refusal);
		else expect(await transfer(item)).toEqual(ACCEPTED);
	});

	it.each<[string, string, Record<string, unknown>]>([
		['=true {{ $json.a }}', 'true ', { a: '' }],
		['={{ $json.a }} true', ' true', { a: undefined }],
		['={{ $json.a }}, {{ $json.b }}', 'true, true', { a: true, b: true }],
		['={{ $json.a }} {{ $json.b }}', 'true true ', { a: 'true true', b: '' }],
		['={{ $json.a }} {{ $json.b }}', 'true true ', { a: 'true true', b: ' ' }],
		['={{ $json.a }} {{ $json.b }} {{ $json.c', 'true true false', { a: true, b: true }],
		['={{ $json.a }} {{ $json.b }} {{ $json.c \\}}', 'true true false', { a: true, b: true }],
		['={{ $json.a }} {{ $json.b', 'true true', { a: true }],
	])('no text stands in for an answer in %j', async (stored, value, given) => {
		const parts = Object.fromEntries(
			Object.entries(given).map(([name, part]) => [`{{ $json.${name} }}`, part]),
		);
		const item = { ...answered(value, {}, stored), parts };
		expect(await refusalOf(item)).toMatch(/^Approved (?:is not true|has no answer)/);
	});

	it.each([[[true]], [{ approved: true }]])('%j is refused', async (value) => {
		expect(await refusalOf(answered(value))).toMatch(
			/^Approved is (?:a list|an object), where one/,
		);
	});

	it.each([
		[undefined, {}, 'accepted'],
		[false, {}, DECLINED[0]],
		[
			undefined,
			{ approvalAbove: '9' },
			'Approved has no answer, and 10 is above the Approval Above of 9',
		],
	])('a dry run with the answer %j and the options %j is %s', async (value, options, message) => {
		const item = answered(value, { ...options, dryRun: true });
		if (message === 'accepted') expect(await transfer(item)).toMatchObject({ dryRun: true });
		else expect(await refusalOf(item)).toBe(message);
	});

	it('a dry run before two questions needs no answer', async () => {
		const stored = '={{ $json.a }} {{ $json.b }}';
		const parts = { '{{ $json.a }}': undefined, '{{ $json.b }}': '' };
		const item = { ...answered(' ', { dryRun: true }, stored), parts };
		expect(await transfer(item)).toMatchObject({ dryRun: true });
	});

	it('an expression without {{ }} approves nothing', async () => {
		expect(await refusalOf(answered('true', {}, '=true'))).toBe('Approved is not true');
	});

	it.each([
		[true, true],
		['true', 'true'],
		['', ''],
		['={{ true }}', true],
		['={{ $json.a }} {{ !false }}', 'true true'],
		["={{ $('Ask').isExecuted }}", true],
		["={{ ($('Ask').isExecuted) === true ? true : false }}", true],
		['={{ $("Ask")["isExecuted"] }}', true],
	])('the fixed value %j is refused', async (stored, value) => {
		expect(await refused(answered(value, {}, stored))).toEqual([
			'Approved takes no value from another node',
			'Drag the answer of a person here. A fixed value would approve everything.',
		]);
	});

	it.each([
		['10', undefined],
		['10.5', false],
	])('up to an Approval Above of %s, an answer of %j is enough', async (approvalAbove, value) => {
		expect(await transfer(answered(value, { approvalAbove }))).toEqual(ACCEPTED);
	});

	it('more than Approval Above needs the approval', async () => {
		const options = { approvalAbove: '9.999999' };
		expect(await refusalOf(answered(false, options))).toBe(
			`${DECLINED[0]}, and 10 is above the Approval Above of 9.999999`,
		);
		expect(await transfer(answered(true, options))).toEqual(ACCEPTED);
		expect(await refused(withOptions(options))).toEqual([
			'Approved is not set, and 10 is above the Approval Above of 9.999999',
			'Drag the answer of a person into it.',
		]);
	});

	it('a sweep of which nothing is due needs no approval', async () => {
		const { parameters, raw } = answered(false);
		const swept = { amountMode: 'aboveFloor', balance: '5', floor: '500' };
		const work = await transfer({ parameters: { ...parameters, ...swept }, raw });
		expect(work.nothingToSend).toBeDefined();
	});

	it.each(['transfer', 'unblock'])('%s does not offer it in an AI tool', (name) => {
		const options = new CardTreasury().description.properties
			.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(name))
			.flatMap(({ options: entries = [] }) => entries as INodeProperties[])
			.filter((entry) => entry.name === 'approved');
		expect(options.map(({ displayOptions }) => displayOptions)).toEqual([
			{ hide: { '@tool': [true] } },
		]);
	});

	it('an agent cannot approve', async () => {
		const item = answered(true, {}, '={{ $fromAI("approved") }}');
		expect(await refusalOf({ ...item, isTool: true })).toBe(
			'Approved is filled in by the AI agent',
		);
		expect(await refusalOf({ ...answered(true), isTool: true })).toBe(
			'Approved is an expression in a tool',
		);
	});
});

describe('call by an AI agent', () => {
	it('a ramp transfer needs a Maximum Amount', async () => {
		const name = 'rampTransfer: updateAmount';
		expect(await refusalOf({ parameters: RAMP, isTool: true }, name)).toBe(
			'Maximum Amount is not set, and an AI agent is using this node',
		);
		const parameters = { ...RAMP, options: { maximumAmount: '10' } };
		expect(await workOf(name, { parameters, isTool: true })).toEqual(ACCEPTED);
	});

	it.each(['={{ $fromAI("m") }}', '={{ $json.limit }}', '{{ $json.limit }}'])(
		'a Maximum Amount that is %s refuses the transfer',
		async (maximumAmount) => {
			const raw = { ...TRANSFER, maximumAmount };
			expect(await refusalOf({ parameters: TRANSFER, raw, isTool: true })).toMatch(
				/^Maximum Amount is (?:filled in by the AI agent|an expression in a tool)$/,
			);
		},
	);

	it('options from the agent refuse the transfer, even without a guard', async () => {
		const raw = { ...TRANSFER, options: '={{ $fromAI("o") }}' };
		expect(await refusalOf(withOptions({}, { raw }))).toBe(
			'Maximum Total is filled in by the AI agent',
		);
	});

	it.each(['={{ $fromAI("to") }}', '={{ $json.to }}', '=0x0', undefined])(
		'a recipient that is %j requires Allowed Recipients of the user',
		async (to) => {
			const raw = { ...TRANSFER, to };
			const unlisted = withOptions({}, { raw });
			expect(await refusalOf({ ...unlisted, isTool: true })).toBe(
				'Allowed Recipients is not set, and an AI agent can fill in the Recipient Address',
			);
			expect(await transfer(unlisted)).toEqual(ACCEPTED);
			const options = { allowedRecipients: RECIPIENT };
			const listed = withOptions(options, { raw: { ...raw, options }, isTool: true });
			expect(await transfer(listed)).toEqual(ACCEPTED);
			const agents = { ...raw, options: { allowedRecipients: '={{ $fromAI("a") }}' } };
			expect(await refusalOf({ ...listed, raw: agents })).toBe(
				'Allowed Recipients is filled in by the AI agent',
			);
		},
	);

	it('an agent may fill in the payment reference and the dry run', async () => {
		const raw = {
			...TRANSFER,
			paymentReference: '={{ $fromAI("reference") }}',
			options: { dryRun: '={{ $fromAI("d") }}' },
		};
		const work = await transfer(withOptions({ dryRun: true }, { raw, isTool: true }));
		expect(work).toMatchObject({ payment: { reference: 'INV-1' }, dryRun: true });
	});
});

describe("run by n8n's AI assistant, which writes all parameters", () => {
	const assistant = { isTool: true, isAssistant: true };
	const FIX = expect.stringMatching(/^Put this node into a workflow, with limits that a person/);

	it.each<[string, string, object]>([
		['wallet: transfer', 'is filled in by the AI agent', TRANSFER],
		['wallet: transfer', 'is empty', { ...TRANSFER, maximumAmount: undefined }],
		['rampTransfer: updateAmount', 'is not set, and an AI agent is using this node', RAMP],
		[
			'rampTransfer: updateAmount',
			'is filled in by the AI agent',
			{ ...RAMP, options: { maximumAmount: '10' } },
		],
	])('%s is refused, because Maximum Amount %s', async (name, reason, parameters) => {
		const item = { parameters: { ...parameters }, ...assistant };
		expect(await refused(item, name)).toEqual([`Maximum Amount ${reason}`, FIX]);
	});

	it('a change that moves no money is accepted', async () => {
		const item = { parameters: { cardId: 'c' }, ...assistant };
		expect(await workOf('card: freeze', item)).toEqual(ACCEPTED);
	});
});

/** Each guard with a value and with parameters for which it changes what is sent. */
const GUARDS: Record<string, Record<string, [value: unknown, parameters: object]>> = {
	'wallet: transfer': {
		maximumTotal: ['9', TRANSFER],
		maximumTransfers: [1, TRANSFER],
		allowedRecipients: ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', TRANSFER],
		allowMissingChecksum: [true, { ...TRANSFER, to: RECIPIENT.toLowerCase() }],
		onlyInEnvironment: ['production', TRANSFER],
		approved: [false, TRANSFER],
		approvalAbove: ['9', TRANSFER],
		asInDryRun: ['0b7e9b8a-3d0c-5f55-9b0d-2a9d3c1e4f60', TRANSFER],
		sweepMinimum: ['251', SWEEP],
		sweepMaximum: ['100', SWEEP],
		balanceDay: ['2020-01-01', SWEEP],
		dryRun: [true, TRANSFER],
	},
	'rampTransfer: updateAmount': { maximumAmount: ['9', RAMP], dryRun: [true, RAMP] },
};
const TUNING = ['maxAttempts', 'maxTotalSeconds', 'requestsPerSecond', 'timeoutSeconds'];

/** Bodies that are sent for two items with these options. */
async function sentWith(name: string, parameters: object, options: object): Promise<string[]> {
	const execution = new Execution(name);
	const items = ['1', '2'].map((item) => ({
		parameters: {
			...parameters,
			walletId: `w${item}`,
			rampTransferId: `r${item}`,
			paymentReference: `INV-${item}`,
			options,
		},
	}));
	await execution.run(items);
	return await Promise.all(
		execution.sent.map(
			async ({ request: { body } }) => await encodeBody(body ?? null, async () => {}),
		),
	);
}

describe.each(Object.entries(GUARDS))('options of %s', (name, guards) => {
	it('each option is tuning, or a guard with an example here', () => {
		const options = Object.keys(operationOf(name).options).filter((each) => !TUNING.includes(each));
		expect(Object.keys(guards).sort()).toEqual(options.sort());
	});

	it.each(Object.entries(guards))(
		'the guard %s changes what is sent',
		async (option, [value, parameters]) => {
			const without = await sentWith(name, parameters, {});
			expect(await sentWith(name, parameters, { [option]: value })).not.toEqual(without);
		},
	);
});
