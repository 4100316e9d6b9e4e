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
	const kept = readKept(folder);
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
		writeFileSync(fileIn(folder), JSON.stringify({ ports: used, flows } satisfies Kept));
		simulator.events.subscription = { url: flows.router.url, webhookKey: DEFAULT_WEBHOOK_KEY };
		simulator.company = companyOf(harness, flows, timeZone);
		return { harness, flows, isKept: kept !== undefined };
	} catch (error) {
		await harness.close();
		throw error;
	}
}

const fileIn = (folder: string) => join(folder, 'demo.json');

function readKept(folder: string): Kept | undefined {
	const file = fileIn(folder);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined;
}

/** Address at which the page of this folder's demo will open unless another program takes its port meanwhile. */
export async function plannedAddress(folder: string): Promise<string | undefined> {
	const { simulator } = readKept(folder)?.ports ?? PORTS;
	return (await freeOr(simulator)) === 0 ? undefined : addressOf(simulator);
}

/** Address of the page if a demo with the data of this folder is running. */
export async function runningAddress(folder: string): Promise<string | undefined> {
	const ports = readKept(folder)?.ports;
	if (!ports) return undefined;
	const address = addressOf(ports.simulator);
	try {
		const answer = await fetch(`${address}/_simulator/console`);
		const { company } = (await answer.json()) as { company?: { n8n: { url: string } } };
		return company && Number(new URL(company.n8n.url).port) === ports.n8n ? address : undefined;
	} catch {
		return undefined;
	}
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`;

/** The wanted port if it is free; otherwise 0 for any. */
async function freeOr(wanted: number): Promise<number> {
	try {
		await (await listen(createServer(), wanted)).close();
		return wanted;
	} catch {
		return 0;
	}
}
