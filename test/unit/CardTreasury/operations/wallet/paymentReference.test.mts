import fc from 'fast-check';

import { codeIn } from '../../../../../nodes/shared/fields/source.ts';
import { anyCharacter } from '../../../../harness/anyCharacter.mts';
import { RECIPIENT, refused, TOKEN, TRANSFER } from '../guarded.mts';
import { workOf, type Item } from '../reading.mts';

const FROM_DATA = 'Take it from your own data, such as the invoice number of the payment.';
const CLOCK =
	"For a daily payment choose Once per Day; else take the date from the trigger's output.";

/** @param raw text as the workflow stores it; default the value */
const named = (paymentReference: unknown, raw?: string, parts?: Item['parts']): Item => ({
	parameters: { ...TRANSFER, paymentReference },
	raw: { ...TRANSFER, paymentReference: raw ?? paymentReference },
	...(parts && { parts }),
});
const paymentOf = async (item: Item) => (await workOf('wallet: transfer', item)).payment;

describe('Payment Reference', () => {
	it.each<[given: unknown, reference: string]>([
		['INV-17', 'INV-17'],
		['  INV 17\n', 'INV 17'],
		[17, '17'],
		[1.5, '1.5'],
		['Nullam-undefined-x', 'Nullam-undefined-x'],
		['x'.repeat(255), 'x'.repeat(255)],
		['recA1b2C3d4E5NaN', 'recA1b2C3d4E5NaN'],
		['undefined-2026-01', 'undefined-2026-01'],
		['Nan', 'Nan'],
		['NAT', 'NAT'],
	])("Payment Reference accepts %j as the payment's name", async (given, reference) => {
		expect(await paymentOf(named(given))).toMatchObject({ reference, shown: reference });
	});

	it('a character of two code units counts once', async () => {
		const longest = '🎉'.repeat(255);
		expect(await paymentOf(named(longest))).toMatchObject({ reference: longest });
		expect((await refused(named(`${longest}🎉`)))[0]).toBe(
			'Payment Reference is longer than 255 characters',
		);
	});

	it.each<[given: unknown, reason: string, fix: string]>([
		['', 'is empty', FROM_DATA],
		[undefined, 'is empty', FROM_DATA],
		[
			{ id: 1 },
			'is an object, where one value is expected',
			'Name one of its fields, for example .id.',
		],
		['x'.repeat(256), 'is longer than 255 characters', 'Use a shorter name for the payment.'],
		[
			12345678901234567890,
			'is the number 12345678901234567000, which has lost digits',
			'Pass it as text with all its digits: in a table or a CSV import, make the column text, and enter it again.',
		],
	])('Payment Reference refuses %j', async (given, reason, fix) => {
		expect(await refused(named(given))).toEqual([`Payment Reference ${reason}`, fix]);
	});

	it.each<[code: string, reason: string, fix: string]>([
		['$execution.id', 'uses $execution, which differs in each run', FROM_DATA],
		['$runIndex', 'uses $runIndex, which counts the iterations of a loop', FROM_DATA],
		['$itemIndex', 'uses $itemIndex, which is the position of the item', FROM_DATA],
		[
			"$('A').itemMatching($itemIndex).json.a + $itemIndex",
			'uses $itemIndex, which is the position of the item',
			FROM_DATA,
		],
		[
			"$('A').all()[$itemIndex].json.a",
			'uses $itemIndex, which is the position of the item',
			FROM_DATA,
		],
		['$now.toISODate()', 'uses $now, which differs in each run', CLOCK],
		// Over two lines, as n8n's expression editor allows.
		['$json.day ||\n$now', 'uses $now, which differs in each run', CLOCK],
		['Date.now()', 'uses Date.now, which differs in each run', CLOCK],
		['new  Date ( ).getTime()', 'uses new Date(), which differs in each run', CLOCK],
		['DateTime.utc().toISODate()', 'uses DateTime.local(), which differs in each run', CLOCK],
		['DateTime.now().toISO()', 'uses DateTime.now, which differs in each run', CLOCK],
		['Math.random()', 'uses Math.random, which differs each time', FROM_DATA],
		['crypto.randomUUID()', 'uses crypto, which differs each time', FROM_DATA],
	])('Payment Reference refuses the expression %s', async (code, reason, fix) => {
		const item = named('INV-1', `=INV-{{ $json.no }}-{{ ${code} }}`);
		expect(await refused(item)).toEqual([`Payment Reference ${reason}`, fix]);
	});

	it.each([
		'={{ $json.crypto.symbol }}',
		'={{ new Date($json.date).getTime() }}',
		'={{ $json.itemIndex }}',
		'=$now is no code outside {{ $json.no }}',
		'$execution of no expression',
		"={{ $('Source').itemMatching($itemIndex).json.ref }}",
		"={{ $('Source').itemMatching( $itemIndex ).json.ref }}",
		"={{ $('Source').pairedItem($itemIndex).json.ref }}",
		"={{ $('Source').itemMatching($itemIndex - 1).json.ref }}",
		'={{ $json[\'crypto.id\'] + $json["$now"] }}',
		"={{ new Date('2026-01-31').getTime() }}",
		"={{ $fromAI('reference', 'Invoice number', 'string') }}",
	])('Payment Reference accepts %s', async (raw) => {
		const parts = { '{{ $json.no }}': '17' };
		expect(await paymentOf(named('INV-1', raw, parts))).toMatchObject({ reference: 'INV-1' });
	});

	it.each(['Rent #URGENT!', 'Unit #A/B', '#TAG! 7'])(
		'Payment Reference accepts an expression that returns %j',
		async (given) => {
			const item = named(given, '={{ $json.memo }}');
			expect(await paymentOf(item)).toMatchObject({ reference: given });
		},
	);

	it.each(['Nan', 'Nat', 'N/A Holdings', ' - '])(
		'Payment Reference accepts an expression with a part that returns %j',
		async (given) => {
			const item = named('INV-1', '={{ $json.name }}-{{ $json.no }}', {
				'{{ $json.name }}': given,
			});
			expect(await paymentOf(item)).toMatchObject({ reference: 'INV-1' });
		},
	);

	it.each<[given: unknown, shown: string]>([
		[undefined, 'nothing'],
		[null, 'nothing'],
		['  ', 'nothing'],
		['nan', 'nan'],
		['Invalid date', 'Invalid date'],
		[Number.NaN, 'NaN'],
		['inv-undefined', 'inv-undefined'],
	])(
		'Payment Reference refuses an expression with a part that returns %j',
		async (given, shown) => {
			const parts = { '{{ $json.month }}': 'May', '{{ $json.no }}': given };
			const item = named('May-INV-', '={{ $json.month }}-INV-{{ $json.no }}', parts);
			expect(await refused(item)).toEqual([
				`Payment Reference has a part without a value: {{ $json.no }} gave ${shown}`,
				'Check the field that this part takes: it is missing, is empty, or has another name.',
			]);
		},
	);

	it('an expression whose only part ends in undefined is refused', async () => {
		const item = named('inv-undefined', "={{ 'inv-' + $json.no }}");
		expect((await refused(item))[0]).toBe(
			'Payment Reference holds "inv-undefined", where undefined stands for a missing value',
		);
	});

	// Golden values: with another spelling, a paid reference would get another name, and be paid again.
	it.each([
		['INV\u201017', 'INV-17'],
		['INV\u201117', 'INV-17'],
		['INV\u201217', 'INV-17'],
		['INV\u201317', 'INV-17'],
		['INV\u201417', 'INV-17'],
		['INV\u221217', 'INV-17'],
		['INV\ufe6317', 'INV-17'],
		['INV\uff0d17', 'INV-17'],
		['\uff29\uff2e\uff36-17', 'INV-17'],
		['\u2460 \ufb01ne \u210c', '1 fine H'],
		['INV\u00a0 \t17\r\n', 'INV 17'],
		['\u3000INV\u202f17', 'INV 17'],
		['caf\u0065\u0301', 'caf\u00e9'],
		['inv_17', 'inv_17'],
		['INV~17', 'INV~17'],
		['\u00dcber', '\u00dcber'],
	])('%j is spelled %j for ever', async (given, reference) => {
		expect(await paymentOf(named(given))).toMatchObject({ reference, shown: reference });
	});

	it('the spelling of a spelling is the same', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 40 }), async (text) => {
				const first = await paymentOf(named(text)).catch(() => undefined);
				if (first === undefined) return;
				expect((await paymentOf(named(first.reference)))?.reference).toBe(first.reference);
				expect(first.reference).not.toMatch(/^\s|\s$|\s\s|[\p{Cc}\p{Cf}\u2212]|(?!-)\p{Pd}/u);
			}),
		);
	});

	it.each([
		['INV-17\u200b', 'U+200B at position 7'],
		['\ufeffINV-17', 'U+FEFF at position 1'],
		['INV\u00ad17', 'U+00AD at position 4'],
		['INV\u000017', 'U+0000 at position 4'],
		['INV\u202e17', 'U+202E at position 4'],
		['\u{1f4b6}INV\u2060', 'U+2060 at position 5'],
		['INV\u{e0041}', 'U+E0041 at position 4'],
		['INV\u3164', 'U+3164 at position 4'],
		['INV\u2800', 'U+2800 at position 4'],
		['INV\ud800', 'U+D800 at position 4'],
	])('Payment Reference refuses %j with its invisible character', async (given, where) => {
		expect((await refused(named(given)))[0]).toBe(
			`Payment Reference holds an invisible character: ${where}`,
		);
	});

	it('codeIn splits parts where n8n does', () => {
		expect(codeIn('=a{{ 1 }}b\\{{ 2 }}c{{ "\\}}" }}{{3}}')).toEqual([' 1 ', ' "\\}}" ', '3']);
		expect(codeIn('={{ 1')).toEqual([]);
		expect(codeIn('{{ 1 }}')).toEqual([]);
		expect(codeIn(undefined)).toEqual([]);
	});
});

