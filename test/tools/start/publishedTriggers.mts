import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import { TRIGGER_TYPE } from '../../harness/n8n/scenario.mts';
import type { Target } from '../../simulator/console/company.mts';

interface Summary {
	id: string;
	name: string;
	/** Empty unless it is published. */
	activeVersionId?: string | null;
}

interface Workflow {
	nodes: Array<{ type: string; name: string; webhookId?: string; disabled?: boolean }>;
}

/** Published workflows of the user that begin with the trigger node, so that the page can send them events. */
export class PublishedTriggers {
	private found: Target[] = [];
	private looking = false;

	/** @param known IDs of the demo's own workflows, which the page lists by its own names */
	constructor(
		private readonly n8n: N8nAccess,
		private readonly known: readonly string[],
		private readonly webhookKey: string,
	) {}

	/** Targets of the last look; the next one runs in the background. */
	get targets(): readonly Target[] {
		void this.look();
		return this.found;
	}

	private async look(): Promise<void> {
		if (this.looking) return;
		this.looking = true;
		try {
			const listed = (await this.n8n.rest('GET', '/rest/workflows')) as unknown as Summary[];
			const own = listed.filter(
				({ id, activeVersionId }) => activeVersionId && !this.known.includes(id),
			);
			this.found = (await Promise.all(own.map(async (each) => await this.targetsOf(each)))).flat();
		} catch {
			// n8n is starting or ending; the next look finds them.
		} finally {
			// The page asks every second.
			setTimeout(() => (this.looking = false), 2_000).unref();
		}
	}

	private async targetsOf({ id, name }: Summary): Promise<Target[]> {
		const { nodes } = (await this.n8n.rest('GET', `/rest/workflows/${id}`)) as unknown as Workflow;
		return nodes
			.filter(({ type, disabled }) => type === TRIGGER_TYPE && disabled !== true)
			.map((node) => ({
				name: `${name} (${node.name})`,
				url: `${this.n8n.url}/webhook/${node.webhookId}/webhook`,
				webhookKey: this.webhookKey,
			}));
	}
}
