import type { INodeExecutionData } from 'n8n-workflow';

export type Outcome = 'accepted' | 'rejected' | 'unknown' | 'not_sent';

/** What the user, or the agent, was told about one item. */
export interface Told {
	index: number;
	/** `success`: its output is shown. */
	outcome: Outcome | 'success' | 'dry run';
	json?: Record<string, unknown>;
}

export type Result =
	| { items: INodeExecutionData[] }
	| { error: Error & { description?: string | null; context?: { itemIndex?: number } } };

/** Everything that a run says, as text. */
export function textOf(result: Result): string {
	if ('error' in result) {
		return `${result.error.message}\n${result.error.description ?? ''}`.replaceAll('<br>', '\n');
	}
	return result.items.map(({ json }) => `${json.error ?? ''} ${json.description ?? ''}`).join('\n');
}

/** What a run says about its items. */
export function readTold(result: Result, count: number): Told[] {
	return 'error' in result ? readError(result, count) : result.items.map(readItem);
}

function readItem({ json, pairedItem }: INodeExecutionData): Told {
	const index = Number((pairedItem as { item?: number } | undefined)?.item ?? 0);
	if (json.dry_run === true) return { index, outcome: 'dry run', json };
	return { index, outcome: (json.outcome as Outcome | undefined) ?? 'success', json };
}

const LINES =
	/\bItems? (\d[\d, ]*(?:(?:to|and) \d[\d, ]*)*) ?(?:was |were )?(accepted|rejected|may have been executed|not sent)\b/g;

const OUTCOMES: Record<string, Outcome> = {
	accepted: 'accepted',
	rejected: 'rejected',
	'may have been executed': 'unknown',
	'not sent': 'not_sent',
};

/** By the sentences that the docs promise. */
function readError(result: Extract<Result, { error: Error }>, count: number): Told[] {
	const text = textOf(result);
	const at = result.error.context?.itemIndex ?? 0;
	const told: Told[] = [];
	if (/Nothing was sent for any of/.test(text)) {
		for (let index = 0; index < count; index++) told.push({ index, outcome: 'not_sent' });
	}
	for (const [, places = '', state = ''] of text.matchAll(LINES)) {
		for (const index of placesOf(places)) told.push({ index, outcome: OUTCOMES[state]! });
	}
	const single: Array<[RegExp, Outcome]> = [
		[/\bNothing was sent\.|\bIt was not sent\b/, 'not_sent'],
		[/An earlier try of this execution was accepted/, 'accepted'],
		[/An earlier try of this execution was rejected/, 'rejected'],
		[/\bIt was not executed\b/, 'rejected'],
		[/\b(?:it|this execution) may have been executed\b/, 'unknown'],
	];
	for (const [words, outcome] of single) {
		if (words.test(text)) told.push({ index: at, outcome });
	}
	return told;
}

/** Item numbers in short, e.g. "0 to 2, 4 and 6". */
function placesOf(text: string): number[] {
	return text.split(/,| and /).flatMap((part) => {
		const [from = NaN, to = from] = part.split(' to ').map((number) => parseInt(number, 10));
		return Number.isNaN(from) ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
	});
}
