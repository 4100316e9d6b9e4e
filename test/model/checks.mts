import { checkContinued } from './checkContinued.mts';
import { checkExecuted, checkSent } from './checkSent.mts';
import { checkDryRun, checkTold } from './checkTold.mts';
import { Evidence, type Entry, type RunRecord, type Sent } from './evidence.mts';
import type { Execution } from './execution.mts';
import type { NodeRun } from './fakeN8n.mts';
import { TARGETS, type Ledger, type Target, type WireRequest } from './ledger.mts';
import { tagOf } from './parameters.mts';
import { readTold, textOf, type Result } from './told.mts';
import { Works } from './works.mts';

/** Is told everything that is sent, executed and said, and looks at it at once. */
export class Checks {
	readonly evidence: Evidence;
	private readonly works = new Works();

	constructor(ledger: Ledger<RunRecord>, promisedHours: number) {
		this.evidence = new Evidence(ledger, promisedHours * 3_600_000);
	}

	begin(execution: Execution, run: NodeRun, target: Target, at: number): RunRecord {
		const works = new Map(
			run.items.map((item) => [item.tag, this.works.nameOf(execution, run, item, at)]),
		);
		const record = { ...run, execution, target, at, works, sent: 0, hasRead: false };
		this.evidence.runs.push(record);
		return record;
	}

	/** The credential that a run has read first is that of the run. */
	readsCredential(by: RunRecord, target: Target): void {
		if (!by.hasRead) by.target = target;
		by.hasRead = true;
	}

	sends(by: RunRecord, request: WireRequest, at: number): Sent {
		by.sent += 1;
		const work = by.works.get(tagOf(request.path, request.body)) ?? '';
		const { host, apiKey, key } = request;
		const target = TARGETS.find((known) => known.host === host && known.apiKey === apiKey);
		const sent: Sent = { work, by, at, key, target };
		checkSent(this.evidence, sent, request.path);
		this.evidence.requests.push(sent);
		return sent;
	}

	executes(by: RunRecord, entry: Entry): void {
		checkExecuted(this.evidence, by, entry);
	}

	/** @param stopped after Stop, n8n shows what there is */
	tells(by: RunRecord, result: Result, at: number, stopped: boolean): void {
		by.text = textOf(result);
		by.toldAt = at;
		if (/is not a function|Cannot read prop|undefined \(reading/.test(by.text)) {
			throw new Error(`The model does not provide what the node needs: ${by.text}`);
		}
		const { evidence } = this;
		for (const told of readTold(result, by.items.length)) checkTold(evidence, by, told);
		const isError = !('items' in result);
		if (!isError || !/may have been executed|unknown/.test(by.text)) {
			this.works.answered(by.execution, by);
		}
		if (isError || stopped || result.items.some(({ json }) => json.error !== undefined)) return;
		const wrong = checkDryRun(evidence, by);
		if (wrong !== undefined) evidence.add('8', wrong);
	}

	/** @param at when it was over */
	ends(execution: Execution, at: number): void {
		checkContinued(this.evidence, execution, at);
	}
}
