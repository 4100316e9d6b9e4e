import type { Execution } from './execution.mts';
import type { NodeRun } from './fakeN8n.mts';
import { TARGETS, type Executed, type Ledger, type Target, type WireRequest } from './ledger.mts';
import { ownKey, tagOf, type Item } from './parameters.mts';
import { readTold, textOf, type Result, type Told } from './told.mts';
import { whyTwice, type Violation } from './violation.mts';

/** One execute() of the node, with what it was to do. */
export interface RunRecord extends NodeRun {
	execution: Execution;
	target: Target;
	at: number;
	/** The pieces of work by what their requests are for. */
	works: Map<string, string>;
	sent: number;
	hasRead: boolean;
}

/** A request that left n8n. */
interface Sent {
	work: string;
	by: RunRecord;
	at: number;
	/** Whether the service said what became of it. */
	isDefinite: boolean;
	isForeign: boolean;
	target: Target;
}

/** Between the beginning of a run and its last repetition of a request. */
const TOLERANCE_MS = 5 * 60_000;

/** Looks at everything that is sent, executed and told, and notes what may not be. */
export class Checks {
	readonly violations: Violation[] = [];
	private readonly requests: Sent[] = [];
	/** By execution and path: an agent's equal state change after a definite answer is new work. */
	private readonly answers = new Map<string, number>();

	constructor(
		private readonly ledger: Ledger<RunRecord>,
		private readonly promisedHours: number,
	) {}

	begin(execution: Execution, run: NodeRun, target: Target, at: number): RunRecord {
		const works = new Map(
			run.items.map((item) => [item.tag, this.workOf(execution, run, item, at)]),
		);
		return { ...run, execution, target, at, works, sent: 0, hasRead: false };
	}

	/** The credential that a run has read first is that of the run. */
	reads(by: RunRecord, target: Target): void {
		if (!by.hasRead) by.target = target;
		by.hasRead = true;
	}

	/** The piece of work that an item stands for. */
	private workOf(execution: Execution, run: NodeRun, item: Item, date: number): string {
		const place = `${execution.root.id}/${run.nodeName}`;
		if (!run.isTool) return `${place}/${item.tag}`;
		const { kind = 'transfer', valueVersion = 0 } = run.setup;
		const key = ownKey(run.setup, item, { ...run, date });
		if (key !== undefined) return `${place}/${key}`;
		const value = kind.endsWith('freeze') ? '' : `/${item.amount + valueVersion}`;
		const equal = `${place}/${item.tag}/${kind}${value}`;
		return movesMoney(run) ? equal : `${equal}/${this.answers.get(stateOf(execution, item)) ?? 0}`;
	}

	send(by: RunRecord, request: WireRequest, at: number): Sent {
		by.sent += 1;
		const work = by.works.get(tagOf(request.path, request.body)) ?? 'nothing that was asked for';
		const target = TARGETS.find(
			({ host, apiKey }) => host === request.host && apiKey === request.apiKey,
		);
		const sent: Sent = {
			work,
			by,
			at,
			isDefinite: false,
			isForeign: target === undefined,
			target: target ?? by.target,
		};
		if (sent.isForeign) this.add('credential', `the key ${request.apiKey} went to ${request.host}`);
		if (by.setup.dryRun) this.add('dry run', `a dry run sent ${request.path}`);
		if (work.startsWith('nothing'))
			this.add('other', `${request.path} was sent, though not asked for`);
		const before = this.requests.filter(
			(other) => other.work === work && by.execution.continues(other.by.execution),
		);
		const [open] = before.filter(({ isDefinite }) => !isDefinite);
		const age = open === undefined ? 0 : at - open.at;
		if (age > this.promisedHours * 3_600_000 + TOLERANCE_MS) {
			this.add(
				'3',
				`${work}: sent again ${hours(age)} after it was first sent, with unknown outcome`,
			);
		}
		if (open && open.target !== sent.target) {
			this.add(
				'6',
				`${work}: of unknown outcome at ${nameOf(open.target)}, sent to ${nameOf(sent.target)}`,
			);
		}
		this.requests.push(sent);
		return sent;
	}

