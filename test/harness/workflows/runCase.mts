import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import lodash from 'lodash';

import type { EventEnvelope } from '../../simulator/index.mts';
import { RECIPIENT } from '../fixtures.mts';
import { eventually, executions, type ExecutionRow } from '../n8n/executions.mts';
import { startChain, type TriggerWorkflow } from '../n8n/workflows.mts';
import { caller, listCaller, payer, TELL } from './callers.mts';
import { CASES, said } from './cases.mts';
import type { Case, Situation } from './cases/case.mts';
import { readTable, writeTable } from './dataTables.mts';
import { OPERATIONS } from './faults.mts';
import { upload } from './form.mts';
import { WEB_PATHS } from './web.mts';
import {
	asSetUp,
	readWorkflow,
	withNodes,
	withWorkflows,
	type WorkflowFile,
} from './workflowFiles.mts';
import { APPROVER, type WorkflowHarness } from './workflowHarness.mts';

type Workflow = Pick<TriggerWorkflow, 'id'>;

export interface Opened {
	workflow: Workflow;
	/** Starts it: a client, a call, an event, or its schedule. */
	begin(event?: object): Promise<unknown>;
	/** Runs it to its end. @returns the status of the execution */
	run(event?: object, press?: string): Promise<string>;
	form: string;
}

/** Opens a workflow as its note says, with an empty payment memory. */
export async function openCase(
	harness: WorkflowHarness,
	file: string,
	change = (read: WorkflowFile) => read,
): Promise<Opened> {
	const { n8n } = harness.scenario;
	// A path belongs to one published workflow.
	const path = randomUUID();
	const behind = await called(harness, file);
	const live = (read: WorkflowFile) =>
		change(withWorkflows(forTheTest(harness, read, path), behind));
	const { name, nodes } = readWorkflow(file);
	const router = file === 'event-router.json' ? await harness.openRouter({}) : undefined;
	const isScheduled = nodes.some(({ type }) => type === 'n8n-nodes-base.scheduleTrigger');
	const { start, ...workflow } = isScheduled
		? await harness.openOnDemand(file, live)
		: { ...(router ?? (await harness.open(file, live))), start: undefined };
	const takesEvents = nodes.some((node) => node.name === 'Called by the event router');
	const passesOn = takesEvents ? await harness.openRouter({ [name]: workflow }) : workflow;
	const form = `${n8n.url}/form/${path}`;
	const begin = async (event?: object) => {
		if (file === 'kyc-upload.json') return await upload(form, event);
		if (file === 'pay.json') return await startChain(await payer(harness, workflow), event);
		if (file === TELL) return await startChain(await listCaller(n8n, file, workflow), event);
		if (file === 'pay-for-an-agent.json')
			return await startChain(await caller(harness, file, workflow), event);
		return await (event ? harness.send(passesOn as TriggerWorkflow, anew(event)) : start!());
	};
	const run = async (event?: object, press?: string) => {
		const { length } = await executions(n8n, workflow);
		await begin(event);
		return (await untilEnded(harness, workflow, length + 1, press)).at(-1)!.status;
	};
	return { workflow, begin, run, form };
}

/** Workflows that a workflow calls, by the names of its nodes. */
async function called(harness: WorkflowHarness, file: string) {
	const calls = readWorkflow(file).nodes.filter(({ type }) => type.endsWith('.executeWorkflow'));
	const names = calls.map(({ name }) => name);
	const toPay = names.filter((name) => name.startsWith('Pay'));
	const pay = toPay.length > 0 && (await openPay(harness));
	return {
		...(pay && Object.fromEntries(toPay.map((name) => [name, pay]))),
		...(names.includes('Tell') && { Tell: await harness.open(TELL) }),
	};
}

/** Opens *Pay* as its note says, with an empty payment memory. */
export const openPay = async (harness: WorkflowHarness, change = (read: WorkflowFile) => read) =>
	await harness.open('pay.json', (read) => change(forTheTest(harness, read, '')));

/** Sets a workflow up for the stand-ins. A new node ID gives *Transfer* an empty memory. */
function forTheTest(harness: WorkflowHarness, read: WorkflowFile, path: string): WorkflowFile {
	const own: Record<string, object> = {
		'Upload form': { url: harness.web.form },
		'Ping the monitor': { url: `${harness.web.url}${WEB_PATHS['Ping the monitor']}` },
		Balance: { url: `=${harness.simulator.url}{{ $json.reader }}` },
		'Document form': { options: { path } },
	};
	return withNodes(
		asSetUp(read, RECIPIENT, { approvers: [APPROVER.id] }),
		({ name, type, parameters }) => ({
			parameters: { ...parameters, ...own[name] },
			...(name === 'Transfer' && { id: randomUUID() }),
			...(type.endsWith('.cardTreasuryTrigger') && { webhookId: path }),
		}),
	);
}

