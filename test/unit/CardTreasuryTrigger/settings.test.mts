import {
	readDecisionSettings,
	readDeliverySettings,
	type ReadParameter,
} from '../../../nodes/CardTreasuryTrigger/settings.ts';

/** Reads all settings, as publishing does. */
function readSettings(get: ReadParameter) {
	const [delivery, decision] = [readDeliverySettings(get), readDecisionSettings(get)];
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
			authorizationDecision: 'rules',
			defaultResponseCode: '05',
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
			defaultResponseCode: expected,
			problems: [],
		});
		expect(
			read({
				events,
				authorizationDecision: 'workflow',
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
		expect(settings.rules.declineAll).toBe(true);
		expect(settings.problems[0]).toBe(
			'Rules could not be read: access to env vars denied. Check its expressions.',
		);
	});

	it('the fallback can be none, but the default cannot', () => {
		const authorizationDecision = 'workflow';
		expect(read({ events, authorizationDecision, fallbackDecision: 'none' })).toMatchObject({
			fallback: 'none',
			problems: [],
		});
		expect(read({ events, defaultDecision: 'none' })).toMatchObject({
			defaultResponseCode: '05',
			problems: [expect.stringContaining('Default Decision')],
		});
	});

	it.each([
		[{ defaultDecision: undefined }, 'Default Decision'],
		[{ defaultDecision: 'other', defaultResponseCode: 'OK' }, 'Default Response Code'],
		[{ authorizationDecision: 'workflow', fallbackDecision: 'x' }, 'Fallback Decision'],
	])('%j declines, and names %s', (parameters, field) => {
		const settings = read({ events, ...parameters });
		expect(settings).toMatchObject({
			defaultResponseCode: '05',
			fallback: { responseCode: '05' },
		});
		expect(settings.problems).toEqual([expect.stringContaining(field)]);
	});

	it.each([
		[1_200, 1_150],
		[0, 100],
		['800', 1_000],
		[NaN, 1_000],
		[undefined, 1_000],
	])('an invalid deadline of %j becomes %d, and is named', (deadlineMs, expected) => {
		const settings = read({ events, authorizationDecision: 'workflow', deadlineMs });
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

	it('settings of the other way to decide are not read', () => {
		const approving = {
			defaultDecision: 'approve',
			fallbackDecision: 'approve',
			deadlineMs: 5_000,
			rules: 'unreadable',
		};
		expect(read({ events, ...approving, rules: {} })).toMatchObject({
			defaultResponseCode: '00',
			fallback: { responseCode: '05' },
			deadlineMs: 1_000,
			problems: [],
		});
		const byWorkflow = { ...approving, authorizationDecision: 'workflow', deadlineMs: 800 };
		expect(read({ events, ...byWorkflow })).toMatchObject({
			authorizationDecision: 'workflow',
			defaultResponseCode: '05',
			fallback: { responseCode: '00' },
			deadlineMs: 800,
			problems: [],
		});
		expect(read({ events, authorizationDecision: 'x' }).authorizationDecision).toBe('rules');
	});

	it.each([100, 1_150])('a deadline of %d is accepted', (deadlineMs) => {
		expect(read({ events, authorizationDecision: 'workflow', deadlineMs })).toMatchObject({
			deadlineMs,
			problems: [],
		});
	});

	it('options that cannot be read allow no sender', () => {
		const settings = read({ events, options: undefined });
		expect(settings.ipAllowlist).toEqual([]);
		expect(settings.problems).not.toEqual([]);
	});

	it('settings of authorizations are not read while they are not chosen', () => {
		const hidden = { rules: { rule: [{ conditions: { amountTo: 'x' } }] }, defaultDecision: 'x' };
		expect(read({ events: ['cards.cleared'], ...hidden })).toMatchObject({
			authorizationDecision: undefined,
			problems: [],
		});
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
