import { parse } from 'flatted';
import lodash from 'lodash';

import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import type { Trace } from '../../simulator/console/company.mts';

interface Row {
	id: string;
	workflowId: string;
	status: string;
}

/** n8n shows the end of an execution before it has stored the data. */
const READS = 3;

/** Outcomes of items that their execution did not send. */
const UNSENT = ['dry_run', 'not_sent', 'already_sent', 'nothing_to_send'];

/** What the latest executions of n8n say about events and payments, by trace ID and idempotency key. */
export class Traces {
	private readonly found = new Map<string, Trace>();
	/** How often each execution was read in its current status. */
	private readonly read = new Map<string, number>();
	private readonly latest = new Map<string, string>();
	private looking = false;

	constructor(private readonly n8n: N8nAccess) {}

	/** Trace of a payment or an event; it is looked up in the background. */
	of(name: string): Trace | undefined {
		void this.look();
		return this.found.get(name);
	}

	/** URL of a workflow's latest execution. */
	executionOf(workflow: string): string | undefined {
		void this.look();
		return this.latest.get(workflow);
	}

	private async look(): Promise<void> {
		if (this.looking) return;
		this.looking = true;
		try {
			const { results } = (await this.n8n.rest('GET', '/rest/executions?limit=20')) as {
				results: Row[];
			};
			for (const row of results.reverse()) {
				const state = `${row.id} ${row.status}`;
				const times = this.read.get(state) ?? 0;
				if (times === READS) continue;
				this.read.set(state, times + 1);
				const url = `${this.n8n.url}/workflow/${row.workflowId}/executions/${row.id}`;
				this.latest.set(row.workflowId, url);
				const { data } = await this.n8n.rest('GET', `/rest/executions/${row.id}`);
				this.collect(parse(String(data)), url, new Set());
			}
		} catch {
			// n8n is starting or ending; the next look finds the rest.
		} finally {
			// The page asks every second.
			setTimeout(() => (this.looking = false), 700).unref();
		}
	}

	private collect(value: unknown, execution: string, seen: Set<unknown>): void {
		if (typeof value !== 'object' || value === null || seen.has(value)) return;
		seen.add(value);
		const record = value as Record<string, any>;
		if (typeof record.idempotency_key === 'string' && !UNSENT.includes(record.outcome))
			this.keep(record.idempotency_key, execution, {
				reference: record.payment_reference,
				summary: record.summary,
			});
		if (typeof record.delivery?.trace_id === 'string')
			this.keep(record.delivery.trace_id, execution, {
				summary: record.summary,
				// Respond puts another decision into the item.
				...(record.decision?.outcome && { decision: record.decision }),
			});
		for (const below of Object.values(record)) this.collect(below, execution, seen);
	}

	private keep(name: string, execution: string, told: Omit<Trace, 'execution'>): void {
		const before = this.found.get(name);
		this.found.set(name, { execution, ...before, ...lodash.pickBy(told, lodash.identity) });
	}
}
