import type { Notes } from '../harness/notes.mts';
import type { Execution } from './engine.mts';
import { nodeIdOf, type NodeRun } from './fakeN8n.mts';
import type { WorldSettings } from './history.mts';
import type { Executed, Ledger, Target } from './ledger.mts';
import { amountOf, isBad, movesMoney, pathOf, referenceOf, valuesOf } from './parameters.mts';
import { readTold, textOf, type Result, type Told } from './told.mts';

/** Payment that an item of a run requests. */
interface Fact {
	/** Same for an item in all tries and retries, and for equal payments of an agent. */
	place: string;
	/** Place in the execution's journal, shared by copies of a node and by an agent's tools. */
	entry: string;
	/** Undefined if nothing names the write. */
	reference?: string;
	/** Values of the payment, as in the request. */
	values: string;
	path: string;
	isBad: boolean;
	key?: string;
}

/** One execute() of the node, with the payments that it was given. */
export interface RunRecord extends NodeRun {
	label: string;
	execution: Execution;
	attempt: number;
	/** Name of its row of notes. */
	memory: string;
	/** Target of the credential; undefined until it is read. */
	target?: Target;
	facts: Fact[];
	/** True if n8n, the credential or users interfere. */
	isDisturbed: boolean;
	/** True if other runs take place at the same time. */
	overlaps: boolean;
	/** True between recording and removing notes. */
	isInMemory: boolean;
	isTold: boolean;
}

/** Request that left n8n. `became`: outcome that its reply proves. `free`: not executed. */
interface Sent {
	by: RunRecord;
	fact: Fact;
	at: number;
	target?: Target;
	became: 'open' | 'free' | 'accepted' | 'failed';
}

/** Broken promise. `hole`: its name in README.md. */
export interface Violation {
	hole: string;
	what: string;
}

/** Longest time from the start of a run to its last re-send. */
const TOLERANCE_MS = 5 * 60_000;

/** Checks everything that is sent, executed and reported, at once. */
export class Checks {
	readonly violations: Violation[] = [];
	readonly lines: string[] = [];
	readonly sent: Sent[] = [];
	/** Number of items that had to be sent, or to be recognized as accepted. */
	expected = 0;
	private readonly runs: RunRecord[] = [];
	private readonly running = new Set<RunRecord>();
	private hasCrashed = false;
	/** True if the notes may differ from what happened. */
	private isTainted = false;
	private readonly promisedMs: number;
	/** True if the user entered a longer window than the service has. */
	private readonly isWindowWrong: boolean;

	constructor(
		private readonly settings: WorldSettings,
		private readonly ledger: Ledger,
		private readonly notes: Notes,
		private readonly now: () => number,
	) {
		const { promisedHours = 0, windowHours = Infinity } = settings;
		this.promisedMs = promisedHours * 3_600_000;
		this.isWindowWrong = promisedHours > windowHours;
	}

	log(line: string): void {
		this.lines.push(line);
		if (/database fails/.test(line)) this.isTainted = true;
	}

	begin(execution: Execution, run: NodeRun, attempt: number, isDisturbed: boolean): RunRecord {
		const memory = nodeIdOf(run);
		const start = `${execution.root.id} ${run.data.establishedAt} ${memory}`;
		const facts = run.items.map((item): Fact => {
			const values = valuesOf(run.setup, item);
			const reference = referenceOf(run.setup, item, run.data);
			const place = `${start} ${run.isTool ? values : item.name}`;
			const path = pathOf(run.setup, item);
			const entry = `${execution.root.id} ${run.isTool ? values : `${run.nodeName} ${item.name}`}`;
			return { place, entry, reference, values, path, isBad: isBad(run.setup, item) };
		});
		const record: RunRecord = {
			...run,
			label: `#${execution.id} ${run.nodeName}`,
			execution,
			attempt,
			memory,
			facts,
			isDisturbed,
			overlaps: this.running.size > 0,
			isInMemory: false,
			isTold: false,
		};
		for (const other of this.running) other.overlaps = true;
		this.runs.push(record);
		this.running.add(record);
		return record;
	}

	crashed(): void {
		this.hasCrashed = true;
		if ([...this.running].some(({ isInMemory }) => isInMemory)) this.isTainted = true;
		this.running.clear();
		this.log('n8n is killed');
	}

