import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { freePorts } from '../../harness/program.mts';
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
	ports: typeof PORTS;
	flows: Flows;
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

const PORTS = { n8n: 5678, simulator: 4010, smtp: 2525 };
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
	const kept = read(folder);
	const ports = { ...(kept?.ports ?? PORTS) };
	for (const name of ['n8n', 'simulator', 'smtp'] as const)
		ports[name] = await freeOr(ports[name], kept !== undefined);
	const simulator = await startSimulator({ port: ports.simulator, books: kept?.books });
	simulator.waitsFor = 'n8n is starting. This page fills by itself.';
	const say = (line: string) => {
		onProgress(line);
		// Lines below a step are indented.
		const isStep = !line.startsWith(' ');
		if (isStep) simulator.waitsFor = `n8n is starting: ${line} This page fills by itself.`;
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
	slack.messages.unshift(...(kept?.messages ?? []));
	smtp.mails.unshift(...(kept?.mails ?? []));
	const traces = new Traces(started.scenario.n8n, kept?.traces);
	try {
		say('Importing the workflows …');
		const flows = kept?.flows ?? (await bringUpWorkflows(started));
		const save = () => {
			const [{ messages }, { mails }] = [slack, smtp];
			const books = simulator.books();
			write(folder, { ports, flows, books, messages, mails, traces: traces.kept() });
		};
		simulator.events.subscription = { url: flows.router.url, webhookKey: DEFAULT_WEBHOOK_KEY };
		simulator.company = await companyOf(started, flows, traces);
		simulator.waitsFor = undefined;
		save();
		const saving = setInterval(save, SAVED_EVERY_MS);
		const close = async () => {
			clearInterval(saving);
			save();
			await started.close();
		};
		return { harness: { ...started, close }, flows, isKept: kept !== undefined };
	} catch (error) {
		await started.close();
		throw error;
	}
}

const fileIn = (folder: string) => join(folder, 'demo.json');

const read = (folder: string): Kept | undefined =>
	existsSync(fileIn(folder))
		? (JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Kept)
		: undefined;

/** Replaces a file as a whole, because a start may be interrupted. */
function write(folder: string, content: Kept): void {
	const file = fileIn(folder);
	writeFileSync(`${file}.new`, JSON.stringify(content));
	renameSync(`${file}.new`, file);
}

/** Address of the page if a demo with the data of this folder is running. */
export async function runningAddress(folder: string): Promise<string | undefined> {
	const ports = read(folder)?.ports;
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

const freeOr = async (wanted: number, isKept: boolean): Promise<number> =>
	await listen(createServer(), wanted).then(
		async ({ close }) => await close().then(() => wanted),
		async () => {
			// Tables and workflows of the last run name its ports.
			const message = `Port ${wanted} is in use: end that program, or run npm start -- --fresh`;
			if (isKept) throw new Error(message);
			return (await freePorts(1))[0]!;
		},
	);