/** An event as a new one, because a repetition is dropped. A block is named by its time. */
export const anew = (event: object) =>
	lodash.merge({}, event, {
		...((event as EventEnvelope).event_type !== 'card_blocked_by_velocity' && {
			operation_id: randomUUID(),
		}),
		data: { blocked_at: new Date().toISOString() },
	});

export async function prepare(harness: WorkflowHarness, { tables = {}, given }: Situation) {
	const filled = typeof tables === 'function' ? await tables(harness) : tables;
	for (const [name, rows] of Object.entries(filled))
		await writeTable(harness.scenario.n8n, name, rows);
	given?.(harness);
}

const ENDED = ['success', 'error', 'canceled', 'crashed'];

/** Presses the button of each question until so many executions have ended. */
export async function untilEnded(
	harness: WorkflowHarness,
	workflow: Workflow,
	count: number,
	press?: string,
	withinMs?: number,
): Promise<ExecutionRow[]> {
	return await eventually(async () => {
		const rows = await executions(harness.scenario.n8n, workflow);
		const question = harness
			.questions()
			.find(({ updated, buttons }) => !updated && buttons.some(({ label }) => label === press));
		if (question && rows.some(({ status }) => status === 'waiting'))
			await harness.click(workflow, question, press!);
		else if (rows.length >= count && rows.every(({ status }) => ENDED.includes(status)))
			return rows;
		return false;
	}, withinMs);
}

/** Texts of all messages, without questions and n8n's own private notices. */
export const told = ({ slack }: WorkflowHarness) =>
	slack.messages
		.filter(({ buttons, isPrivate }) => buttons.length === 0 && !isPrivate)
		.map(({ text }) => text);

/** What has been done outside of n8n: payments, other writes, and mails except alarms. */
export const done = ({ simulator, smtp }: WorkflowHarness) => [
	...simulator.ledger.map(({ operation, amountText }) => amountText ?? operation),
	...smtp.mails
		.filter(({ subject }) => !subject.endsWith(' stopped'))
		.map(({ to, subject }) => (to === OPERATIONS ? subject : to)),
];

/**
 * @param outcome of the rows, if it differs from what the situation says
 * @throws AssertionError if anything else was told or done than the situation says, or anything twice
 */
export async function checkResult(
	harness: WorkflowHarness,
	{ told: wanted = [], done: effects = [], rows = {} }: Situation,
	outcome?: string,
): Promise<void> {
	await eventually(async () => told(harness).length >= wanted.length);
	const texts = told(harness);
	assert.equal(texts.length, wanted.length, texts.join('\n'));
	for (const pattern of wanted.map(said))
		assert.ok(
			texts.some((text) => pattern.test(text)),
			`${String(pattern)}: ${texts.join('\n')}`,
		);
	assert.deepEqual(done(harness).sort(), [...effects].sort());
	for (const [name, given] of Object.entries(rows)) {
		const found = await readTable(harness.scenario.n8n, name);
		const expected = given.map((row) => (outcome ? { ...row, outcome } : row));
		const isRight = lodash.isMatch(found, expected) && found.length === given.length;
		assert.ok(isRight, JSON.stringify(found));
	}
}

/** Runs a workflow in a situation to its end, and checks what came of it. @returns the last page of its form */
export async function runSituation(
	harness: WorkflowHarness,
	of: Case,
	situation: Situation,
): Promise<unknown> {
	const { workflow, begin } = await openCase(harness, of.file);
	await prepare(harness, situation);
	const page = begin(situation.event);
	await untilEnded(harness, workflow, 1, situation.press);
	await checkResult(harness, situation);
	return await page;
}

/** Runs of the workflows of `docs/workflows`, each in its usual situation and from a reset harness. */
export const RUNS = CASES.map(
	(of): [name: string, run: (harness: WorkflowHarness) => Promise<void>] => [
		readWorkflow(of.file).name,
		async (harness) => {
			harness.reset();
			await runSituation(harness, of, Object.values(of.situations)[0]!);
		},
	],
);

/** Runs the workflows of `docs/workflows` to their end. @throws Error that names the failing one */
export async function runEveryWorkflow(harness: WorkflowHarness, runs = RUNS): Promise<void> {
	for (const [name, run] of runs)
		await run(harness).catch((error: Error) => {
			throw new Error(`${name}: ${error.message}`, { cause: error });
		});
}