	sends(
		by: RunRecord,
		path: string,
		body: string,
		key: string | undefined,
		target: Target | undefined,
	): Sent {
		const { amount } = JSON.parse(body) as { amount: number };
		const asked = by.facts.filter(({ values }) => values === `${path} ${amount}`);
		// The key distinguishes equal payments under two references.
		const known = this.sent.find((one) => key !== undefined && one.fact.key === key)?.fact;
		const fact =
			asked.find(({ reference }) => known && reference === known.reference) ??
			asked.find(
				(one) =>
					!one.isBad &&
					(one.key ?? key) === key &&
					(asked.length === 1 || !this.sent.some((other) => isSamePayment(other, one, target))),
			);
		if (!fact) {
			this.add('other', `${path} ${body} was sent, though not asked for`);
			return { by, fact: by.facts[0]!, at: this.now(), became: 'open' };
		}
		fact.key = key;
		const sent: Sent = { by, fact, at: this.now(), target, became: 'open' };
		if (target === undefined) this.add('credential', `a key went to the other service, ${path}`);
		if (by.setup.dryRun) this.add('dry run', `a dry run sent ${path}`);
		if (!this.isForgetful(by)) this.checkSent(sent);
		this.sent.push(sent);
		return sent;
	}

	/** Checks that only a retry within the window re-sends an open payment, and that an item keeps its reference. */
	private checkSent({ by, fact, at, target }: Sent): void {
		const { place, reference, values } = fact;
		const name = `${values} (${reference})`;
		const others = this.sent.filter((one) => one.by !== by && one.by.memory === by.memory);
		const earlier = others.filter((one) => one.fact.place === place);
		const isAgain = by.mode === 'retry' || by.attempt > 1;
		// An agent may make equal payments under two references.
		const isNamedBefore =
			by.isTool &&
			this.runs.some(
				(run) =>
					run !== by && run.facts.some((one) => one.place === place && one.reference === reference),
			);
		if (reference === undefined) {
			const isSent = this.settings.shifts
				? this.hasSentAll(by, values)
				: earlier.some(({ became }) => became !== 'free');
			if (isSent && (isAgain || by.isTool)) this.add('unkeyed', `${name} was sent twice`);
			return;
		}
		const isOther = (one: Sent) =>
			one.became !== 'free' && (one.fact.reference !== reference || one.target !== target);
		if (isAgain && !this.settings.shifts && !isNamedBefore && earlier.some(isOther))
			this.add('place', `${name} was sent before under another reference or credential`);
		const same = others.filter((one) => isSamePayment(one, fact, target));
		// Requests before an accepted one are settled.
		const settled = same.findLastIndex(({ became }) => became === 'accepted');
		const open = same.slice(settled + 1).filter(({ became }) => became === 'open');
		const isOwn = open.every((one) => isSameStart(one.by, by));
		if (!isOwn) this.add('elsewhere', `${name} is open in another execution, and was sent again`);
		else if (open.length > 0 && at - by.data.establishedAt >= this.promisedMs + TOLERANCE_MS)
			this.add('window', `${name} is open, and was sent again after the window`);
	}

	/** True if the node has sent as many equal writes in this execution as its items request. */
	private hasSentAll(by: RunRecord, values: string): boolean {
		const isSame = (run: RunRecord) => run.memory === by.memory && isSameStart(run, by);
		const sent = this.sent.filter(
			(one) =>
				one.by !== by && isSame(one.by) && one.fact.values === values && one.became !== 'free',
		);
		const given = new Map<unknown, Set<string>>();
		for (const { execution, facts } of this.runs.filter(isSame)) {
			const places = given.get(execution) ?? new Set();
			given.set(execution, places);
			for (const fact of facts) if (fact.values === values) places.add(fact.place);
		}
		return sent.length >= Math.max(...[...given.values()].map(({ size }) => size));
	}

