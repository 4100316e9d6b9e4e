import { join } from 'node:path';

import { cardTreasury, transferOf } from '../harness/n8n/nodes.mts';
import { OWNER } from '../harness/n8n/n8n.mts';
import type { Reference, Scenario } from '../harness/n8n/scenario.mts';
import { startWithSimulator } from '../harness/n8n/withSimulator.mts';
import { IDS, type Simulator } from '../simulator/index.mts';

/**
 * n8n's AI assistant runs a single node by itself: a plain node, not a tool, with parameters that the assistant writes, on
 * an approval that n8n remembers by resource and operation. The workflow and its execution are deleted afterwards.
 */

let scenario: Scenario;
let simulator: Simulator;
let credential: Reference;
let projectId: string;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
	const hook = join(import.meta.dirname, '..', 'harness', 'n8n', 'runsNodes.cjs');
	({ scenario, simulator, credential, close } = await startWithSimulator({
		EXTERNAL_HOOK_FILES: hook,
	}));
	projectId = String((await scenario.n8n.rest('GET', '/rest/projects/personal')).id);
}, 1_500_000);

afterAll(async () => await close?.());

beforeEach(() => simulator.reset());

/** What the assistant is told. */
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

it('reads', async () => {
	const answer = await told({ resource: 'card', operation: 'get', cardId: IDS.activeCard });
	expect(answer).toContain('"status":"success"');
	expect(answer).toContain(IDS.activeCard);
});

it.each<[string, object]>([
	['Maximum Amount is not set', transferOf('5000')],
	[
		'Maximum Amount is filled in by the AI agent',
		transferOf('5000', { maximumAmount: '5000', idempotencyKey: 'mine' }),
	],
	[
		'Method is not a fixed value',
		{
			resource: 'endpoint',
			operation: 'request',
			method: 'POST',
			path: `/mpc/accounts/${IDS.account}/wallets/${IDS.wallet}/transfer`,
			jsonBody: '{}',
		},
	],
])('moves no money: %s', async (message, parameters) => {
	for (let call = 0; call < 2; call++) expect(await told(parameters)).toContain(message);
	expect(simulator.requests).toEqual([]);
});

it('freezes and unfreezes, each time with a key of its own', async () => {
	for (const operation of ['freeze', 'unfreeze', 'freeze']) {
		const answer = await told({ resource: 'card', operation, cardId: IDS.activeCard });
		expect(answer).toContain('"status":"success"');
	}
	expect(simulator.ledger.map(({ operation }) => operation)).toEqual([
		'card.freeze',
		'card.unfreeze',
		'card.freeze',
	]);
});