	/** @param status of the answer that came back */
	answered(sent: Sent, status: number): void {
		sent.isDefinite = status < 300 || status === 302 || [401, 404, 429].includes(status);
	}

	refused(sent: Sent): void {
		sent.isDefinite = true;
	}

	executed(by: RunRecord, executed: Executed<RunRecord>): void {
		const { request } = executed;
		const work = by.works.get(tagOf(request.path, request.body));
		const [first] = this.executionsOf(work).filter((other) => other !== executed);
		if (first) {
			const { hole, why } = whyTwice(first, executed);
			this.add(hole, `${work}: executed twice, ${why}`);
		}
		this.checkGuards(by, executed);
	}

	private executionsOf(work: string | undefined): Array<Executed<RunRecord>> {
		return this.ledger.executed.filter(
			({ by, request }) => by.works.get(tagOf(request.path, request.body)) === work,
		);
	}

	private checkGuards(by: RunRecord, executed: Executed<RunRecord>): void {
		const { maximumAmount, maximumTotal, maximumTransfers, onlyInEnvironment, kind } = by.setup;
		if (!movesMoney(by)) return;
		const amount = amountOf(executed);
		if (maximumAmount !== undefined && amount > maximumAmount) {
			this.add('guard', `${amount} was sent above Maximum Amount ${maximumAmount}`);
		}
		const host = TARGETS.find((target) => target.host === executed.request.host);
		if (onlyInEnvironment && host?.environment !== onlyInEnvironment) {
			this.add('guard', `sent to ${host?.environment}, only allowed in ${onlyInEnvironment}`);
		}
		const together = this.ledger.executed.filter(
			(other) =>
				by.execution.continues(other.by.execution) &&
				other.by.nodeName === by.nodeName &&
				movesMoney(other.by) &&
				(by.isTool || other.by.items[0]?.round === by.items[0]?.round),
		);
		const total = together.reduce((sum, other) => sum + amountOf(other), 0);
		if (maximumTotal !== undefined && total > maximumTotal + 1e-9) {
			this.add('guard', `${total} was sent above Maximum Total ${maximumTotal}`);
		}
		if (maximumTransfers !== undefined && together.length > maximumTransfers) {
			this.add('guard', `${together.length} transfers, Maximum Transfers is ${maximumTransfers}`);
		}
		const same = together.filter(
			(other) => kind === 'sweep' && other.request.path === executed.request.path,
		);
		if (same.length > 1 && same.some((other) => other.by === by && other !== executed)) {
			this.add('4', `${executed.request.path} swept ${same.length} times above one floor`);
		}
	}

