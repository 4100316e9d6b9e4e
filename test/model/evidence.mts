import type { Execution } from './execution.mts';
import type { NodeRun } from './fakeN8n.mts';
import type { Executed, Ledger, Target } from './ledger.mts';
import { tagOf } from './parameters.mts';

/** One execute() of the node, with what it was to do. */
export interface RunRecord extends NodeRun {
	execution: Execution;
	/** Where the credential that it has read first points to. */
	target: Target;
	hasRead: boolean;
	at: number;
	/** The pieces of work by what their requests are for. */
	works: Map<string, string>;
	/** How many requests it has sent. */
	sent: number;
	/** Whether n8n's database did not take its note that it begins to write. */
	lacksNote?: boolean;
	/** What it said in the end, and when. */
	text?: string;
	toldAt?: number;
}

export type Entry = Executed<RunRecord>;

/** A request that left n8n. */
export interface Sent {
	work: string;
	by: RunRecord;
	at: number;
	key: string | undefined;
	/** Of the answer that came back. */
	status?: number;
	/** Undefined when the key of one service went to another. */
	target: Target | undefined;
}

/** Something that may not be. `hole`: its number in README.md, or what else it is. */
export interface Violation {
	hole: string;
	what: string;
}

/** All that has happened so far, and what of it may not be. */
export class Evidence {
	readonly runs: RunRecord[] = [];
	readonly requests: Sent[] = [];
	readonly violations: Violation[] = [];
	/** How many retries had to go well. */
	continued = 0;

	constructor(
		readonly ledger: Ledger<RunRecord>,
		readonly promisedMs: number,
	) {}

	add(hole: string, what: string): void {
		this.violations.push({ hole, what });
	}

	/** What the service has done of a piece of work. */
	executionsOf(work: string | undefined): Entry[] {
		return this.ledger.executed.filter((entry) => workOf(entry) === work);
	}

	/** What it has done under the keys that were sent for this work, whoever asked for it. */
	executionsUnder(work: string, execution: Execution, ownKey: string | undefined): Entry[] {
		const keys = new Set([ownKey, ...this.requestsOf(work, execution).map(({ key }) => key)]);
		keys.delete(undefined);
		return this.ledger.executed.filter(({ request }) => keys.has(request.key));
	}

	/** What was asked for this work, as this execution and those it continues have asked for it. */
	requestsOf(work: string, execution: Execution): Sent[] {
		return this.requests.filter(
			(sent) => sent.work === work && execution.continues(sent.by.execution),
		);
	}
}

/** The piece of work that something was done for. */
export const workOf = ({ by, request }: Entry) => by.works.get(tagOf(request.path, request.body));

/** Whether the service said for certain what became of it. */
export function isDefinite({ status }: Pick<Sent, 'status'>): boolean {
	return status !== undefined && (status < 300 || [302, 401, 404, 429].includes(status));
}

export function movesMoney({ setup: { kind } }: Pick<NodeRun, 'setup'>): boolean {
	return kind === undefined || kind === 'transfer' || kind === 'sweep';
}

export const amountOf = ({ request }: Pick<Entry, 'request'>): number =>
	Number((JSON.parse(request.body || '{}') as { amount?: number }).amount ?? 0);

/** Whether the output shows what was executed. */
export function isLike(entry: Entry, { setup }: RunRecord, json: Record<string, unknown>): boolean {
	const { path, body } = entry.request;
	if (movesMoney({ setup })) {
		const { to } = JSON.parse(body || '{}') as { to?: string };
		const isAmount = json.amount === undefined || Number(json.amount) === amountOf(entry);
		return isAmount && (json.to === undefined || json.to === to);
	}
	if (setup.kind === 'request') return json.received === undefined || json.received === path;
	return json.card_id === undefined || path.includes(String(json.card_id));
}

export const nameOf = ({ host, apiKey }: Target) => `${host} (${apiKey})`;
