import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import lodash from 'lodash';

import { readExecution } from './executions.mts';
import { installN8n } from './install.mts';
import {
	installPack,
	newUserFolder,
	packPack,
	startN8n,
	type N8nAccess,
	type RunningN8n,
} from './n8n.mts';
import { cardTreasuryTrigger } from './nodes.mts';
import { freePorts } from './process.mts';

export * from './credentials.mts';
export {
	cardTreasuryTrigger,
	failing,
	noOp,
	respond,
	slowly,
	TRIGGER_TYPE,
	waitSeconds,
} from './nodes.mts';

/** Maximum number of starts after one kill. */
const STARTS = 6;

export type Scenario = Awaited<ReturnType<typeof startScenario>>;

interface ScenarioOptions {
	/** Folder of n8n's data, which stays. The package in it is replaced. Default: a new one, removed at the end. */
	userFolder?: string;
	/** Default: any free port. */
	port?: number;
	/** Packed version of the package. Default: this one. */
	tarball?: string;
	onProgress?: (line: string) => void;
}

/**
 * Starts the real n8n with the package; a test can restart it on the same database.
 * @param env for n8n, at every start
 */
export async function startScenario(
	env: Record<string, string> = {},
	{
		userFolder,
		port = 0,
		tarball: given,
		onProgress = (line) => void process.stdout.write(`${line}\n`),
	}: ScenarioOptions = {},
) {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-scenario-'));
	const host = await installN8n(onProgress);
	onProgress('Building and packing the nodes …');
	const tarball = given ?? (await packPack(folder));
	if (port === 0) [port = 0] = await freePorts(1);
	if (userFolder !== undefined) {
		onProgress('Installing the nodes in n8n …');
		await newUserFolder(tarball, userFolder);
	}
	onProgress('Starting n8n …');
	const start = async () => await startN8n(host, tarball, { env, port, userFolder });
	const first = await start().catch(async (error: unknown) => {
		// Another program can take the port while the nodes are built.
		if (!String(error).includes('already in use')) throw error;
		[port = 0] = await freePorts(1);
		return await start();
	});
	const scenario = {
		n8n: first,
		/** Ends n8n and starts it again at the same address and on the same database. */
		async restart(signal?: 'SIGTERM' | 'SIGKILL', endsWithinMs?: number): Promise<void> {
			await scenario.n8n.end(signal, endsWithinMs);
			scenario.n8n = await startN8n(host, tarball, { env, port, userFolder: first.userFolder });
		},
		/** Kills n8n and acts as a supervisor, because n8n 2.41 can fail a start after crashes. */
		async kill(): Promise<void> {
			for (let starts = 1; ; starts++) {
				try {
					return await scenario.restart('SIGKILL');
				} catch (error) {
					if (starts === STARTS) throw error;
				}
			}
		},
		/** Updates the package to another version. */
		async update(other: string): Promise<void> {
			await scenario.n8n.end();
			await installPack(first.userFolder, other);
			await scenario.restart();
		},
		async close(): Promise<void> {
			if (scenario.n8n !== first) await scenario.n8n.stop();
			await first.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
	return scenario;
}

export interface Reference {
	id: string;
	name: string;
}

/** Node as saved in a workflow. */
export interface ChainNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: object;
	credentials?: object;
	[setting: string]: unknown;
}

export interface TriggerWorkflow {
	id: string;
	versionId: string;
	/** Production URL; active once the workflow is published. */
	url: string;
	testUrl: string;
}

/**
 * Saves a workflow of the trigger and the nodes after it.
 * @param branches for each output of the trigger, its nodes in a row; rows that name the same node share it
 */
export const createWorkflow = async (
	n8n: N8nAccess,
	credential: Reference,
	parameters: object,
	branches: ChainNode[][] = [],
): Promise<TriggerWorkflow> =>
	await createTrigger(n8n, cardTreasuryTrigger(credential, parameters), branches);

async function createTrigger(
	n8n: N8nAccess,
	trigger: ChainNode,
	branches: ChainNode[][],
): Promise<TriggerWorkflow> {
	const webhookId = randomUUID();
	const isWebhook = trigger.type === 'n8n-nodes-base.webhook';
	const parameters = { ...trigger.parameters, ...(isWebhook && { path: webhookId }) };
	const main = ({ name }: ChainNode) => [{ node: name, type: 'main', index: 0 }];
	const connections: Record<string, { main: object[][] }> = {
		[trigger.name]: { main: branches.map(([first]) => (first ? main(first) : [])) },
	};
	for (const row of branches)
		for (const [index, next] of row.slice(1).entries())
			connections[row[index]!.name] = { main: [main(next)] };
	const nodes = lodash.uniqBy([{ ...trigger, parameters, webhookId }, ...branches.flat()], 'name');
	const saved = await saveWorkflow(n8n, `trigger ${webhookId}`, nodes, connections);
	const path = isWebhook ? webhookId : `${webhookId}/webhook`;
	return {
		...saved,
		url: `${n8n.url}/webhook/${path}`,
		testUrl: `${n8n.url}/webhook-test/${path}`,
	};
}

/** Saves a workflow; nodes without an ID or position get one. */
export async function saveWorkflow(
	{ rest }: Pick<N8nAccess, 'rest'>,
	name: string,
	nodes: object[],
	connections: object = {},
	more: { settings?: object; pinData?: object } = {},
): Promise<Pick<TriggerWorkflow, 'id' | 'versionId'>> {
	const created = await rest('POST', '/rest/workflows', {
		name,
		active: false,
		...more,
		// New workflows of the editor have this order.
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'all',
			saveDataErrorExecution: 'all',
			...more.settings,
		},
		nodes: nodes.map((node, index) => ({
			id: randomUUID(),
			position: [index * 220, index * 120],
			...node,
		})),
		connections,
	});
	return { id: String(created.id), versionId: String(created.versionId) };
}

