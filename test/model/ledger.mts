import type { RunRecord } from './checks.mts';
import type { Fault, WorldSettings } from './history.mts';

/** Service that requests go to, and the company whose key they carry. */
export interface Target {
	host: string;
	environment: 'sandbox' | 'production';
	apiKey: string;
	/** True for the key of another company, which does not have the wallets. */
	isForeign?: boolean;
}

/**
 * Targets that the credential can have. 2 is another key of the same company, 3 is the key of another company, 4 is the
 * first one with the other *Environment*.
 */
export const TARGETS: Target[] = [
	{ host: 'sandbox.test', environment: 'sandbox', apiKey: 'sandbox-key' },
	{ host: 'production.test', environment: 'production', apiKey: 'production-key' },
	{ host: 'sandbox.test', environment: 'sandbox', apiKey: 'rotated-key' },
	{ host: 'sandbox.test', environment: 'sandbox', apiKey: 'foreign-key', isForeign: true },
	{ host: 'sandbox.test', environment: 'production', apiKey: 'sandbox-key' },
];

export interface WireRequest {
	target: Target;
	path: string;
	body: string;
	key: string | undefined;
}

/** Request that the service executed. */
export interface Executed {
	at: number;
	request: WireRequest;
	status: 'SUCCESS' | 'FAILED';
	/** Sender of the request. */
	by: RunRecord;
}

export type Answer =
	| { status: number; json: unknown }
	| { code: 'ECONNRESET' | 'ECONNABORTED' | 'ECONNREFUSED' };

interface Kept {
	at: number;
	answer: Answer;
}

const LATE_MS = 20 * 60_000;

/** Service as §1.6 describes it. Details that §1.6 leaves open are settings. */
export class Ledger {
	readonly executed: Executed[] = [];
	/** Requests that the service will execute later. */
	late: Array<{ at: number; request: WireRequest; by: RunRecord }> = [];
	private readonly kept = new Map<string, Kept>();
	private readonly rememberedMs: number;

	constructor(
		private readonly settings: WorldSettings,
		private readonly now: () => number,
		private readonly onExecuted: (entry: Executed) => void,
	) {
		this.rememberedMs = (settings.windowHours ?? Infinity) * 3_600_000;
	}

	answer(request: WireRequest, by: RunRecord, fault: Fault | undefined): Answer {
		this.catchUp();
		const { kind = 'lost', after = false } = fault ?? {};
		if (request.target.isForeign || kind === '404') return this.reject(request);
		if (fault === undefined || kind === '302' || kind === 'FAILED')
			return this.execute(request, by, fault && kind);
		if (kind === 'late') this.late.push({ at: this.now() + LATE_MS, request, by });
		else if (after && kind !== 'refused' && kind !== '429') this.execute(request, by);
		if (kind === 'lost') return { code: 'ECONNRESET' };
		if (kind === 'timeout' || kind === 'late') return { code: 'ECONNABORTED' };
		if (kind === 'refused') return { code: 'ECONNREFUSED' };
		return { status: Number(kind), json: { code: 'ERR', message: 'as the history says' } };
	}

	/** Executes the late requests that are due. */
	catchUp(): void {
		const due = this.late.filter(({ at }) => at <= this.now());
		this.late = this.late.filter((one) => !due.includes(one));
		for (const { at, request, by } of due) this.execute(request, by, undefined, at);
	}

	private execute(request: WireRequest, by: RunRecord, as?: string, at = this.now()): Answer {
		const first = this.recall(request, at);
		if (first) return first.answer;
		const status = as === 'FAILED' ? 'FAILED' : 'SUCCESS';
		const entry = { at, request, status, by } as const;
		this.executed.push(entry);
		const transaction_hash = `0x${this.executed.length}`;
		const answer: Answer =
			as === '302'
				? { status: 302, json: { code: 'WARNING', message: 'pending' } }
				: { status: 200, json: { transaction_hash, status, received: request.path } };
		this.keep(request, answer, at);
		this.onExecuted(entry);
		return answer;
	}

	private reject(request: WireRequest): Answer {
		const first = this.recall(request);
		if (first) return first.answer;
		const answer: Answer = { status: 404, json: { code: 'NF', message: 'as the history says' } };
		if (this.settings.keepsRejections === true) this.keep(request, answer);
		return answer;
	}

	private recall(request: WireRequest, at = this.now()): Kept | undefined {
		const found = this.kept.get(this.placeOf(request));
		return found && at - found.at < this.rememberedMs ? found : undefined;
	}

	private keep(request: WireRequest, answer: Answer, at = this.now()): void {
		if (request.key !== undefined) this.kept.set(this.placeOf(request), { at, answer });
	}

	/** Name of a stored key. Keys are separate per company, or per API key. */
	private placeOf({ target: { host, isForeign, apiKey }, key }: WireRequest): string {
		const owner = this.settings.keysPerApiKey ? apiKey : String(isForeign === true);
		return key === undefined ? '' : `${host} ${owner} ${key}`;
	}
}
