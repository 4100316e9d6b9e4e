import { join } from 'node:path';

import { cardOf, TRANSFER_PATH, transferOf } from '../harness/fixtures.mts';
import { OWNER } from '../harness/n8n/n8n.mts';
import { cardTreasury } from '../harness/n8n/nodes.mts';
import { credential, scenario, useN8n } from '../harness/n8n/useN8n.mts';
import { IDS } from '../simulator/index.mts';
import { simulator } from '../simulator/useSimulator.mts';

/**
 * n8n's AI assistant runs a single node: a plain node, not a tool, with parameters written by the assistant and an
 * approval remembered per resource and operation. n8n deletes the workflow and its execution afterwards.
 */

let projectId: string;
useN8n(() => ({
	EXTERNAL_HOOK_FILES: join(import.meta.dirname, '..', 'harness', 'n8n', 'runsNodes.cjs'),
}));
beforeAll(async () => {
	projectId = String((await scenario.n8n.rest('GET', '/rest/projects/personal')).id);
});

/** Returns the answer that the assistant gets. */
async function told(parameters: object): Promise<string> {
	const { type, typeVersion, credentials } = cardTreasury({}, credential);
	const result = await scenario.n8n.rest('POST', '/test/execute-node', {
		email: OWNER.email,
		projectId,
		type,
		version: typeVersion,
		config: { parameters, credentials },
	});
	return JSON.stringify(result);
}

describe("n8n's AI assistant", () => {
	it('can read a card', async () => {
		const answer = await told(cardOf('get'));
		expect(answer).toContain('"status":"success"');
		expect(answer).toContain(IDS.activeCard);
	});

	it.each<[string, string, object]>([
		[
			'a transfer',
			'Maximum Amount is filled in by the AI agent',
			transferOf('5000', { maximumAmount: '5000' }),
		],
		[
			'a request to an endpoint',
			'Method is not a fixed value',
			{
				resource: 'endpoint',
				operation: 'request',
				method: 'POST',
				path: TRANSFER_PATH,
				jsonBody: '{}',
			},
		],
	])('cannot send %s, however often it tries', async (_, message, parameters) => {
		for (let call = 0; call < 2; call++) expect(await told(parameters)).toContain(message);
		expect(simulator.requests).toEqual([]);
	});

	it('can freeze a card again after it has unfrozen it', async () => {
		for (const operation of ['freeze', 'unfreeze', 'freeze']) {
			const answer = await told(cardOf(operation));
			expect(answer).toContain('"status":"success"');
		}
		expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
			'card.freeze',
			'card.unfreeze',
			'card.freeze',
		]);
	});
});
