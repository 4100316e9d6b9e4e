import {
	readDecisionSettings,
	readDeliverySettings,
	type ReadParameter,
} from '../../../nodes/CardTreasuryTrigger/settings.ts';

/** Reads all settings, as publishing does. */
function readSettings(get: ReadParameter) {
	const delivery = readDeliverySettings(get);
	const decision = readDecisionSettings(get, delivery);
	const problems = [...new Set([...delivery.problems, ...decision.problems])];
	return { ...delivery, ...decision, problems };
}

/** As n8n gives parameters: the fallback stands for what is not set, not for an expression that gives nothing. */
const read = (parameters: Record<string, unknown>) =>
	readSettings((name, fallback) => (name in parameters ? parameters[name] : fallback));
const events = ['cards.authorization'];

describe('settings', () => {
	it('the defaults are safe', () => {
		expect(read({ events })).toMatchObject({
			events,
			byDefault: { responseCode: '05' },
			declineAll: false,
			deadlineMs: 1_000,
			fallback: { responseCode: '05' },
			maximumAgeSeconds: 0,
			ignoreDuplicates: true,
			ipAllowlist: 'any sender',
			runWorkflowFor: 'all',
			problems: [],
		});
	});

	it.each([
		['approve', undefined, '00'],
		['decline', undefined, '05'],
		['other', '51', '51'],
		['other', ' 62 ', '62'],
	])('the decision %s with %j is the code %s', (decision, code, expected) => {
		expect(read({ events, defaultDecision: decision, defaultResponseCode: code })).toMatchObject({
			byDefault: { responseCode: expected },
			problems: [],
		});
		expect(
			read({
				events,
				fallbackDecision: decision,
				fallbackResponseCode: code,
			}),
		).toMatchObject({ fallback: { responseCode: expected }, problems: [] });
	});

	it('a failing expression in the rules is named with its reason', () => {
		const settings = readSettings((name, fallback) => {
			if (name === 'rules') throw new Error('access to env vars denied');
			return name === 'events' ? events : fallback;
		});
		expect(settings.rules.areUnreadable).toBe(true);
		expect(settings.problems[0]).toBe(
			'Rules could not be read: access to env vars denied. Check its expression.',
		);
	});

	it('the fallback can be none, but the default cannot', () => {
		expect(read({ events, fallbackDecision: 'none' })).toMatchObject({
			fallback: 'none',
			problems: [],
		});
		expect(read({ events, defaultDecision: 'none' })).toMatchObject({
			byDefault: { responseCode: '05' },
			problems: [expect.stringContaining('Default Decision')],
		});
	});

	it.each([
		[{ defaultDecision: undefined }, 'Default Decision'],
		[{ defaultDecision: 'other', defaultResponseCode: 'OK' }, 'Default Response Code'],
		[{ fallbackDecision: 'x' }, 'Fallback Decision'],
	])('%j declines, and names %s', (parameters, field) => {
		const settings = read({ events, ...parameters });
		expect(settings).toMatchObject({
			byDefault: { responseCode: '05' },
			fallback: { responseCode: '05' },
		});
		expect(settings.problems).toEqual([expect.stringContaining(field)]);
	});

	it.each([
		[1_200, 1_150],
		[0, 100],
		['9000', 1_150],
		['8e2', 1_000],
		['', 1_000],
		[NaN, 1_000],
		[undefined, 1_000],
	])('an invalid deadline of %j becomes %d, and is named', (deadlineMs, expected) => {
		const settings = read({ events, deadlineMs });
		expect(settings.deadlineMs).toBe(expected);
		expect(settings.problems).toEqual([expect.stringContaining('Deadline')]);
	});

	it.each([undefined, ' ', -1, 'x'])(
		'a Maximum Age of %j accepts nothing, and is named',
		(maximumAgeSeconds) => {
			const settings = read({ events, options: { maximumAgeSeconds } });
			expect(settings.maximumAgeSeconds).toBe('unreadable');
			expect(settings.problems).toEqual([expect.stringContaining('Maximum Age')]);
		},
	);

	it.each([
		[0, 0],
		[300, 300],
		['300', 300],
		[' 0.5 ', 0.5],
	])('a Maximum Age of %j is %d seconds', (maximumAgeSeconds, expected) => {
		expect(read({ events, options: { maximumAgeSeconds } })).toMatchObject({
			maximumAgeSeconds: expected,
			problems: [],
		});
	});

	it('the options that are set are read', () => {
		const options = {
			ipAllowlist: '10.0.0.0/8',
			ignoreDuplicates: false,
			runWorkflowFor: 'declined',
		};
		expect(read({ events: ['cards.refund', 'cards.cleared'], options })).toMatchObject({
			ipAllowlist: [{ version: 4, network: 10n, hostBits: 24n }],
			ignoreDuplicates: false,
			runWorkflowFor: 'declined',
			problems: [],
		});
	});

	it.each([
		['declined', 'declined'],
		['none', 'none'],
		['approved', 'all'],
		[undefined, 'all'],
	])('Run Workflow For %j counts as %s', (runWorkflowFor, expected) => {
		expect(read({ events, options: { runWorkflowFor } }).runWorkflowFor).toBe(expected);
	});

	it('only an explicit false turns Ignore Duplicates off', () => {
		const ignores = (ignoreDuplicates: unknown) =>
			read({ events, options: { ignoreDuplicates } }).ignoreDuplicates;
		expect([true, undefined, null, 'false'].map(ignores)).toEqual([true, true, true, true]);
	});

	it('the default can ask', () => {
		expect(read({ events, defaultDecision: 'ask' })).toMatchObject({
			byDefault: 'ask',
			problems: [],
		});
	});

	it('Decline All stands above the rules, whose problems are still told', () => {
		const rules = { rule: [{ name: 'r', decision: 'approve', conditions: { amountTo: 'x' } }] };
		for (const declineAll of [true, undefined, 'no'])
			expect(
				read({ events, rules, defaultDecision: 'approve', options: { declineAll } }),
			).toMatchObject({
				rules: { rules: [{ name: 'Decline All', ruling: { responseCode: '05' } }] },
				problems: expect.arrayContaining([expect.stringContaining('Amount To')]),
			});
		expect(read({ events, options: { declineAll: false } }).rules.rules).toEqual([]);
	});

	it.each([100, 1_150, ' 800 '])('a deadline of %j is accepted', (deadlineMs) => {
		expect(read({ events, deadlineMs })).toMatchObject({
			deadlineMs: Number(deadlineMs),
			problems: [],
		});
	});

	it('options that cannot be read allow no sender', () => {
		const settings = read({ events, options: undefined });
		expect(settings.ipAllowlist).toEqual([]);
		expect(settings.problems).not.toEqual([]);
	});

	it('an unknown event is named, and keeps its output for another version of the node', () => {
		const events = ['cards.cleared', 'cards.authorisation', 'other'];
		expect(read({ events })).toMatchObject({
			events,
			problems: [
				'Events holds "cards.authorisation", which this node does not know. Choose from the list.',
			],
		});
		expect(read({ events: ['cards.cleared', 'other'] }).problems).toEqual([]);
	});

	it('an empty choice of events is refused', () => {
		expect(read({}).problems).toEqual([expect.stringContaining('Events')]);
		for (const none of [[], undefined, 'cards.cleared', [5]])
			expect(read({ events: none }).problems).toEqual([expect.stringContaining('Events')]);
	});
});