	/** Checks that each payment is executed once, and within the guards. */
	executes(entry: Executed): void {
		const { by, request, at } = entry;
		const fact = this.factOf(entry);
		const { reference, values, place } = fact;
		this.log(`the service executes ${values} (${reference})`);
		const name = `${values} (${reference})`;
		for (const other of this.ledger.executed) {
			if (other === entry) continue;
			const before = this.factOf(other);
			const isHere = other.request.target.host === request.target.host;
			const isOneMemory = other.by.memory === by.memory;
			const forgets = this.isForgetful(by) || this.isForgetful(other.by);
			const isNamed = isHere && reference !== undefined && before.reference === reference;
			if (isNamed && before.values === values) {
				const isOwnWrongWindow = this.isWindowWrong && isSameStart(other.by, by);
				const isKept = at - other.at < (this.settings.windowHours ?? Infinity) * 3_600_000;
				if (isKept || (isOneMemory && !forgets && !isOwnWrongWindow))
					this.add('twice', `${name} was executed twice`);
			} else if (isNamed && isOneMemory && !forgets) {
				this.add('two payments', `${name} and ${before.values} were executed`);
			} else if (before.place === place && !by.isTool && !forgets && !this.settings.shifts) {
				this.add('place', `${name} was executed before as ${before.values} (${before.reference})`);
			}
		}
		if (movesMoney(by.setup) && !this.isForgetful(by)) this.checkGuards(entry);
	}

	private checkGuards(entry: Executed): void {
		const { by, request } = entry;
		const { maximumAmount, maximumTotal, maximumTransfers, onlyInEnvironment } = by.setup;
		const amount = amountIn(entry);
		if (maximumAmount !== undefined && amount > maximumAmount)
			this.add('guard', `${amount} was sent, Maximum Amount is ${maximumAmount}`);
		if (onlyInEnvironment && request.target.environment !== onlyInEnvironment)
			this.add('guard', `sent to ${request.target.environment}, not to ${onlyInEnvironment}`);
		const together = this.ledger.executed.filter(
			(other) =>
				other.status !== 'FAILED' &&
				movesMoney(other.by.setup) &&
				isSameStart(by, other.by) &&
				// A copy of the node has no record of the node's writes.
				other.by.memory === by.memory &&
				// A crash loses the record of an agent's calls, and another retry has its own. After a change of the credential,
				// equal calls count once.
				(by.isTool
					? continues(by.execution, other.by.execution) &&
						other.by.execution.status !== 'crashed' &&
						other.request.target.host === request.target.host
					: roundOf(other.by) === roundOf(by)),
		);
		const total = together.reduce((sum, other) => sum + amountIn(other), 0);
		if (maximumTotal !== undefined && total > maximumTotal)
			this.add('guard', `${total} was sent, Maximum Total is ${maximumTotal}`);
		if (maximumTransfers !== undefined && together.length > maximumTransfers)
			this.add('guard', `${together.length} transfers, Maximum Transfers is ${maximumTransfers}`);
	}

