import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { jsonOf, run, transfer, withOptions } from './payments.mts';

/** Fields whose expressions n8n itself evaluates. The rules have tables of their own, in test/unit. */
useSimulator({ requestsPerSecond: 0 });

const json = { no: 17, date: '2026-01-31', empty: '', nothing: null, object: { no: 1 } };
const pay = async (parameters: object) =>
	await run({ ...transfer, ...parameters }, { items: [{ json }] });

it.each([
	['INV-17', 'INV-17'],
	['={{ $json.no }}', '17'],
	['=INV-{{ $json.no }}/{{ $json.date }}', 'INV-17/2026-01-31'],
	["=INV-{{ $('Source').first().json.no }}", 'INV-17'],
	["={{ DateTime.fromISO($json.date).toFormat('yyyy-MM') }}-rent", '2026-01-rent'],
	["={{ $json.object.no }}{{ '}' + '}' }}", '1}}'],
	["=  INV – {{ 'a\\u00a0b' }} ", 'INV - a b'],
	// It names the clock, and is the same a second later.
	["={{ $json.no }}-{{ DateTime.fromISO('2026-11-30').format('yyyy-MM') }}", '17-2026-11'],
])('the reference %j is sent as %s', async (paymentReference, reference) => {
	const paid = await pay({ paymentReference });
	expect(paid.error).toBeUndefined();
	expect(jsonOf(paid)).toMatchObject([{ payment_reference: reference }]);
});

const NO_PART = 'has a part without a value: ';
it.each<[parameters: object, label: string, why: string]>([
	[{ paymentReference: '=INV-{{ $json.missing }}' }, 'Payment Reference', NO_PART],
	[{ paymentReference: '={{ $json.date }}-{{ Number("x") }}' }, 'Payment Reference', NO_PART],
	[{ paymentReference: "=INV-{{ 'a-' + $json.missing }}" }, 'Payment Reference', NO_PART],
	[{ paymentReference: '={{ $json.missing }}' }, 'Payment Reference', 'gave nothing'],
	[
		{ paymentReference: "={{ $('No').first().json.no }}" },
		'Payment Reference',
		'could not be read',
	],
	[{ paymentReference: '=INV-{{ $execution.id }}' }, 'Payment Reference', 'takes $execution'],
	[{ paymentReference: '=INV-{{ $execution.id' }, 'Payment Reference', 'takes $execution'],
	[{ paymentReference: '=INV-{{ $json.nope' }, 'Payment Reference', NO_PART],
	[{ paymentReference: '={{ $now }}' }, 'Payment Reference', ''],
	...[
		...[
			'={{ $now.ts }}',
			'={{ +$now }}',
			'=INV-{{ new Date().getTime()',
			'=INV-{{ Math.random() }}',
		],
		"={{ $now.toFormat('HHmmss') }}-{{ $json.no }}",
	].map((paymentReference): [object, string, string] => [
		{ paymentReference },
		'Payment Reference',
		'and something else a second later',
	]),
	[{ maximumAmount: '={{ $json.missing }}' }, 'Maximum Amount', 'gave nothing'],
	[
		{ tokenAddress: { __rl: true, mode: 'id', value: '={{ $json.empty }}' } },
		'Token',
		'gave nothing',
	],
	[withOptions({ maximumTotal: '={{ $json.missing }}' }, {}), 'Maximum Total', 'gave nothing'],
	[
		withOptions({ allowedRecipients: '={{ $json.empty }}' }, {}),
		'Allowed Recipients',
		'gave nothing',
	],
	[withOptions({ dryRun: '={{ $json.missing }}' }, {}), 'Dry Run', 'gave nothing'],
])('%j is refused by its label: %s %s', async (parameters, label, why) => {
	const { error } = await pay(parameters);
	expect(error?.message).toMatch(new RegExp(`^${label} `));
	expect(error?.message).toContain(why);
	expect(simulator.requests).toEqual([]);
});

it('each part of an expression is evaluated for its own item', async () => {
	const parameters = { ...transfer, paymentReference: '=INV-{{ $json.no }}' };
	const { error } = await run(parameters, { items: [{ json }, { json: { number: 18 } }] });
	expect(error?.message).toMatch(/^Item 2: Payment Reference has a part without a value/);
});

it('an operation that does not exist is named', async () => {
	const { error } = await pay({ operation: '={{ "nope" }}' });
	expect(error?.message).toMatch(/^Operation ".+" does not exist for "wallet"$/);
});

it('n8n itself asks for a reference or a maximum that is left empty', async () => {
	await expect(pay({ paymentReference: '' })).rejects.toThrow('issues');
	await expect(pay({ maximumAmount: '' })).rejects.toThrow('issues');
});

it('a transfer that was saved without options is sent', async () => {
	expect((await pay({ options: undefined })).error).toBeUndefined();
});
