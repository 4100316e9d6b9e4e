import { randomUUID } from 'node:crypto';

import { openDatabase } from '../database/database.mts';
import type { RunningN8n } from './n8n.mts';

/**
 * Moves workflows to a member's project, which cannot use the owner's credentials. n8n's own screens need a licence for
 * that.
 */
export async function moveToMember(
	{ rest, userFolder }: RunningN8n,
	...workflows: string[]
): Promise<void> {
	const invited = await rest('POST', '/rest/invitations', [
		{ email: `${randomUUID()}@example.com`, role: 'global:member' },
	]);
	const [{ user }] = Object.values(invited) as [{ user: { id: string } }];
	const database = await openDatabase(userFolder);
	try {
		const sql = 'SELECT projectId FROM project_relation WHERE userId = ?';
		const [project] = await database.query(sql, user.id);
		for (const id of workflows) {
			const move = 'UPDATE shared_workflow SET projectId = ? WHERE workflowId = ?';
			await database.query(move, project!.projectId, id);
		}
	} finally {
		await database.close();
	}
}
