import type { INodeExecutionData } from 'n8n-workflow';

export type Outcome = 'accepted' | 'failed' | 'rejected' | 'unknown' | 'not_sent';

/** Report of one item to the user, or to the agent. */
export interface Told {
	index: number;
	/** `success`: its output is shown. */
	outcome: Outcome | 'success' | 'dry run';
	json?: Record<string, unknown>;
}

export type Result =
	| { items: INodeExecutionData[] }
	| { error: Error & { description?: string | null; context?: { itemIndex?: number } } };

/** All texts that a run shows. */
export function textOf(result: Result): string {
	if ('error' in result) {
		return `${result.error.message}\n${result.error.description ?? ''}`.replaceAll('<br>', '\n');
	}
	return result.items.map(({ json }) => `${json.error ?? ''} ${json.description ?? ''}`).join('\n');
}

/** Reads the reports on all items. */
export function readTold(result: Result, count: number): Told[] {
	return 'error' in result ? readError(result, count) : result.items.map(readItem);
}

/** Message of a failed item. */
export interface Reason {
	index: number;
	message: string;
}

/** Reads the messages of the failed items that a run shows. */
export function readReasons(result: Result): Reason[] {
	if ('error' in result)
		return [{ index: result.error.context?.itemIndex ?? 0, message: result.error.message }];
	return result.items.flatMap((item) => {
		const { error } = item.json;
		return error === undefined ? [] : [{ index: readItem(item).index, message: String(error) }];
	});
}

function readItem({ json, pairedItem }: INodeExecutionData): Told {
	const index = Number((pairedItem as { item?: number } | undefined)?.item ?? 0);
	if (json.outcome === 'dry_run') return { index, outcome: 'dry run', json };
	const isFailed = json.error !== undefined;
	return { index, outcome: isFailed ? (json.outcome as Outcome) : 'success', json };
}

const LINES =
	/\bItems? (\d[\d, ]*(?:(?:to|and) \d[\d, ]*)*) ?(?:was |were )?(accepted, then FAILED|accepted|rejected|may have been executed|not sent)\b/g;

const OUTCOMES: Record<string, Outcome> = {
	'accepted, then FAILED': 'failed',
	accepted: 'accepted',
	rejected: 'rejected',
	'may have been executed': 'unknown',
	'not sent': 'not_sent',
};

/** Sentences about the item that ended the run. */
const SENTENCES: Array<[RegExp, Outcome]> = [
	[/^Outcome unknown\. /, 'unknown'],
	[/An earlier try of this execution was accepted, and it is not sent again/, 'accepted'],
	[/accepted the transfer, and it FAILED|was accepted, and then FAILED/, 'failed'],
	[/An earlier try of this execution was rejected|\bIt was not executed\b/, 'rejected'],
	[/\bNothing was sent\.|\bIt was not sent\b/, 'not_sent'],
];

function readError(result: Extract<Result, { error: Error }>, count: number): Told[] {
	const text = textOf(result);
	const index = result.error.context?.itemIndex ?? 0;
	const told: Told[] = [];
	if (/Nothing was sent for any of/.test(text)) {
		for (let each = 0; each < count; each++) told.push({ index: each, outcome: 'not_sent' });
	}
	for (const [, places = '', state = ''] of text.matchAll(LINES)) {
		for (const each of placesOf(places)) told.push({ index: each - 1, outcome: OUTCOMES[state]! });
	}
	const [, outcome] = SENTENCES.find(([words]) => words.test(text)) ?? [];
	if (outcome && told.length === 0) told.push({ index, outcome });
	return told;
}

/** Parses item numbers, counted from 1, such as "1 to 3, 5 and 7". */
function placesOf(text: string): number[] {
	return text.split(/,| and /).flatMap((part) => {
		const [from = NaN, to = from] = part.split(' to ').map((number) => parseInt(number, 10));
		return Number.isNaN(from) ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
	});
}