	/** @param stopped true after Stop, when n8n shows only some items */
	tells(by: RunRecord, result: Result, stopped: boolean): void {
		this.running.delete(by);
		by.isTold = true;
		const text = textOf(result);
		if (/is not a function|Cannot read prop|undefined \(reading/.test(text))
			throw new Error(`The model does not provide what the node needs: ${text}`);
		const told = readTold(result, by.items.length);
		for (const one of told) this.checkTold(by, one);
		const isError = !('items' in result);
		if (isError) this.log(`${by.label} ends: ${text.replaceAll('\n', ' ')}`);
		if (!stopped) for (const index of by.facts.keys()) this.checkProgress(by, index, told);
		if (isError || stopped || result.items.some(({ json }) => json.error !== undefined)) return;
		if (by.setup.dryRun && by.mode === 'retry' && !by.isTool && this.hasSentBefore(by))
			this.add('dry run', 'one in the retry of an execution that has sent something went well');
	}

	/** Checks that a report agrees with the ledger. */
	private checkTold(by: RunRecord, { index, outcome, json = {} }: Told): void {
		const fact = by.facts[index];
		if (!fact || outcome === 'dry run') return;
		const { place, reference, values } = fact;
		const name = `${values} (${reference})`;
		this.log(`${by.label} item ${index} ${name} is told ${outcome} ${String(json.status ?? '')}`);
		// An agent's call that could not be read does not identify an earlier write.
		if (by.isTool && by.target === undefined) return;
		const isThis = (one: { by: RunRecord; fact: Fact }) =>
			one.fact.place === place && (!by.isTool || (one.fact.reference === reference && !fact.isBad));
		const done = this.done.filter(isThis);
		if (outcome === 'success') {
			const named = this.done.filter((one) =>
				reference === undefined
					? one.fact.values === values && one.by.execution.root === by.execution.root
					: isSameName(one, by, fact),
			);
			const isTrue = named.some(
				({ entry }) =>
					(entry.status === 'SUCCESS' || !movesMoney(by.setup)) && isShown(entry, json, by),
			);
			// After a failed removal and an eviction, the remaining notes look like those of an accepted payment.
			const isMisled = this.isForgetful(by) && this.isTainted && json.status === 'ALREADY_SENT';
			if (!isTrue && !isMisled && json.status !== 'NOTHING_TO_SEND')
				this.add('told', `${name} is shown as done: ${JSON.stringify(json)}`);
			return;
		}
		if (this.isForgetful(by) || this.settings.shifts) return;
		if (outcome === 'accepted' || outcome === 'failed') {
			// For Once per Day, the name is enough.
			const isPayment = (one: Named) =>
				by.setup.naming === 'day' ? isSameName(one, by, fact) : isSamePayment(one, fact, by.target);
			const known = this.done.filter(
				(one) => isThis(one) || isPayment(one) || one.fact.entry === fact.entry,
			);
			const isFailed = outcome === 'failed';
			// The service may have returned the result of another node's write.
			const isAnswered = this.sent.some(
				(one) => one.fact.entry === fact.entry && one.became === (isFailed ? 'failed' : 'accepted'),
			);
			const isDone = ({ entry }: { entry: Executed }) =>
				isFailed === (entry.status === 'FAILED') || !movesMoney(by.setup);
			// A key that the user entered can also be another node's. The service then returns the result of that node's
			// write.
			const isSharedKey =
				by.setup.kind === 'keyed request' &&
				this.done.some((one) => one.fact.key === reference && one.by.memory !== by.memory);
			if (!isAnswered && !isSharedKey && !known.some(isDone))
				this.add('told', `${name} is told ${outcome}, but was not`);
		} else if (outcome === 'not_sent' || outcome === 'rejected') {
			const late = this.ledger.late.map((one) => ({ by: one.by, fact: this.factOf(one) }));
			if (done.length > 0 || late.some(isThis))
				this.add('told', `${name} is told ${outcome}, but was executed`);
		} else if (!this.hasCrashed && !this.isTainted && !by.overlaps) {
			const isOpen = this.sent.some(
				(one) =>
					!this.isFree(one) &&
					(one.fact.entry === fact.entry ||
						(one.by.memory === by.memory && isSamePayment(one, fact, by.target))),
			);
			if (!isOpen) this.add('told', `${name} is told unknown, but nothing was sent`);
		}
	}

	/**
	 * Checks that, without interference, a new or rejected payment is sent, an open one is settled, and an accepted one
	 * is recognized.
	 */
	private checkProgress(by: RunRecord, index: number, told: Told[]): void {
		const fact = by.facts[index]!;
		const { reference, values } = fact;
		const { continueOnFail, dryRun, naming } = by.setup;
		const isHindered =
			by.isDisturbed ||
			by.overlaps ||
			this.isTainted ||
			this.isForgetful(by) ||
			this.settings.shifts === true ||
			by.target === undefined;
		const isRefused =
			dryRun || fact.isBad || isGuarded(by) || (naming === 'day' && !by.data.establishedAt);
		const isSame = (one: Fact) => one.reference === reference || one.path === fact.path;
		const isAlone = by.facts.filter(isSame).length === 1;
		if (isHindered || isRefused || reference === undefined || !isAlone) return;
		if (!continueOnFail && by.facts.length > 1) return;
		const now = this.sent.filter((one) => one.by === by && one.fact === fact);
		// A crash loses the journal, so only the node's memory is left.
		const before = this.sent.filter(
			(one) =>
				one.by !== by &&
				(one.by.memory === by.memory ||
					(continues(by.execution, one.by.execution) && one.by.execution.status !== 'crashed')),
		);
		const named = before.filter((one) => one.by.memory === by.memory && isSameName(one, by, fact));
		const here = before.filter((one) => one.fact.entry === fact.entry);
		const all = [...named, ...here];
		const name = `${values} (${reference})`;
		if (all.every((one) => this.isFree(one))) {
			if (this.hasCrashed) return;
			this.expected += 1;
			if (now.length === 0) this.add('refused', `${name} was not sent, though nothing forbids it`);
			return;
		}
		const isOne = all.every(
			(one) => one.target === by.target && isSamePayment(one, fact, by.target),
		);
		if (!isOne) return;
		if (all.some(({ became, by: other }) => became === 'accepted' && other.isTold)) {
			this.expected += 1;
			const isKnown = told.some((one) => one.index === index && one.outcome === 'success');
			if (!isKnown || now.length > 0) this.add('refused', `${name} is not known as accepted`);
			return;
		}
		const isOwn = all.every((one) => isSameStart(one.by, by)) && by.mode === 'retry';
		const isOpen = all.every(({ became }) => became === 'open' || became === 'free');
		const age = this.now() - by.data.establishedAt;
		if (!isOwn || !isOpen || age >= this.promisedMs - 2 * TOLERANCE_MS) return;
		this.expected += 1;
		if (now.length === 0) this.add('refused', `${name} is open, and a retry did not send it`);
	}

	/** True if neither the request nor that of another tool of the agent for the same payment may have been executed. */
	private isFree(one: Sent): boolean {
		const isSame = ({ by, fact }: Sent) =>
			by.isTool && fact.entry === one.fact.entry && fact.reference === one.fact.reference;
		return (
			one.became === 'free' && !this.sent.some((other) => isSame(other) && other.became !== 'free')
		);
	}

	private hasSentBefore(by: RunRecord): boolean {
		return this.done.some(
			({ entry: { by: other } }) =>
				other.execution !== by.execution &&
				continues(by.execution, other.execution) &&
				other.nodeName === by.nodeName &&
				other.execution.status !== 'crashed',
		);
	}

	private get done() {
		return this.ledger.executed.map((entry) => ({
			entry,
			by: entry.by,
			fact: this.factOf(entry),
			target: entry.request.target,
		}));
	}

	private factOf({ by, request }: Pick<Executed, 'by' | 'request'>): Fact {
		return by.facts.find(({ path, key }) => path === request.path && key === request.key)!;
	}

	/** True if notes of its row were evicted. */
	private isForgetful({ memory }: RunRecord): boolean {
		return this.notes.evicted.has(memory);
	}

	private add(hole: string, what: string): void {
		this.violations.push({ hole, what });
		this.log(`VIOLATION ${hole}: ${what}`);
	}
}

interface Named {
	fact: Fact;
	target?: Target;
}

const isSameName = (one: Named, by: RunRecord, fact: Fact) =>
	one.target?.host === by.target?.host && one.fact.reference === fact.reference;

const isSamePayment = (one: Named, { reference, values }: Fact, target?: Target) =>
	one.target?.host === target?.host &&
	one.fact.reference === reference &&
	one.fact.values === values;

/** True if both belong to one execution and its retries. */
const isSameStart = (one: RunRecord, other: RunRecord) =>
	one.execution.root === other.execution.root &&
	one.data.establishedAt === other.data.establishedAt &&
	one.data.establishedAt !== 0;

function continues(execution: Execution, other: Execution): boolean {
	for (let one: Execution | undefined = execution; one; one = one.parent)
		if (one === other) return true;
	return false;
}

const roundOf = ({ items }: RunRecord) => items[0]?.name.split('.')[0];

const amountIn = ({ request }: Executed) => (JSON.parse(request.body) as { amount: number }).amount;

/** True if the output has the executed values. */
function isShown(entry: Executed, json: Record<string, unknown>, { setup }: RunRecord): boolean {
	if (!movesMoney(setup))
		return json.received === undefined || json.received === entry.request.path;
	const { to } = JSON.parse(entry.request.body) as { to: string };
	const isAmount = json.amount === null || Number(json.amount) === amountIn(entry);
	return isAmount && json.to === to && entry.request.path.includes(`/${String(json.wallet_id)}/`);
}

/** True if a guard may refuse its payments. */
function isGuarded({ setup, items, target }: RunRecord): boolean {
	const { maximumAmount = Infinity, maximumTotal, maximumTransfers, onlyInEnvironment } = setup;
	return (
		items.some((item) => amountOf(setup, item) > maximumAmount) ||
		maximumTotal !== undefined ||
		maximumTransfers !== undefined ||
		(onlyInEnvironment !== undefined && onlyInEnvironment !== target?.environment)
	);
}
