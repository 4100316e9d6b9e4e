import { byId } from '../harness/fixtures.mts';
import { eachRow } from '../samples/table.mts';
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
const LATER = 'and something else a second later';

eachRow<[reference: string, why: string]>(`
	=INV-{{ $json.missing }} | ${NO_PART}
	=INV-{{ 'a-' + $json.missing }} | ${NO_PART}
	=INV-{{ $json.nope | ${NO_PART}
	={{ $json.missing }} | gave nothing
	={{ $('No').first().json.no }} | could not be read
	=INV-{{ $execution.id | takes $execution
	={{ $now }} | is an object, where one value is expected
	={{ +$now }} | ${LATER}
	=INV-{{ new Date().getTime() | ${LATER}
	={{ $now.toFormat('HHmmss') }}-{{ $json.no }} | ${LATER}
`)('the reference %s is refused: %s', async (paymentReference, why) => {
	const { error } = await pay({ paymentReference });
	expect(error?.message).toMatch(/^Payment Reference /);
	expect(error?.message).toContain(why);
	expect(simulator.requests).toEqual([]);
});

it.each([
	['Token', { tokenAddress: byId('={{ $json.empty }}') }],
	['Maximum Amount', { maximumAmount: '={{ $json.missing }}' }],
	['Allowed Recipients', withOptions({ allowedRecipients: '={{ $json.empty }}' }, {})],
	['Dry Run', withOptions({ dryRun: '={{ $json.missing }}' }, {})],
])('%s is refused if its expression gave nothing', async (label, parameters) => {
	const { error } = await pay(parameters);
	expect(error?.message).toMatch(new RegExp(`^${label} has no value: .* gave nothing$`));
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
