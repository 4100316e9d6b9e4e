import { parse } from 'flatted';
import lodash from 'lodash';

import { isOpen } from '../../harness/n8n/executions.mts';
import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import type { Trace } from '../../simulator/console/company.mts';
import { inBackground } from './publishedTriggers.mts';

/** n8n shows the end of an execution before it has stored the data. */
const READS = 3;

/** Outcomes of items that their execution did not send. */
const UNSENT = ['dry_run', 'not_sent', 'already_sent'];

type Listed = Record<'id' | 'workflowId' | 'status', string>;
type Latest = Record<'id' | 'execution' | 'status', string>;

/** What the latest executions of n8n say about events and payments, by trace ID and idempotency key. */
export class Traces {
	private readonly found: Map<string, Trace>;
	/** How often each execution was read in its current status. */
	private readonly read = new Map<string, number>();
	private readonly latest = new Map<string, Latest>();
	private readonly look = inBackground(async () => await this.readLatest(), 700);

	constructor(
		private readonly n8n: N8nAccess,
		kept: Array<[string, Trace]> = [],
	) {
		this.found = new Map(kept);
	}

	kept = (): Array<[string, Trace]> => [...this.found];

	/** Trace of an event by its trace ID, or of a payment by its key; it is looked up in the background. */
	of(name: string): Trace | undefined {
		this.look();
		return this.found.get(name);
	}

	latestOf(workflow: string): Latest | undefined {
		this.look();
		return this.latest.get(workflow);
	}

	private async readLatest(): Promise<void> {
		const listed = await this.n8n.rest('GET', '/rest/executions?limit=20');
		const results: Listed[] = listed.results;
		// What was open may have ended after more than 20 others.
		const open = [...this.latest.values()].filter(isOpen);
		const ended = open.filter(({ id }) => results.every((listed) => listed.id !== id));
		for (const { id } of ended) results.push(await this.n8n.rest('GET', `/rest/executions/${id}`));
		for (const { id, workflowId, status } of results.reverse()) {
			const times = this.read.get(`${id} ${status}`) ?? 0;
			if (times === READS) continue;
			this.read.set(`${id} ${status}`, times + 1);
			const execution = `${this.n8n.url}/workflow/${workflowId}/executions/${id}`;
			if (Number(id) >= Number(this.latest.get(workflowId)?.id ?? 0))
				this.latest.set(workflowId, { id, execution, status });
			const { data } = await this.n8n.rest('GET', `/rest/executions/${id}`);
			this.collect(parse(data), execution, new Set());
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
		for (const below of Object.values(record)) this.collect(below, execution, seen);
	}

	private keep(name: string, told: Trace): void {
		this.found.set(name, lodash.defaults({}, this.found.get(name), told));
	}
}