describe('payment values', () => {
	it('the values have one spelling', async () => {
		const options = { allowMissingChecksum: true };
		const parameters = { to: RECIPIENT.slice(2).toLowerCase(), amount: '10.0', options };
		const values = ['a', 'w', RECIPIENT.toLowerCase(), TOKEN.toLowerCase(), '10'];
		expect(await paymentOf({ parameters: TRANSFER })).toMatchObject({ values });
		expect(await paymentOf({ parameters: { ...TRANSFER, ...parameters } })).toMatchObject({
			values,
		});
	});

	it('the values contain a word for the native coin', async () => {
		const parameters = { ...TRANSFER, tokenAddress: 'native' };
		expect((await paymentOf({ parameters }))?.values[3]).toBe('native');
	});
});

describe('Once per Day', () => {
	const parameters = { ...TRANSFER, referenceFrom: 'oncePerDay', paymentReference: undefined };
	const startedAt = Date.parse('2026-01-31T23:30:00Z');

	it.each([
		['Europe/Berlin', '2026-02-01'],
		['America/New_York', '2026-01-31'],
	])('the reference uses the day on which the execution started in %s', async (timezone, day) => {
		const target = ['a', 'w', RECIPIENT.toLowerCase(), TOKEN.toLowerCase()];
		expect(await paymentOf({ parameters, startedAt, timezone })).toEqual({
			reference: JSON.stringify([day, ...target]),
			oncePerDay: true,
			values: [...target, '10'],
			shown: day,
		});
	});

	it('the reference names the same payment for any amount', async () => {
		const more = { parameters: { ...parameters, amount: '11' }, startedAt };
		expect((await paymentOf(more))?.reference).toBe(
			(await paymentOf({ parameters, startedAt }))?.reference,
		);
	});

	it.each(['GMT+2', 'CEST', 'Europe/Berlin '])(
		'Once per Day is refused in %j, which is not a time zone',
		async (timezone) => {
			expect(await refused({ parameters, startedAt, timezone })).toEqual([
				`Reference Mode is Once per Day, but "${timezone}" is not a time zone`,
				'Choose the Timezone in the settings of the workflow, or correct GENERIC_TIMEZONE.',
			]);
		},
	);

	it('Once per Day is refused without the start of an execution', async () => {
		expect(await refused({ parameters })).toEqual([
			'Reference Mode is Once per Day, but this call has no n8n execution to take the day from',
			'Choose From Data, and name each payment by your own data, such as its invoice number.',
		]);
	});
});
