import { summaryOf } from './summary.mts';

const deliveries = (more: Record<string, string> = {}) =>
	Object.entries({
		Deliveries: '10,000',
		'… of these forged or malformed': '501',
		Killed: 'n8n, n8n',
		'Forged or malformed deliveries that were accepted (must be 0)': '0',
		'Authorizations and 3DS notices, which are not repeated, missed around a kill': '213',
		'… and at any other time': '0',
		'Different events that were acknowledged': '7,309',
		'… of these without an execution (must be 0)': '0',
		'Events that ran more than once, across a kill': '0',
		'… and without a kill (must be 0)': '0',
		'Events whose execution n8n has ended with an error and emptied (see queue mode)': '0',
		'Acknowledged events that have not run, and that no retry runs (must be 0)': '0',
		...more,
	});

it('says what was lost, doubled and let in', () => {
	expect(summaryOf('Deliveries', deliveries())).toBe(
		'**In short:** 10,000 deliveries came in, with 2 kills in between. Of the 7,309 different events that were acknowledged, none were lost before n8n had stored them, none were stored and could never run, and none were run twice. Of the 501 forged or malformed deliveries, none were accepted. The service sends authorizations and 3DS notices only once: 213 were missed around a kill, and none at any other time.',
	);
});

it.each([
	['… of these without an execution (must be 0)', '3', '3 were lost before n8n had stored them'],
	[
		'Events whose execution n8n has ended with an error and emptied (see queue mode)',
		'1',
		'1 more was stored and then emptied by n8n itself',
	],
	[
		'Events that ran more than once, across a kill',
		'3',
		'3 were run twice, around a kill ([queue mode](queue.md)).',
	],
	['… and without a kill (must be 0)', '2', '2 were run twice. Of the'],
])('says what should not have happened: %s', (what, value, said) => {
	expect(summaryOf('Deliveries', deliveries({ [what]: value }))).toContain(said);
});

it('does not pass over a figure that is not there', () => {
	expect(() => summaryOf('Deliveries', [['Deliveries', '10']])).toThrow('no figure "Killed"');
});

it('says of each kind of write how many were executed, and why not all', () => {
	const batch = (name: string, executed: string) => [
		[`${name}: batches of 60 that were cut off`, '2 of 2'] as [string, string],
		['… executed in the end', executed] as [string, string],
		['… executed twice', '0'] as [string, string],
	];
	const summary = summaryOf('Writes', [
		['Rounds, each with one kill', '2'],
		...batch('Transfers with keys of their own', '120 of 120'),
		...batch('Transfers with derived keys', '10 of 120'),
	]);
	expect(summary).toBe(
		'**In short:** Transfers with keys of their own: 120 of 120 executed, none twice (batches cut off: 2 of 2). Transfers with derived keys: 10 of 120 executed, none twice (batches cut off: 2 of 2). The rest waits for a person: the retry of a batch that a kill cut off is refused when its keys are derived.',
	);
});

it.each([
	[
		'3 of 40',
		'0 of 45',
		'Two copies that reach two webhook processes at almost the same moment can both run: 3 of 40 events did, with copies at most 10 ms apart. Further apart, 0 of 45 events ran twice.',
	],
	['0 of 40', '0 of 45', '0 of 85 events ran twice.'],
	[
		'3 of 40',
		'1 of 45',
		'Two copies that reach two webhook processes at almost the same moment can both run: 3 of 40 events did, with copies at most 10 ms apart. Further apart, 1 of 45 events ran twice.',
	],
])('says up to which gap copies can both run: %s, %s', (near, far, summary) => {
	expect(
		summaryOf('Copies that come to two webhook processes', [
			['Events that ran twice, their copies 10 ms apart', near],
			['Events that ran twice, their copies seconds apart: two workers', far],
		]),
	).toBe(`**In short:** ${summary}`);
});
