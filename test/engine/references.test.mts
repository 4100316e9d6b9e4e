import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { jsonOf, run, tool, transfer } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const json = { no: 17, date: '2026-01-31', empty: '', nothing: null, object: { no: 1 } };

describe.each([
	['the node', {}],
	['a tool', tool],
])('Payment Reference of %s', (_kind, more) => {
	const pay = async (paymentReference: string) =>
		await run({ ...transfer, paymentReference }, { ...more, items: [{ json }] });

	it.each([
		['INV-17', 'INV-17'],
		['={{ $json.no }}', '17'],
		['=INV-{{ $json.no }}/{{ $json.date }}', 'INV-17/2026-01-31'],
		["=INV-{{ $('Source').first().json.no }}", 'INV-17'],
		["={{ DateTime.fromISO($json.date).toFormat('yyyy-MM') }}-rent", '2026-01-rent'],
		["={{ $json.object.no }}{{ '}' + '}' }}", '1}}'],
	])('the reference %j is sent as %s', async (paymentReference, reference) => {
		const paid = await pay(paymentReference);
		expect(paid.error).toBeUndefined();
		expect(jsonOf(paid)).toMatchObject([{ payment_reference: reference }]);
	});

	it.each([
		['=INV-{{ $json.missing }}', 'has a part without a value: {{ $json.missing }} gave nothing'],
		['=INV-{{ $json.nothing }}', 'has a part without a value: {{ $json.nothing }} gave nothing'],
		['=INV-{{ $json.empty }}', 'has a part without a value: {{ $json.empty }} gave nothing'],
		[
			'={{ $json.no }}-{{ $json.object }}',
			'has a part without a value: {{ $json.object }} gave [object Object]',
		],
		['={{ $json.date }}-{{ Number($json.date) }}', 'gave NaN'],
		["=INV-{{ DateTime.fromISO('x') }}", 'gave Invalid DateTime'],
		["={{ 'INV-' + $json.missing }}", 'where undefined stands for a missing value'],
		['={{ $json.missing }}', 'has no value: {{ $json.missing }} gave nothing'],
		["=INV-{{ $('Nowhere').first().json.no }}", 'could not be read'],
		['=INV-{{ $execution.id }}', 'uses $execution'],
		['={{ $json.no }}-{{ $runIndex }}', 'uses $runIndex'],
		['={{ $json.no }}-{{ $itemIndex }}', 'uses $itemIndex'],
		['={{ $now.toISODate() }}', 'uses $now'],
		['={{ $today }}', 'uses $today'],
		['={{ new Date().getTime() }}', 'uses new Date()'],
		['={{ Math.random() }}', 'uses Math.random'],
		['INV-{{ $json.no }}', 'holds {{ }} but is not an expression'],
	])('the reference %j is refused by its label: it %s', async (paymentReference, why) => {
		const { error } = await pay(paymentReference);
		expect(error?.message).toMatch(/^Payment Reference /);
		expect(error?.message).toContain(why);
		expect(simulator.requests).toEqual([]);
	});

	it('n8n itself asks for a reference that is left empty', async () => {
		await expect(pay('')).rejects.toThrow('issues');
		expect(simulator.requests).toEqual([]);
	});
});
