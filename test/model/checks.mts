import { PARTS } from '../../nodes/CardTreasury/batch/batch.ts';
import type { Notes } from '../harness/notes.mts';
import type { Execution } from './engine.mts';
import { nodeIdOf, type NodeRun } from './fakeN8n.mts';
import type { WorldSettings } from './history.mts';
import type { Process } from './incidents.mts';
import type { Executed, Ledger, Target } from './ledger.mts';
import { openNote, refNote } from './noteNames.mts';
import { amountOf, isBad, movesMoney, pathOf, referenceOf, valuesOf } from './parameters.mts';
import { readReasons, readTold, textOf, type Reason, type Result, type Told } from './told.mts';

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
	/** Beginning of the run. */
	at: number;
	/** n8n process that it ran in. */
	process: Process;
	isTold: boolean;
}

/** Request that left n8n. `became`: outcome that its reply proves. `free`: not executed. */
interface Sent {
	by: RunRecord;
	fact: Fact;
	at: number;
	target?: Target;
	became: 'open' | 'free' | 'accepted' | 'failed';
	/** Time of the reply, or of the error; undefined while it is in flight. */
	answeredAt?: number;
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
	/** Payments that were recorded as open when n8n was killed. `isCertain`: their notes say so. */
	private readonly inFlight: Array<Named & { isCertain: boolean }> = [];
	/** Processes in which a call to the database hangs or is slow, and delays all others. */
	private readonly hanging = new Set<Process>();
	/** Runs in which n8n's database failed, so that notes may differ from what happened. */
	private readonly tainted = new Set<RunRecord>();
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
	}

	databaseFails(by: RunRecord, what: string, isSilent: boolean): void {
		this.tainted.add(by);
		if (isSilent) this.hanging.add(by.process);
		this.log(`${by.label}: the database fails to ${what}`);
	}

	begin(
		execution: Execution,
		run: NodeRun,
		attempt: number,
		{ isDisturbed, process }: { isDisturbed: boolean; process: Process },
	): RunRecord {
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
			at: this.now(),
			process,
			isTold: false,
		};
		for (const other of this.running) other.overlaps = true;
		this.runs.push(record);
		this.running.add(record);
		return record;
	}

	/** Called after a process was killed with all its runs. */
	crashed(process: Process): void {
		this.log('n8n is killed');
		for (const by of [...this.running].filter((run) => run.process === process)) {
			this.running.delete(by);
			const open = by.facts.filter((fact) => this.isRecordedAsOpen(by, fact));
			const isCertain = (fact: Fact) => fact.reference !== undefined && by.setup.naming !== 'day';
			const unsettled = new Set(
				open
					.filter(
						(fact) =>
							isCertain(fact) && !this.hasUnknownOutcome(by, fact) && !this.isTainted(by, fact),
					)
					.map(({ reference }) => reference),
			);
			for (const fact of open)
				this.inFlight.push({ by, fact, target: by.target, isCertain: isCertain(fact) });
			const { partSize = PARTS.size, partsInFlight = PARTS.unsettled } = this.settings;
			const isKnown = !by.isTool && !by.overlaps && !this.isForgetful(by) && !this.tainted.has(by);
			if (isKnown && unsettled.size > partSize * partsInFlight)
				this.add('crash', `${unsettled.size} items were in flight when n8n was killed`);
		}
	}

	/** True if an item's note says so, or if its name is not known here. */
	private isRecordedAsOpen({ memory, target, setup }: RunRecord, { reference }: Fact): boolean {
		if (target === undefined) return false;
		return reference === undefined || setup.naming === 'day'
			? true
			: this.notes.has(memory, openNote(target.host, reference));
	}

	/** True if the outcome was unknown or FAILED before the crash, which is no matter of parts. */
	private hasUnknownOutcome(by: RunRecord, fact: Fact): boolean {
		const isOne = (one: Sent) => one.by.memory === by.memory && isSameName(one, by, fact);
		return (
			this.inFlight.some((one) => one.by.memory === by.memory && isSameName(one, by, fact)) ||
			this.sent.some(
				(one) =>
					isOne(one) &&
					['open', 'failed'].includes(one.became) &&
					(one.by !== by || one.answeredAt !== undefined),
			)
		);
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
		const same = others.filter((one) => isSamePayment(one, fact, target));
		const isAgain = by.mode === 'retry' || by.attempt > 1;
		// An agent may make equal payments under two references.
		const isNamedBefore =
			by.isTool &&
			this.runs.some(
				(run) =>
					run !== by &&
					run.facts.some((one) => one.entry === fact.entry && one.reference === reference),
			);
		if (reference === undefined) {
			const isSent = this.settings.shifts
				? this.hasSentAll(by, values)
				: earlier.some((one) => one.became !== 'free' && !this.isCorrected(by, one));
			if (isSent && (isAgain || by.isTool)) this.add('unkeyed', `${name} was sent twice`);
			return;
		}
		const isOther = (one: Sent) =>
			one.became !== 'free' &&
			(one.fact.reference !== reference || one.target !== target) &&
			!this.isCorrected(by, one);
		const isExcused = this.settings.shifts || isNamedBefore || this.hasEqualCalls(by, place);
		if (isAgain && !isExcused && earlier.some(isOther))
			this.add('place', `${name} was sent before under another reference or credential`);
		if (
			this.wasInFlight(by, fact, true) &&
			// Saved progress keeps the journal.
			!this.settings.savesProgress &&
			!same.some((one) => one.became === 'open' && !isLost(one))
		)
			this.add('elsewhere', `${name} was in flight when n8n was killed, and was sent again`);
		if (!this.settings.savesProgress && same.some((one) => isLost(one) && !one.answeredAt))
			this.add('elsewhere', `${name} was cut off by a crash, and was sent again`);
		// Requests before an accepted one are settled.
		const settled = same.findLastIndex(({ became }) => became === 'accepted');
		// A copy of the node, with notes of its own, has the same journal.
		const inJournal = this.sent.filter(
			(one) =>
				one.by !== by &&
				one.by.memory !== by.memory &&
				one.fact.entry === fact.entry &&
				continues(by.execution, one.by.execution) &&
				!isLost(one) &&
				isSamePayment(one, fact, target),
		);
		const open = [...inJournal, ...same.slice(settled + 1)].filter(
			({ became }) => became === 'open',
		);
		const isOwn = open.every((one) => isSameStart(one.by, by));
		if (!isOwn) this.add('elsewhere', `${name} is open in another execution, and was sent again`);
		else if (open.length > 0 && at - by.data.establishedAt >= this.promisedMs + TOLERANCE_MS)
			this.add('window', `${name} is open, and was sent again after the window`);
	}

	/** True if the agent has made equal calls at the same time, which share their notes. */
	private hasEqualCalls({ isTool, execution: { root } }: RunRecord, place: string): boolean {
		if (!isTool) return false;
		const calls = this.runs.filter(
			({ execution, facts }) =>
				execution.root === root &&
				execution.plan.atOnce &&
				facts.some((one) => one.place === place),
		);
		return calls.some((one) =>
			calls.some((other) => other !== one && other.execution === one.execution),
		);
	}

	/** True if users have changed the references or the target of an execution whose journal is lost. */
	private isCorrected(by: RunRecord, { by: before, target }: Named): boolean {
		const { naming, referenceVersion, only } = by.setup;
		const isEdited = ![
			naming === before.setup.naming,
			referenceVersion === before.setup.referenceVersion,
			only === before.setup.only,
			target?.host === by.target?.host,
		].every(Boolean);
		return isEdited && (this.hasCrashed(by) || this.isForked(by));
	}

	/** True if n8n was killed in its execution or an earlier one of the chain, which loses the journal. */
	private hasCrashed({ execution: { root } }: RunRecord): boolean {
		return this.runs.some(
			({ execution }) => execution.root === root && isLost({ by: { execution } }),
		);
	}

	/** True if an execution of its chain has run that it does not continue. */
	private isForked({ execution }: RunRecord): boolean {
		return this.runs.some(
			(run) => run.execution.root === execution.root && !continues(execution, run.execution),
		);
	}

	/** True if the payment was recorded as open when n8n was killed. */
	private wasInFlight(by: RunRecord, fact: Fact, certainly = false): boolean {
		const isOne = (one: Named) =>
			(!certainly && one.fact.entry === fact.entry) ||
			(one.by.memory === by.memory && isSameName(one, by, fact));
		return this.inFlight.some((one) => isOne(one) && (one.isCertain || !certainly));
	}

	/** True if n8n's database has failed in a run of the payment. */
	private isTainted(by: RunRecord, fact: Fact): boolean {
		return [...this.tainted].some(
			(run) =>
				isSameStart(run, by) ||
				run.facts.some(
					(one) =>
						run.memory === by.memory && isSameName({ fact: one, target: run.target }, by, fact),
				),
		);
	}

	/**
	 * True if this or an earlier part of the execution was sent under other references, so that its retry refuses new
	 * payments of the part.
	 */
	private hasOtherReferences(by: RunRecord, index: number): boolean {
		if (by.mode !== 'retry' || by.facts[index]!.reference === undefined) return false;
		const { partSize = PARTS.size } = this.settings;
		const end = (Math.floor(index / partSize) + 1) * partSize;
		const facts = by.isTool ? [by.facts[index]!] : by.facts.slice(0, end);
		const used = [...this.inFlight, ...this.sent.filter((one) => !this.isFree(one))];
		return facts.some(({ place, reference }) =>
			used.some(
				({ fact, target }) =>
					fact.place === place &&
					(fact.reference !== reference || target?.host !== by.target?.host),
			),
		);
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
			const isOneJournal =
				before.entry === fact.entry &&
				continues(by.execution, other.by.execution) &&
				!isLost(other);
			if (isNamed && before.values === values) {
				const isOwnWrongWindow = this.isWindowWrong && isSameStart(other.by, by);
				const isOneScope =
					!this.settings.keysPerApiKey || other.request.target.apiKey === request.target.apiKey;
				const isKept =
					isOneScope && at - other.at < (this.settings.windowHours ?? Infinity) * 3_600_000;
				if (isKept || (!isOwnWrongWindow && (isOneJournal || (isOneMemory && !forgets))))
					this.add('twice', `${name} was executed twice`);
			} else if (isNamed && isOneMemory && !forgets) {
				this.add('two payments', `${name} and ${before.values} were executed`);
			} else if (
				before.place === place &&
				!by.isTool &&
				!forgets &&
				!this.settings.shifts &&
				!this.isCorrected(by, { by: other.by, fact: before, target: other.request.target })
			) {
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
		if (onlyInEnvironment && by.target?.environment !== onlyInEnvironment)
			this.add('guard', `sent to ${by.target?.environment}, not to ${onlyInEnvironment}`);
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
						!isLost(other) &&
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
		// Its own calls had to wait, and may still take effect after the run.
		if (this.hanging.has(by.process)) this.tainted.add(by);
		const text = textOf(result);
		if (/is not a function|Cannot read prop|undefined \(reading/.test(text))
			throw new Error(`The model does not provide what the node needs: ${text}`);
		const told = readTold(result, by.items.length);
		for (const one of told) this.checkTold(by, one, stopped);
		for (const one of readReasons(result)) this.checkReason(by, one);
		this.checkRecorded(by);
		const isError = !('items' in result);
		if (isError) this.log(`${by.label} ends: ${text.replaceAll('\n', ' ')}`);
		if (!stopped) for (const index of by.facts.keys()) this.checkProgress(by, index, told);
		if (isError || stopped || result.items.some(({ json }) => json.error !== undefined)) return;
		if (by.setup.dryRun && by.mode === 'retry' && !by.isTool && this.hasSentBefore(by))
			this.add('dry run', 'one in the retry of an execution that has sent something went well');
	}

	/** Checks that a report agrees with the ledger. */
	private checkTold(by: RunRecord, { index, outcome, json = {} }: Told, stopped: boolean): void {
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
			// Of two processes that look up another payment under one reference, one sees what the other has recorded.
			const isMisled =
				json.status === 'ALREADY_SENT' &&
				(this.settings.twoProcesses
					? by.overlaps || this.isForgetful(by)
					: this.isForgetful(by) && this.tainted.size > 0);
			if (!isTrue && !isMisled && json.status !== 'NOTHING_TO_SEND')
				this.add('told', `${name} is shown as done: ${JSON.stringify(json)}`);
			return;
		}
		if (outcome !== 'failed' && this.hasFailedBefore(by, fact))
			this.add('told', `${name} came back FAILED before, and is told ${outcome}`);
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
			const late = this.ledger.late.map((one) => ({
				by: one.by,
				fact: this.factOf(one),
				target: one.request.target,
			}));
			// Without the journal, only the memory tells what was sent. It is not asked for an item that cannot be sent.
			const isUnasked = stopped || by.mode !== 'retry' || by.isTool || !this.isSendable(by, index);
			const hasNoJournal = this.hasCrashed(by) || this.isForked(by);
			if (isUnasked && hasNoJournal) return;
			const isElsewhere = ({ target }: Named) =>
				by.isTool && by.overlaps && target?.host !== by.target?.host;
			const isOne = (one: Named) =>
				isThis(one) && !isElsewhere(one) && (!hasNoJournal || isSamePayment(one, fact, by.target));
			if (done.some(isOne) || late.some(isOne))
				this.add('told', `${name} is told ${outcome}, but was executed`);
		} else if (!by.overlaps) {
			const isOpen = this.sent.some(
				(one) =>
					!this.isFree(one) &&
					(one.fact.entry === fact.entry ||
						(one.by.memory === by.memory && isSameName(one, by, fact))),
			);
			const isExcused =
				isOpen ||
				this.wasInFlight(by, fact) ||
				this.isTainted(by, fact) ||
				this.hanging.has(by.process) ||
				this.hasOtherReferences(by, index);
			if (!isExcused) this.add('told', `${name} is told unknown, but nothing was sent`);
		}
	}

	/** Checks that a refusal by the memory gives the true reason: users decide by it what to pay. */
	private checkReason(by: RunRecord, { index, message }: Reason): void {
		const fact = by.facts[index];
		if (!fact || this.isTainted(by, fact) || this.isForgetful(by) || this.settings.shifts) return;
		const name = `${fact.values} (${fact.reference})`;
		// Another process may send it at this moment, and its lock is not seen here.
		const isElsewhere = this.settings.twoProcesses && by.overlaps;
		if (!isElsewhere && message.includes(' was sent before')) {
			const isKnown =
				this.wasInFlight(by, fact) ||
				this.sent.some(
					(one) =>
						// A payment that another run is still sending is said to be in flight.
						(one.at < by.at || (one.by !== by && one.by.isTold)) &&
						(one.fact.entry === fact.entry ||
							(one.by.memory === by.memory && isSameName(one, by, fact))),
				);
			if (!isKnown) this.add('told', `${name} was not sent before this run`);
		}
		if (fact.reference !== undefined && message.includes('has changed since this execution was'))
			if (!this.wasInFlight(by, fact) && !this.hasOtherReferences(by, index))
				this.add('told', `${name} is told to have changed, and has not`);
	}

	/** True if the journal of a retry has the item as FAILED. */
	private hasFailedBefore(by: RunRecord, { place }: Fact): boolean {
		if (
			!movesMoney(by.setup) ||
			by.mode !== 'retry' ||
			by.isTool ||
			this.hasCrashed(by) ||
			this.isForked(by)
		)
			return false;
		const last = this.sent.findLast((one) => one.fact.place === place && one.by !== by);
		return last?.became === 'failed' && continues(by.execution, last.by.execution);
	}

	/** True if neither its values nor the settings of the run refuse the item. */
	private isSendable(by: RunRecord, index: number): boolean {
		const fact = by.facts[index]!;
		const isSame = (one: Fact) => one.reference === fact.reference || one.path === fact.path;
		return (
			by.target !== undefined &&
			!by.setup.dryRun &&
			!fact.isBad &&
			!isGuarded(by) &&
			!(by.setup.naming === 'day' && !by.data.establishedAt) &&
			by.facts.filter(isSame).length === 1
		);
	}

	/** Checks that a payment is remembered, although another process has overwritten its notes while it was sent. */
	private checkRecorded(by: RunRecord): void {
		if (!this.settings.twoProcesses || this.tainted.has(by) || this.notes.evicted.has(by.memory))
			return;
		if (by.setup.naming === 'day' || by.target === undefined) return;
		const { host } = by.target;
		for (const { fact, answeredAt = 0 } of this.sent.filter(
			(one) => one.by === by && one.became === 'accepted',
		)) {
			if (fact.reference === undefined) continue;
			const note = refNote(host, fact.reference);
			// Of two processes that look up one reference at the same moment, one undoes what the other has recorded.
			const isUndone = this.runs.some(
				(run) =>
					run.overlaps &&
					run.process !== by.process &&
					run.memory === by.memory &&
					run.facts.some((one) => one.reference === fact.reference),
			);
			if (isUndone) continue;
			const lostAt = this.notes.lostAt(by.memory, note);
			if (!this.notes.has(by.memory, note) && !(lostAt >= answeredAt))
				this.add(
					'forgotten',
					`${fact.reference} was overwritten while it was sent, and not recorded`,
				);
		}
	}

	/**
	 * Checks that, without interference, a new or rejected payment is sent, an open one is settled, and an accepted one
	 * is recognized.
	 */
	private checkProgress(by: RunRecord, index: number, told: Told[]): void {
		const fact = by.facts[index]!;
		const { reference, values } = fact;
		const isHindered =
			by.isDisturbed ||
			by.overlaps ||
			this.isForgetful(by) ||
			this.settings.shifts === true ||
			this.hanging.has(by.process) ||
			this.isTainted(by, fact);
		if (isHindered || reference === undefined || !this.isSendable(by, index)) return;
		if (!by.setup.continueOnFail && by.facts.length > 1) return;
		const now = this.sent.filter((one) => one.by === by && one.fact === fact);
		// A crash loses the journal, so only the node's memory is left.
		const before = this.sent.filter(
			(one) =>
				one.by !== by &&
				(one.by.memory === by.memory ||
					(continues(by.execution, one.by.execution) && !isLost(one))),
		);
		const named = before.filter((one) => one.by.memory === by.memory && isSameName(one, by, fact));
		const here = before.filter((one) => one.fact.entry === fact.entry);
		const all = [...named, ...here];
		const name = `${values} (${reference})`;
		if (this.wasInFlight(by, fact)) return;
		// A copy of the node has no notes, and whether n8n had saved the journal before the crash is not seen here.
		const mayBeSaved =
			this.settings.savesProgress === true &&
			this.sent.some(
				(one) =>
					one.by.memory !== by.memory &&
					one.fact.entry === fact.entry &&
					continues(by.execution, one.by.execution) &&
					isLost(one),
			);
		if (mayBeSaved) return;
		if (all.every((one) => this.isFree(one))) {
			if (this.hasOtherReferences(by, index)) return;
			this.expected += 1;
			if (now.length === 0) this.add('refused', `${name} was not sent, though nothing forbids it`);
			return;
		}
		if (!all.every((one) => isSamePayment(one, fact, by.target))) return;
		const isOneKey = all.every((one) => one.target === by.target || one.became !== 'open');
		if (isOneKey && all.some(({ became }) => became === 'accepted')) {
			this.expected += 1;
			const isKnown = told.some((one) => one.index === index && one.outcome === 'success');
			if (!isKnown || now.length > 0) this.add('refused', `${name} is not known as accepted`);
			return;
		}
		// The journal has it as this item's only if no crash lies between.
		const isOwn =
			by.mode === 'retry' &&
			isOneKey &&
			all.every(
				(one) =>
					one.fact.entry === fact.entry &&
					one.by.memory === by.memory &&
					continues(by.execution, one.by.execution) &&
					!isLost(one),
			);
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

	/** True if notes of its row were evicted, or overwritten by another process. */
	private isForgetful({ memory }: RunRecord): boolean {
		return this.notes.evicted.has(memory) || this.notes.overwritten.has(memory);
	}

	private add(hole: string, what: string): void {
		this.violations.push({ hole, what });
		this.log(`VIOLATION ${hole}: ${what}`);
	}
}

interface Named {
	by: RunRecord;
	fact: Fact;
	target?: Target;
}

/** True if its execution has lost its journal. */
const isLost = ({ by }: { by: Pick<RunRecord, 'execution'> }) => by.execution.status === 'crashed';

const isSameName = (one: Pick<Named, 'fact' | 'target'>, by: RunRecord, fact: Fact) =>
	one.target?.host === by.target?.host && one.fact.reference === fact.reference;

const isSamePayment = (
	one: Pick<Named, 'fact' | 'target'>,
	{ reference, values }: Fact,
	target?: Target,
) =>
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
