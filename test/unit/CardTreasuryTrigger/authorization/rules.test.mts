import { CONDITIONS } from '../../../../nodes/CardTreasuryTrigger/authorization/conditions.ts';
import { readRules } from '../../../../nodes/CardTreasuryTrigger/authorization/rules.ts';

const read = (fields: object) =>
	readRules({ rule: [{ name: 'r', decision: 'approve', ...fields }] });

describe('problems with conditions name the rule and the field, and everything is declined', () => {
	it.each([
		[{ amountFrom: '1,000.50' }, 'Amount From "1,000.50" is not valid. Use digits'],
		[{ amountTo: '1e3' }, 'Amount To "1e3" is not valid'],
		[{ amountTo: 'x'.repeat(100) }, `Amount To "${'x'.repeat(40)}…" is not valid`],
		[{ amountFrom: '10', amountTo: '9.99' }, 'Amount From must not be greater than Amount To'],
		[
			{ mccCodes: '5942, 59' },
			'MCC Codes must be 4-digit codes or ranges such as 6010-6012, not "59"',
		],
		[
			{ mccCodes: '6012-6010' },
			'MCC Codes must be 4-digit codes or ranges such as 6010-6012, not "6012-6010"',
		],
		[
			{ mccCodes: ',' },
			'MCC Codes has no entries, only commas. Enter a value, or remove the condition',
		],
		[
			{ currencies: ' , ' },
			'Currencies has no entries, only commas. Enter a value, or remove the condition',
		],
		...['59421', 'x5942', '5942-59431'].map((mccCodes): [object, string] => [
			{ mccCodes },
			`MCC Codes must be 4-digit codes or ranges such as 6010-6012, not "${mccCodes}"`,
		]),
		[{ currencies: 'EUR; USD' }, 'Currencies holds "EUR; USD". Separate the entries by commas.'],
		[{ currencies: 'EUR USD' }, 'Currencies holds "EUR USD". Separate the entries by commas.'],
		[{ currencies: 'EUR/USD' }, 'Currencies holds "EUR/USD". Separate the entries by commas.'],
		[{ merchantCountries: 'RUS  PRK' }, 'Merchant Countries holds "RUS  PRK". Separate'],
		[{ merchantCountries: '643 408' }, 'Merchant Countries holds "643 408". Separate'],
		[{ cardIds: 'card-1 card-2' }, 'Card IDs holds "card-1 card-2". Separate'],
		[{ channels: 'POS|ATM' }, 'Channels holds "POS|ATM". Separate the entries by commas.'],
		[
			{ cardIds: '{{ $vars.blocked }}' },
			'Card IDs holds {{ }} but is not an expression. Switch the field to Expression.',
		],
		[
			{ merchantName: '{{ $vars.name }}' },
			'Merchant Name holds {{ }} but is not an expression. Switch the field to Expression.',
		],
		[{ amountUpTo: '5' }, 'amountUpTo is not a condition'],
		[{ constructor: '5' }, 'constructor is not a condition'],
	])('%j', (conditions, problem) => {
		expect(read({ conditions })).toMatchObject({
			problems: [expect.stringContaining(`Rule "r": ${problem}`)],
			declineAll: true,
		});
	});

	it.each(Object.entries(CONDITIONS).map(([name, { label }]) => [name, label] as const))(
		'%s that is there without a value',
		(field, label) => {
			for (const value of ['', '  ', undefined, null, {}, ['x']]) {
				expect(read({ conditions: { [field]: value } })).toMatchObject({
					problems: [`Rule "r": ${label} is empty. Enter a value, or remove the condition.`],
					declineAll: true,
				});
			}
		},
	);

	it('several, each in a sentence of its own', () => {
		const { problems, rules } = read({ conditions: { amountTo: '', mccCodes: '1' } });
		expect(problems).toHaveLength(2);
		expect(rules).toMatchObject([{ conditions: [], readable: false }]);
	});

	it.each([undefined, null, '', 'x', []])('conditions that are %j', (conditions) => {
		expect(read({ conditions })).toMatchObject({
			problems: ['Rule "r": Conditions could not be read. Check the expression, or remove them.'],
			declineAll: true,
		});
	});
});

describe('problems with the decision', () => {
	it.each(['', '0 0', '5', '0551', 'OK', 'NO', 'approve', 'APPROVED', 'success', 'n7', undefined])(
		'%j is no response code',
		(responseCode) => {
			const { problems, declineAll } = read({ decision: 'other', responseCode });
			expect(problems).toEqual([
				expect.stringMatching(/^Rule "r": Response Code is (?:empty|not .* decline reason)/),
			]);
			expect(declineAll).toBe(true);
		},
	);

	it.each(['05', '51', 'N7', '1A', '121', ' 51 ', 51])('%j is one', (responseCode) => {
		const { problems, rules } = read({ decision: 'other', responseCode });
		expect(problems).toEqual([]);
		expect(rules[0]!.responseCode).toBe(String(responseCode).trim());
	});

	it.each(['00', 'SUCCESS', '08', '10', ' 85 ', '000'])('%j approves', (responseCode) => {
		expect(read({ decision: 'other', responseCode })).toMatchObject({
			problems: [expect.stringMatching(/Response Code is \w+, which approves. Choose Approve/)],
			declineAll: true,
		});
	});

	it.each([undefined, null, '', 'Approve', 'yes', true])('%j is no decision', (decision) => {
		expect(read({ decision })).toMatchObject({
			problems: [
				expect.stringMatching(/^Rule "r": Decision (?:is not set|cannot be .*)\. Choose one of:/),
			],
			declineAll: true,
		});
	});

	it('a rule without a decision of its own declines', () => {
		expect(readRules({ rule: [{}] })).toMatchObject({
			rules: [{ name: 'Rule 1', responseCode: '05', conditions: [], observeOnly: false }],
			problems: [],
			declineAll: false,
		});
	});
});

describe('observe-only rules', () => {
	it('are refused when they cannot be read, but decline nothing', () => {
		const { problems, declineAll } = read({ observeOnly: true, conditions: { amountTo: 'x' } });
		expect([problems.length, declineAll]).toEqual([1, false]);
	});

	it.each([undefined, null, 'true', 1])('%j says neither whether they are', (observeOnly) => {
		expect(read({ observeOnly })).toMatchObject({
			problems: [expect.stringContaining('Rule "r": Observe Only')],
			declineAll: true,
		});
	});
});

describe('the parameter', () => {
	it.each([{}, { rule: [] }])('%j has no rules and no problems', (parameter) => {
		expect(readRules(parameter)).toEqual({ rules: [], problems: [], declineAll: false });
	});

	it.each([undefined, null, '', [], { rule: undefined }, { rule: 'x' }, { rule: [null] }])(
		'%j cannot be read, so everything is declined',
		(parameter) => {
			const { problems, declineAll } = readRules(parameter);
			expect([problems.length, declineAll]).toEqual([1, true]);
		},
	);
});
