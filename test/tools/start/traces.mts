import { parse } from 'flatted';
import lodash from 'lodash';

import { canonicalAddress } from '../../../nodes/CardTreasury/fields/address.ts';
import { paymentKey } from '../../../nodes/CardTreasury/run/names.ts';
import { canonicalDecimal } from '../../../nodes/shared/decimal.ts';
import { isOpen } from '../../harness/n8n/executions.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import type { RequestedPayment, Trace } from '../../simulator/console/company.mts';
import { inBackground } from './publishedTriggers.mts';

/** n8n shows the end of an execution before it has stored the data. */
const READS = 3;

/** Outcomes of items that their execution did not send. */
const UNSENT = ['dry_run', 'not_sent', 'already_sent'];

/** Most texts of executions that are tried as references. */
const MOST_TEXTS = 5_000;

interface Listed {
	id: string;
	workflowId: string;
	status: string;
}

/** Latest execution of a workflow. */
interface Latest {
	id: string;
	/** Its URL. */
	execution: string;
	status: string;
}

/** What the latest executions of n8n say about events and payments, by trace ID and idempotency key. */
export class Traces {
	private readonly found: Map<string, Trace>;
	/** Texts of items: a run that stopped has no output that names a payment. */
	private readonly texts = new Set<string>();
	/** Number of texts that were tried for a payment. */
	private readonly tried = new Map<string, number>();
	/** How often each execution was read in its current status. */
	private readonly read = new Map<string, number>();
	private readonly latest = new Map<string, Latest>();
	private readonly look = inBackground(async () => await this.readLatest(), 700);

	/** @param service URL, which is part of each payment's key */
	constructor(
		private readonly n8n: N8nAccess,
		private readonly service: string,
		kept: Array<[string, Trace]> = [],
	) {
		this.found = new Map(kept);
	}

	kept = (): Array<[string, Trace]> => [...this.found];

	/** Trace of an event by its trace ID; it is looked up in the background. */
	of(name: string): Trace | undefined {
		this.look();
		return this.found.get(name);
	}

	/** Trace of a payment. Its key proves which text of the executions is its reference, but not of which one. */
	ofPayment({ idempotencyKey: key, path, body }: RequestedPayment): Trace | undefined {
		const found = this.of(key);
		const [, account, wallet] = /^\/mpc\/accounts\/([^/]+)\/wallets\/([^/]+)\//.exec(path) ?? [];
		if (found?.reference || !account || this.tried.get(key) === this.texts.size) return found;
		this.tried.set(key, this.texts.size);
		const { to = '', token_address: token = 'native', amount } = body;
		const of = [
			...[account, wallet!].map(decodeURIComponent),
			...[to, token].map(canonicalAddress),
			canonicalDecimal(String(amount)),
		];
		const { host } = new URL(this.service);
		const reference = [...this.texts].find((text) => paymentKey(host, text, of) === key);
		if (reference !== undefined) this.keep(key, { reference });
		return this.found.get(key);
	}

	/** Latest execution of a workflow: its URL and status. */
	latestOf(workflow: string): Latest | undefined {
		this.look();
		return this.latest.get(workflow);
	}

	private async readLatest(): Promise<void> {
		const { results } = (await this.n8n.rest('GET', '/rest/executions?limit=20')) as {
			results: Listed[];
		};
		// What was open may have ended after more than 20 others.
		const open = [...this.latest.values()].filter(isOpen);
		const ended = open.filter(({ id }) => results.every((listed) => listed.id !== id));
		for (const { id } of ended)
			results.push((await this.n8n.rest('GET', `/rest/executions/${id}`)) as unknown as Listed);
		for (const { id, workflowId, status } of results.reverse()) {
			const times = this.read.get(`${id} ${status}`) ?? 0;
			if (times === READS) continue;
			this.read.set(`${id} ${status}`, times + 1);
			const execution = `${this.n8n.url}/workflow/${workflowId}/executions/${id}`;
			if (Number(id) >= Number(this.latest.get(workflowId)?.id ?? 0))
				this.latest.set(workflowId, { id, execution, status });
			const { data } = await this.n8n.rest('GET', `/rest/executions/${id}`);
			this.collect(parse(String(data)), execution, new Set());
		}
	}

	private collect(value: unknown, execution: string, seen: Set<unknown>): void {
		if (typeof value !== 'object' || value === null || seen.has(value)) return;
		seen.add(value);
		const record = value as Record<string, any>;
		const { idempotency_key: key, payment_reference: reference, delivery, decision } = record;
		if (typeof key === 'string' && !UNSENT.includes(record.outcome))
			this.keep(key, { execution, reference });
		// Respond puts another decision into the item.
		if (typeof delivery?.trace_id === 'string')
			this.keep(delivery.trace_id, { execution, ...(decision?.outcome && { decision }) });
		for (const text of [reference, ...Object.values((record.json ?? {}) as object)])
			if (/^.{1,255}$/.test(String(text)) && this.texts.size < MOST_TEXTS)
				this.texts.add(String(text).trim());
		for (const below of Object.values(record)) this.collect(below, execution, seen);
	}

	private keep(name: string, told: Trace): void {
		this.found.set(name, lodash.defaults({}, this.found.get(name), told));
	}
}
