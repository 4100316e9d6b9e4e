import {
	readDecisionSettings,
	readDeliverySettings,
	type ReadParameter,
} from '../../../nodes/CardTreasuryTrigger/settings.ts';

/** What publishing reads. */
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
	it('have safe defaults', () => {
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
	])('a decision of %s with %j is %s', (decision, code, expected) => {
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

	it('names why an expression in the rules fails', () => {
		const settings = readSettings((name, fallback) => {
			if (name === 'rules') throw new Error('access to env vars denied');
			return name === 'events' ? events : fallback;
		});
		expect(settings.rules.declineAll).toBe(true);
		expect(settings.problems[0]).toBe(
			'Rules could not be read: access to env vars denied. Check its expressions.',
		);
	});

	it('a fallback of none is no answer; a default never is', () => {
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
		[{ defaultDecision: 'other', defaultResponseCode: undefined }, 'Default Response Code'],
		[{ authorizationDecision: 'workflow', fallbackDecision: 'x' }, 'Fallback Decision'],
		[
			{ authorizationDecision: 'workflow', fallbackDecision: 'other', fallbackResponseCode: 'no' },
			'Fallback Response Code',
		],
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
	])('a deadline of %j is %d, and is named', (deadlineMs, expected) => {
		const settings = read({ events, authorizationDecision: 'workflow', deadlineMs });
		expect(settings.deadlineMs).toBe(expected);
		expect(settings.problems).toEqual([expect.stringContaining('Deadline')]);
	});

	it.each([undefined, null, '', ' ', -1, 'x', Infinity])(
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

	it('take the options that are set', () => {
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
		['all', 'all'],
		['approved', 'all'],
		[undefined, 'all'],
	])('run the workflow for %j as for %s', (runWorkflowFor, expected) => {
		expect(read({ events, options: { runWorkflowFor } }).runWorkflowFor).toBe(expected);
	});

	it('forget duplicates only where it is said so', () => {
		const ignores = (ignoreDuplicates: unknown) =>
			read({ events, options: { ignoreDuplicates } }).ignoreDuplicates;
		expect([true, undefined, null, 'false'].map(ignores)).toEqual([true, true, true, true]);
	});

	it('of the way that does not decide are left alone', () => {
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

	it.each([100, 1_150])('a deadline of %d is taken', (deadlineMs) => {
		expect(read({ events, authorizationDecision: 'workflow', deadlineMs })).toMatchObject({
			deadlineMs,
			problems: [],
		});
	});

	it('say which rule cannot be read', () => {
		const rules = { rule: [{ conditions: { amountTo: 'x' } }] };
		expect(read({ events, rules }).problems).toEqual([expect.stringContaining('Rule "Rule 1"')]);
	});

	it.each([undefined, null, '', '10.0.0.300'])('an IP Allowlist of %j is named', (ipAllowlist) => {
		const settings = read({ events, options: { ipAllowlist } });
		expect(settings.ipAllowlist).toEqual([]);
		expect(settings.problems).toEqual([expect.stringContaining('IP Allowlist')]);
	});

	it('options that cannot be read let nobody in', () => {
		const settings = read({ events, options: undefined });
		expect(settings.ipAllowlist).toEqual([]);
		expect(settings.problems).not.toEqual([]);
	});

	it('of authorizations are left alone while none are chosen', () => {
		const hidden = { rules: { rule: [{ conditions: { amountTo: 'x' } }] }, defaultDecision: 'x' };
		expect(read({ events: ['cards.cleared'], ...hidden })).toMatchObject({
			authorizationDecision: undefined,
			problems: [],
		});
	});

	it('say which event is not known, and keep its output: another version of the node may know it', () => {
		const events = ['cards.cleared', 'cards.authorisation', 'other'];
		expect(read({ events })).toMatchObject({
			events,
			problems: [
				'Events holds "cards.authorisation", which this node does not know. Choose from the list.',
			],
		});
		expect(read({ events: ['cards.cleared', 'other'] }).problems).toEqual([]);
	});

	it('without an event would lose everything', () => {
		expect(read({}).problems).toEqual([expect.stringContaining('Events')]);
		for (const none of [[], undefined, 'cards.cleared', [5]])
			expect(read({ events: none }).problems).toEqual([expect.stringContaining('Events')]);
	});
});
