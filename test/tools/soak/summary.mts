import type { Verdict } from './verdict.mts';

type Facts = Verdict['facts'];

/** What the figures of a section say, for whoever does not read the table; empty while they are not known. */
export function summaryOf(title: string, facts: Facts): string {
	const sentences = (SUMMARIES[title] ?? (() => []))(facts);
	return sentences.length === 0 ? '' : `**In short:** ${sentences.join(' ')}`;
}

const SUMMARIES: Record<string, (facts: Facts) => string[]> = {
	Deliveries: summarizeDeliveries,
	Writes: summarizeWrites,
	'Copies that come to two webhook processes': summarizeCopies,
};

function summarizeDeliveries(facts: Facts): string[] {
	const of = (what: string) => figure(facts, what);
	const kills = text(facts, 'Killed').split(', ').length;
	const across = of('Events that ran more than once, across a kill');
	const twice = across + of('… and without a kill');
	const why = twice > 0 && twice === across ? ', around a kill ([queue mode](queue.md))' : '';
	const emptied = of('Events whose execution n8n has ended with an error and emptied');
	return [
		`${count(of('Deliveries'))} deliveries came in, with ${count(kills)} kills in between.`,
		`Of the ${count(of('Different events that were acknowledged'))} different events that were acknowledged, ${were(of('… of these without an execution'))} lost before n8n had stored them, ${were(of('Acknowledged events that have not run'))} stored and could never run, and ${were(twice)} run twice${why}.`,
		...(emptied > 0
			? [
					`${count(emptied)} more ${emptied === 1 ? 'was' : 'were'} stored and then emptied by n8n itself when it recovered from a kill ([queue mode](queue.md)).`,
				]
			: []),
		`Of the ${count(of('… of these forged or malformed'))} forged or malformed deliveries, ${were(of('Forged or malformed deliveries that were accepted'))} accepted.`,
		`The service sends authorizations and 3DS notices only once: ${were(of('Authorizations and 3DS notices'))} missed around a kill, and ${none(of('… and at any other time'))} at any other time.`,
	];
}

function summarizeWrites(facts: Facts): string[] {
	return facts.flatMap(([what], place) => {
		const [name, isBatch] = what.split(': batches of ');
		if (isBatch === undefined) return [];
		const [cutOff, executed, twice] = facts.slice(place, place + 3).map(([, value]) => value);
		const [done, total] = shareOf(executed!);
		const refused =
			name!.includes('derived') && done < total
				? ' The rest waits for a person: the retry of a batch that a kill cut off is refused when its keys are derived.'
				: '';
		return [
			`${name}: ${executed} executed, ${none(Number(twice))} twice (batches cut off: ${cutOff}).${refused}`,
		];
	});
}

function summarizeCopies(facts: Facts): string[] {
	const gaps = facts.map(([what, value]) => ({
		ms: Number(/(\d+) ms apart/.exec(what)?.[1] ?? Infinity),
		share: shareOf(value),
	}));
	const doubled = gaps.filter(({ ms, share }) => ms < Infinity && share[0] > 0);
	const widest = Math.max(-1, ...doubled.map(({ ms }) => ms));
	const total = (found: typeof gaps) =>
		[0, 1].map((place) => found.reduce((sum, { share }) => sum + share[place]!, 0)).join(' of ');
	const near = gaps.filter(({ ms }) => ms <= widest);
	const apart = `${total(gaps.filter(({ ms }) => ms > widest))} events`;
	if (near.length === 0) return [`${apart} ran twice.`];
	return [
		`Two copies that reach two webhook processes at almost the same moment can both run: ${total(near)} events did, with copies at most ${widest} ms apart. Further apart, ${apart} ran twice.`,
	];
}

function text(facts: Facts, what: string): string {
	const found = facts.find(([label]) => label.startsWith(what));
	if (!found) throw new Error(`The kept result has no figure "${what}"`);
	return found[1];
}

const figure = (facts: Facts, what: string) => Number(text(facts, what).replaceAll(',', ''));
const count = (value: number) => value.toLocaleString('en-US');
const none = (value: number) => (value === 0 ? 'none' : count(value));
const were = (value: number) => `${none(value)} ${value === 1 ? 'was' : 'were'}`;
const shareOf = (value: string) => value.split(' of ').map(Number) as [number, number];
