import lodash from 'lodash';

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

const LIST = `/rest/workflows?select=${encodeURIComponent('["id","name","activeVersionId","nodes"]')}`;

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
	async function look(): Promise<void> {
		const listed = (await rest('GET', LIST)) as Workflow[];
		const own = listed.filter(({ id, activeVersionId }) => activeVersionId && !known.includes(id));
		const isTrigger = (node: Workflow['nodes'][number]) =>
			node.type === TRIGGER_TYPE && node.disabled !== true;
		found = own.flatMap((workflow) =>
			workflow.nodes.filter(isTrigger).map(({ name, webhookId }) => ({
				...{ name: `${workflow.name} (${name})`, webhookKey },
				url: `${url}/webhook/${webhookId}/webhook`,
			})),
		);
	}
	const lookNow = inBackground(look, 2_000);
	return () => {
		lookNow();
		return found;
	};
}

/** Runs `look` at most once in this time. The page asks every second. While n8n starts or ends, nothing is found. */
export const inBackground = (look: () => Promise<void>, everyMs: number): (() => void) =>
	lodash.throttle(() => void look().catch(() => undefined), everyMs, { trailing: false });
