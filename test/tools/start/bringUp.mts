import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import type { SlackMessage } from '../../harness/slack/slackStandIn.mts';
import type { Mail } from '../../harness/smtp/smtpStandIn.mts';
import {
	startWorkflowHarness,
	type WorkflowHarness,
} from '../../harness/workflows/workflowHarness.mts';
import type { Books } from '../../simulator/books.mts';
import type { Trace } from '../../simulator/console/company.mts';
import { DEFAULT_WEBHOOK_KEY, startSimulator } from '../../simulator/index.mts';
import { listen } from '../../simulator/listen.mts';
import { companyOf } from './company.mts';
import { Traces } from './traces.mts';
import { bringUpWorkflows, type Flows } from './workflows.mts';

/** What a run leaves for the next one, beside n8n's data. */
interface Kept {
	ports: { n8n: number; simulator: number; smtp: number };
	flows: Flows;
}

/** What the service, Slack, the mailbox and the page remember. */
interface Memory {
	books: Books;
	messages: SlackMessage[];
	mails: Mail[];
	traces: Array<[string, Trace]>;
}

export interface Demo {
	harness: WorkflowHarness;
	flows: Flows;
	/** True if the folder held workflows of an earlier run. */
	isKept: boolean;
}

/** Ports of a first run. */
const PORTS: Kept['ports'] = { n8n: 5678, simulator: 4010, smtp: 2525 };
const KEPT = 'demo.json';
const MEMORY = 'service.json';
/** Longest time that a crash can take out of the memory. */
const SAVED_EVERY_MS = 2_000;

/**
 * Starts the demo: n8n with the workflows, the simulator with the page, Slack and mail. The page is there first.
 * @param folder for n8n's data and the service's books, which stay
 * @param onPage called when the page is there; n8n takes longer
 */
export async function bringUp(
	folder: string,
	timeZone: string,
	onProgress: (line: string) => void,
	{ isFresh = false, onPage = (_url: string) => {} } = {},
): Promise<Demo> {
	if (isFresh) rmSync(folder, { recursive: true, force: true });
	const n8nFolder = join(folder, 'n8n');
	mkdirSync(n8nFolder, { recursive: true });
	const kept = read<Kept>(folder, KEPT);
	const memory = read<Memory>(folder, MEMORY);
	const wanted = kept?.ports ?? PORTS;
	const ports = {
		n8n: await freeOr(wanted.n8n),
		simulator: await freeOr(wanted.simulator),
		smtp: await freeOr(wanted.smtp),
	};
	const simulator = await startSimulator({ port: ports.simulator, books: memory?.books });
	simulator.waitsFor = 'n8n is starting. This page fills by itself.';
	const say = (line: string) => {
		onProgress(line);
		// Lines below a step are indented.
		if (!line.startsWith(' '))
			simulator.waitsFor = `n8n is starting: ${line} This page fills by itself.`;
	};
	onPage(simulator.url);
	const started = await startWorkflowHarness(
		{ GENERIC_TIMEZONE: timeZone },
		{ folder: n8nFolder, ports, onProgress: say, simulator },
	).catch(async (error: unknown) => {
		await simulator.close();
		throw error;
	});
	const { slack, smtp } = started;
	const { n8n } = started.scenario;
	slack.messages.unshift(...(memory?.messages ?? []));
	smtp.mails.unshift(...(memory?.mails ?? []));
	const traces = new Traces(n8n, simulator.url, memory?.traces);
	const save = () => {
		const { messages } = slack;
		const { mails } = smtp;
		write(folder, MEMORY, {
			books: simulator.books(),
			...{ messages, mails, traces: traces.kept() },
		} satisfies Memory);
	};
	const saving = setInterval(save, SAVED_EVERY_MS);
	const harness: WorkflowHarness = {
		...started,
		async close() {
			clearInterval(saving);
			save();
			await started.close();
		},
	};
	try {
		say('Importing the workflows …');
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
		write(folder, KEPT, { ports: used, flows } satisfies Kept);
		simulator.events.subscription = { url: flows.router.url, webhookKey: DEFAULT_WEBHOOK_KEY };
		simulator.company = await companyOf(harness, flows, traces, timeZone);
		simulator.waitsFor = undefined;
		return { harness, flows, isKept: kept !== undefined };
	} catch (error) {
		await harness.close();
		throw error;
	}
}

function read<Content>(folder: string, name: string): Content | undefined {
	const file = join(folder, name);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Content) : undefined;
}

/** Replaces a file as a whole, because a start may be interrupted. */
function write(folder: string, name: string, content: object): void {
	const file = join(folder, name);
	writeFileSync(`${file}.new`, JSON.stringify(content));
	renameSync(`${file}.new`, file);
}

/** Address of the page if a demo with the data of this folder is running. */
export async function runningAddress(folder: string): Promise<string | undefined> {
	const ports = read<Kept>(folder, KEPT)?.ports;
	if (!ports) return undefined;
	const address = `http://127.0.0.1:${ports.simulator}`;
	try {
		const answer = await fetch(`${address}/_simulator/console`);
		const { company } = (await answer.json()) as { company?: { n8n: { url: string } } };
		return company && Number(new URL(company.n8n.url).port) === ports.n8n ? address : undefined;
	} catch {
		return undefined;
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
