import type { Fault, WorldSettings } from './history.mts';

/** Where requests go, and whose money it is there. */
export interface Target {
	host: string;
	environment: 'sandbox' | 'production';
	apiKey: string;
	company: string;
}

/** What the credential may be set to. 2 is another key of the same company, 3 the key of another. */
export const TARGETS: Target[] = [
	{ host: 'sandbox.test', environment: 'sandbox', apiKey: 'sandbox-key', company: 'own' },
	{ host: 'production.test', environment: 'production', apiKey: 'production-key', company: 'own' },
	{ host: 'sandbox.test', environment: 'sandbox', apiKey: 'rotated-key', company: 'own' },
	{ host: 'sandbox.test', environment: 'sandbox', apiKey: 'foreign-key', company: 'other' },
];

export interface WireRequest {
	host: string;
	apiKey: string;
	company: string;
	method: string;
	path: string;
	body: string;
	key: string | undefined;
}

/** Something that the service did. */
export interface Executed<By> {
	id: number;
	at: number;
	request: WireRequest;
	/** Whose request it was. */
	by: By;
}

export type Answer =
	| { status: number; json: unknown }
	| { code: 'ECONNRESET' | 'ECONNABORTED' | 'ECONNREFUSED' };

interface Kept {
	at: number;
	text: string;
	answer: Answer;
}

/** The service, as §1.6 describes it; what §1.6 leaves open is a setting. */
export class Ledger<By> {
	readonly executed: Array<Executed<By>> = [];
	private readonly kept = new Map<string, Kept>();

	constructor(
		private readonly settings: WorldSettings,
		private readonly now: () => number,
	) {}

	answer(request: WireRequest, by: By, fault: Fault | undefined): Answer {
		const { kind = 'lost', after = false } = fault ?? {};
		if (fault === undefined) return this.execute(request, by, 200);
		if (kind === '302') return this.execute(request, by, 302);
		if (kind === '404') return this.reject(request);
		if (after && kind !== 'refused' && kind !== '429') this.execute(request, by, 200);
		if (kind === 'lost') return { code: 'ECONNRESET' };
		if (kind === 'timeout') return { code: 'ECONNABORTED' };
		if (kind === 'refused') return { code: 'ECONNREFUSED' };
		return { status: Number(kind), json: { code: 'ERR', message: 'as the history says' } };
	}

	private execute(request: WireRequest, by: By, status: 200 | 302): Answer {
		const text = `${request.method} ${request.path} ${request.body}`;
		const first = this.recall(request);
		if (first) {
			const isOther = first.text !== text && this.settings.conflicts === true;
			return isOther
				? { status: 409, json: { code: 'VAL', message: 'other request' } }
				: first.answer;
		}
		const id = this.executed.length + 1;
		this.executed.push({ id, at: this.now(), request, by });
		const answer: Answer =
			status === 302
				? { status, json: { code: 'WARNING', message: 'pending' } }
				: {
						status,
						json: { transaction_hash: `0x${id}`, status: 'SUCCESS', received: request.path },
					};
		this.keep(request, text, answer);
		return answer;
	}

	private reject(request: WireRequest): Answer {
		const first = this.recall(request);
		if (first) return first.answer;
		const answer: Answer = { status: 404, json: { code: 'NF', message: 'as the history says' } };
		const text = `${request.method} ${request.path} ${request.body}`;
		if (this.settings.keepsRejections === true) this.keep(request, text, answer);
		return answer;
	}

	private recall(request: WireRequest): Kept | undefined {
		if (request.key === undefined) return undefined;
		const { windowHours } = this.settings;
		const found = this.kept.get(placeOf(request));
		const isForgotten =
			windowHours !== undefined && found && this.now() - found.at >= windowHours * 3_600_000;
		return isForgotten ? undefined : found;
	}

	private keep(request: WireRequest, text: string, answer: Answer): void {
		if (request.key === undefined) return;
		this.kept.set(placeOf(request), { at: this.now(), text, answer });
	}
}

/** Keys belong to the company. */
const placeOf = ({ host, company, key }: WireRequest) => `${host} ${company} ${key}`;
