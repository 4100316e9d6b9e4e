import { createHash, randomUUID } from 'node:crypto';

import { openDatabase } from '../../harness/database/database.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import type { TriggerWorkflow } from '../../harness/n8n/scenario.mts';

/** Number of keys that the trigger keeps. */
const MOST_KEYS = 10_000;

/** Fills n8n's stored memory of the flow's trigger with delivery keys, in n8n's format. */
export async function fillMemory(
	{ rest, userFolder }: RunningN8n,
	{ id }: TriggerWorkflow,
): Promise<void> {
	const { nodes } = (await rest('GET', `/rest/workflows/${id}`)) as {
		nodes: Array<{ id: string; name: string }>;
	};
	const trigger = nodes.find(({ name }) => name === 'Trigger')!;
	const data = Array.from({ length: MOST_KEYS }, () =>
		createHash('md5').update(randomUUID()).digest('base64'),
	);
	const database = await openDatabase(userFolder);
	try {
		await database.query(
			'INSERT INTO processed_data (workflowId, context, value) VALUES (?, ?, ?)',
			id,
			`n:${trigger.id}`,
			JSON.stringify({ mode: 'entries', data }),
		);
	} finally {
		await database.close();
	}
}