/** Publishes a workflow and waits for the result. @throws with n8n's reason if it fails */
export async function publish(
	{ rest }: N8nAccess,
	{ id, versionId }: Pick<TriggerWorkflow, 'id' | 'versionId'>,
): Promise<void> {
	await rest('POST', `/rest/workflows/${id}/activate`, { versionId });
	await eventually(async () => {
		const { status, triggers } = await publicationOf(rest, id);
		// Partial: another node with a webhook, such as Wait, was registered.
		if (status === 'failed' || status === 'partial') throw new Error(JSON.stringify(triggers));
		return status === 'published';
	});
}

/** Older versions of n8n publish before they answer, and have no status. */
async function publicationOf(
	rest: RunningN8n['rest'],
	id: string,
): Promise<Record<string, unknown>> {
	return await rest('GET', `/rest/workflows/${id}/publication-status`).catch((error: Error) => {
		if (error.message.includes(': 404 ')) return { status: 'published' };
		throw error;
	});
}

/** Creates a workflow as `createWorkflow` does, and publishes it. */
export async function publishWorkflow(
	...args: Parameters<typeof createWorkflow>
): Promise<TriggerWorkflow> {
	const workflow = await createWorkflow(...args);
	await publish(args[0], workflow);
	return workflow;
}

/** Creates a workflow with another trigger, and publishes it. */
export async function publishTrigger(
	...args: Parameters<typeof createTrigger>
): Promise<TriggerWorkflow> {
	const workflow = await createTrigger(...args);
	await publish(args[0], workflow);
	return workflow;
}

export interface ExecutionRow {
	id: string;
	status: string;
	mode: string;
}

/** Latest 100 executions of a workflow, or of all, oldest first. */
export async function executions(
	{ rest }: N8nAccess,
	workflow?: Pick<TriggerWorkflow, 'id'>,
): Promise<ExecutionRow[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow?.id }));
	const { results } = (await rest('GET', `/rest/executions?filter=${filter}&limit=100`)) as {
		results: ExecutionRow[];
	};
	return results.sort((left, right) => Number(left.id) - Number(right.id));
}

export async function endedExecutions(
	n8n: N8nAccess,
	workflow: Pick<TriggerWorkflow, 'id'>,
	count: number,
	withinMs?: number,
): Promise<ExecutionRow[]> {
	return await eventually(async () => {
		const rows = await executions(n8n, workflow);
		const open = rows.some(({ status }) => ['new', 'running', 'waiting'].includes(status));
		return rows.length >= count && !open ? rows : undefined;
	}, withinMs);
}

/** Items per output of a node in an execution; undefined if the node did not run. */
export async function outputsOf(n8n: N8nAccess, id: string, node: string) {
	return (await readExecution(n8n, id)).outputs(node);
}

/** Calls `ask` every 100 ms until it returns a result. @throws errors of `ask`, or after `withinMs` */
export async function eventually<Answer>(
	ask: () => Promise<Answer | undefined | false>,
	withinMs = 60_000,
): Promise<Answer> {
	const end = Date.now() + withinMs;
	while (Date.now() < end) {
		const answer = await ask();
		if (answer) return answer;
		await wait(100);
	}
	throw new Error(`Not within ${withinMs} ms: ${String(ask)}`);
}
