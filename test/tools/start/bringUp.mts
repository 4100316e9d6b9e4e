import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import {
	startWorkflowHarness,
	type WorkflowHarness,
} from '../../harness/workflows/workflowHarness.mts';
import { DEFAULT_WEBHOOK_KEY } from '../../simulator/index.mts';
import { listen } from '../../simulator/listen.mts';
import { companyOf } from './company.mts';
import { bringUpWorkflows, type Flows } from './workflows.mts';

/** What a run leaves for the next one, beside n8n's data. */
interface Kept {
	ports: { n8n: number; simulator: number; smtp: number };
	flows: Flows;
}

export interface Demo {
	harness: WorkflowHarness;
	flows: Flows;
	/** True if the folder held workflows of an earlier run. */
	isKept: boolean;
}

/** Ports of a first run. */
const PORTS: Kept['ports'] = { n8n: 5678, simulator: 4010, smtp: 2525 };

/**
 * Starts the demo: n8n with the workflows, the simulator with the page, Slack and mail.
 * @param folder for n8n's data, which stays
 */
export async function bringUp(
	folder: string,
	timeZone: string,
	onProgress: (line: string) => void,
	isFresh = false,
): Promise<Demo> {
	if (isFresh) rmSync(folder, { recursive: true, force: true });
	const n8nFolder = join(folder, 'n8n');
	mkdirSync(n8nFolder, { recursive: true });
	const file = join(folder, 'demo.json');
	const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined;
	const wanted = kept?.ports ?? PORTS;
	const ports = {
		n8n: await freeOr(wanted.n8n),
		simulator: await freeOr(wanted.simulator),
		smtp: await freeOr(wanted.smtp),
	};
	const harness = await startWorkflowHarness(
		{ GENERIC_TIMEZONE: timeZone },
		{ folder: n8nFolder, ports, onProgress },
	);
	try {
		const { simulator, smtp } = harness;
		const { n8n } = harness.scenario;
		onProgress('Importing the workflows …');
		const opened = kept?.flows ?? (await bringUpWorkflows(harness, timeZone));
		// The path of a webhook stays, its port may not.
		const flows = Object.fromEntries(
			Object.entries(opened).map(([name, flow]) => [
				name,
				{ ...flow, url: flow.url.replace(/^http:\/\/[^/]+/, n8n.url) },
			]),
		) as unknown as Flows;
		const used = {
			n8n: Number(new URL(n8n.url).port),
			simulator: Number(new URL(simulator.url).port),
			smtp: smtp.port,
		};
		writeFileSync(file, JSON.stringify({ ports: used, flows } satisfies Kept));
		simulator.events.subscription = { url: flows.router.url, webhookKey: DEFAULT_WEBHOOK_KEY };
		simulator.company = companyOf(harness, flows, timeZone);
		return { harness, flows, isKept: kept !== undefined };
	} catch (error) {
		await harness.close();
		throw error;
	}
}

/** The wanted port if it is free; otherwise 0 for any. */
async function freeOr(wanted: number): Promise<number> {
	try {
		await (await listen(createServer(), wanted)).close();
		return wanted;
	} catch {
		return 0;
	}
}