	/** @param stopped after Stop, n8n shows what there is */
	told(by: RunRecord, result: Result, stopped: boolean): void {
		const text = textOf(result);
		if (/is not a function|Cannot read prop|undefined \(reading/.test(text)) {
			throw new Error(`The model does not provide what the node needs: ${text}`);
		}
		for (const told of readTold(result, by.items.length)) this.checkTold(by, told);
		this.countAnswers(by, result);
		if ('items' in result && !stopped) this.checkDryRun(by, result);
		if (!('items' in result)) by.execution.doubts.push(`refused: ${text}`);
	}

	private checkTold(by: RunRecord, told: Told): void {
		const item = by.items[told.index];
		if (item === undefined || told.outcome === 'dry run') return;
		const work = by.works.get(item.tag)!;
		const executed = this.executionsOf(work);
		const known = executed.filter((entry) => by.execution.continues(entry.by.execution));
		const shown = told.json === undefined ? undefined : { by, json: told.json };
		if (told.outcome === 'success') return this.checkSuccess(by, item, work, told.json ?? {});
		if (told.outcome === 'accepted' && executed.length === 0) {
			this.add('5', `${work}: told to be accepted, never executed`);
		}
		if ((told.outcome === 'not_sent' || told.outcome === 'rejected') && known.length > 0) {
			this.add(
				known.some((entry) => entry.by.execution.status === 'crashed') ? '5 after a crash' : '5',
				`${work}: told to be ${told.outcome}, but was executed`,
			);
		} else if (shown && known.length > 0 && !known.some((entry) => isLike(entry, shown))) {
			this.add('5', `${work}: told to be ${told.outcome} with values that were never sent`);
		}
	}

	/** Its output is shown as done: then this very work was done, where the credential points to. */
	private checkSuccess(
		by: RunRecord,
		item: Item,
		work: string,
		json: Record<string, unknown>,
	): void {
		const key = ownKey(by.setup, item, { ...by, date: by.at });
		const isHere = (entry: Executed<RunRecord>) =>
			entry.request.host === by.target.host && entry.request.company === by.target.company;
		const own = this.executionsOf(work);
		const underKey =
			key === undefined ? [] : this.ledger.executed.filter((entry) => entry.request.key === key);
		const shown = { by, json };
		if ([...own, ...underKey].some((entry) => isHere(entry) && isLike(entry, shown))) return;
		if (own.length > 0 && !own.some(isHere)) {
			return this.add('6', `${work}: shown as done at ${nameOf(by.target)}, was done elsewhere`);
		}
		// What another execution has done under this key, nobody can know here.
		const isKnown = (entry: Executed<RunRecord>) => by.execution.continues(entry.by.execution);
		if (underKey.length > 0 && !underKey.some(isKnown) && own.length === 0) return;
		if (by.isTool && key !== undefined && underKey.length === 0) {
			return this.add('9', `${work}: told to be done, but ${key} was never paid`);
		}
		if (underKey.some(isKnown)) {
			return this.add('7', `${work}: shown as done with values that were never sent under ${key}`);
		}
		this.add('other', `${work}: shown as done, but was not: ${JSON.stringify(json)}`);
	}

	private countAnswers(by: RunRecord, result: Result): void {
		if (!by.isTool || movesMoney(by)) return;
		const isUnknown = !('items' in result) && /may have been executed|unknown/.test(textOf(result));
		if (isUnknown) return;
		const place = stateOf(by.execution, by.items[0]!);
		this.answers.set(place, (this.answers.get(place) ?? 0) + 1);
	}

	/** n8n takes the Retry button away from an execution whose retry went well. */
	private checkDryRun(by: RunRecord, { items }: Extract<Result, { items: unknown }>): void {
		if (!by.setup.dryRun || by.isTool || items.some(({ json }) => json.error !== undefined)) return;
		const hasSent = this.ledger.executed.some(
			(entry) =>
				entry.by.execution !== by.execution &&
				by.execution.continues(entry.by.execution) &&
				entry.by.execution.status !== 'crashed' &&
				entry.by.nodeName === by.nodeName,
		);
		if (hasSent)
			this.add('8', 'a dry run in the retry of an execution that has sent something went well');
	}

	/** An execution in which nothing happened that would forbid it can be continued. */
	afterExecution(execution: Execution, hadIncidents: boolean): void {
		void execution;
		void hadIncidents;
	}

	private add(hole: string, what: string): void {
		this.violations.push({ hole, what });
	}
}

const hours = (ms: number) => `${Math.round(ms / 360_000) / 10} h`;
const nameOf = ({ host, apiKey }: Target) => `${host} (${apiKey})`;
const stateOf = (execution: Execution, item: Item) => `${execution.root.id}/${item.tag}`;

export function movesMoney({ setup: { kind } }: Pick<NodeRun, 'setup'>): boolean {
	return kind === undefined || kind === 'transfer' || kind === 'sweep';
}

const amountOf = ({ request }: Pick<Executed<unknown>, 'request'>): number =>
	Number((JSON.parse(request.body || '{}') as { amount?: number }).amount ?? 0);

/** Whether the output shows what was executed. */
function isLike(
	entry: Executed<RunRecord>,
	{ by, json }: { by: RunRecord; json: Record<string, unknown> },
): boolean {
	const { path, body } = entry.request;
	if (movesMoney(by)) {
		const { to } = JSON.parse(body || '{}') as { to?: string };
		const isAmount = json.amount === undefined || Number(json.amount) === amountOf(entry);
		return isAmount && (json.to === undefined || json.to === to);
	}
	if (by.setup.kind === 'request') return json.received === undefined || json.received === path;
	return json.card_id === undefined || path.includes(String(json.card_id));
}
