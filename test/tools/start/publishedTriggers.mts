import type { N8nAccess } from '../../harness/n8n/n8n.mts';
import { TRIGGER_TYPE } from '../../harness/n8n/nodes.mts';
import type { Target } from '../../simulator/console/company.mts';

interface Workflow {
	id: string;
	name: string;
	/** Empty unless it is published. */
	activeVersionId?: string | null;
	nodes: Array<{ type: string; name: string; webhookId?: string; disabled?: boolean }>;
}

/**
 * Returns the published workflows of the user that begin with the trigger node, so that the page can send them events.
 * They are those of the last look; the next one runs in the background.
 * @param known IDs of the demo's own workflows, which the page lists by its own names
 */
export function publishedTriggers(
	{ rest, url }: N8nAccess,
	known: readonly string[],
	webhookKey: string,
): () => readonly Target[] {
	let found: Target[] = [];
	let isLooking = false;
	async function look(): Promise<void> {
		const listed = (await rest('GET', '/rest/workflows')) as unknown as Workflow[];
		const own = listed.filter(({ id, activeVersionId }) => activeVersionId && !known.includes(id));
		const read = await Promise.all(
			own.map(
				async ({ id }) => (await rest('GET', `/rest/workflows/${id}`)) as unknown as Workflow,
			),
		);
		found = read.flatMap(({ name, nodes }) =>
			nodes
				.filter(({ type, disabled }) => type === TRIGGER_TYPE && disabled !== true)
				.map((node) => ({
					name: `${name} (${node.name})`,
					url: `${url}/webhook/${node.webhookId}/webhook`,
					webhookKey,
				})),
		);
	}
	return () => {
		// The page asks every second. While n8n starts or ends, nothing is found.
		const again = () => void setTimeout(() => (isLooking = false), 2_000).unref();
		if (!isLooking) look().then(again, again);
		isLooking = true;
		return found;
	};
}
