import { randomUUID } from 'node:crypto';

import { eventually, executions } from '../harness/n8n/executions.mts';
import { PEOPLE, type SlackMessage, type SlackUser } from '../harness/slack/slackStandIn.mts';
import { CASES, said } from '../harness/workflows/cases.mts';
import type { Case, Situation } from '../harness/workflows/cases/case.mts';
import { waits } from '../harness/workflows/decision.mts';
import {
	checkResult,
	done,
	openCase,
	prepare,
	told,
	untilEnded,
	type Opened,
} from '../harness/workflows/runCase.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { withSettings, type WorkflowFile } from '../harness/workflows/workflowFiles.mts';
import { APPROVER, STRANGER } from '../harness/workflows/workflowHarness.mts';

/** What holds for every shipped workflow that asks a person. */

const SECOND = PEOPLE[1]!;

useWorkflows();

/** Usual situation of each workflow that asks, with its two buttons. */
const ASKING = CASES.flatMap((of) => {
	const [situation] = Object.values(of.situations);
	return situation!.press === undefined ? [] : [{ file: of.file, of, situation: situation! }];
});

async function start(
	of: Case,
	situation: Situation,
	change?: (file: WorkflowFile) => WorkflowFile,
) {
	const opened = await openCase(harness, of, change);
	await prepare(harness, situation);
	await opened.begin(situation.event);
	return opened;
}

const question = async (at = 0) => await eventually(async () => harness.questions()[at]);
/** Label of the button for a yes, which n8n puts last, or of the one for a no. */
const labelOf = ({ buttons }: SlackMessage, answer: 'yes' | 'no') =>
	buttons.at(answer === 'yes' ? -1 : 0)!.label;

async function press(
	{ workflow }: Opened,
	at: number,
	answer: 'yes' | 'no',
	user: SlackUser = APPROVER,
): Promise<void> {
	const asked = await question(at);
	await harness.press(workflow, asked, labelOf(asked, answer), user);
}

/** Checks that nothing was done, and that the only message besides those before says by whom. */
async function expectLeft(by: string, ...before: string[]): Promise<void> {
	await eventually(async () => told(harness).length > before.length);
	const left = expect.stringMatching(new RegExp(`Left .*${by}`));
	expect(told(harness)).toEqual([...before, left]);
	expect(done(harness)).toEqual([]);
}

/** Copies question, answer and If, as the note of each workflow says. */
function askedTwice(file: WorkflowFile): WorkflowFile {
	const copies = ['Question', 'Ask', 'Not approved?'].map((name) => {
		const node = file.nodes.find((each) => each.name === name)!;
		const approvers = name === 'Ask' && { approvers: [SECOND.id] };
		const parameters = { ...node.parameters, ...approvers };
		return { ...node, parameters, id: randomUUID(), webhookId: randomUUID(), name: `${name}1` };
	});
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const [left, next] = file.connections['Not approved?']!.main;
	const connections = {
		...file.connections,
		'Not approved?': { main: [left!, to('Question1')] },
		Question1: { main: [to('Ask1')] },
		Ask1: { main: [to('Not approved?1')] },
		'Not approved?1': { main: [left!, next!] },
	};
	return { ...file, nodes: [...file.nodes, ...copies], connections };
}

describe.each(ASKING)('$file', ({ of, situation }) => {
	it('does nothing and says so when nobody answers in time', async () => {
		const { workflow } = await start(of, situation);
		await question();
		await harness.runOut(workflow);
		await untilEnded(harness, workflow, 1);
		await expectLeft('by default: nobody answered in time');
	});

	it('takes no answer from a person who is not an approver, and names the approver who says no', async () => {
		const opened = await start(of, situation);
		await press(opened, 0, 'yes', STRANGER);
		const [notice] = await harness.messages(STRANGER.id, 1);
		expect(notice!.text).toContain('You are not authorized');
		await press(opened, 0, 'no');
		await untilEnded(harness, opened.workflow, 1);
		await expectLeft(`by ${APPROVER.name}`, notice!.text);
	});

	it.each(['Ask', 'Not approved?'])('does nothing while "%s" is deactivated', async (name) => {
		const { workflow } = await start(of, situation, (file) =>
			withSettings(file, name, { disabled: true }),
		);
		await untilEnded(harness, workflow, 1, situation.press);
		await eventually(async () => told(harness).length > 0);
		expect(done(harness)).toEqual([]);
	});

	it.each([
		['both approve', 'yes', 'yes'],
		['the first says no', 'no', undefined],
		['the second says no', 'yes', 'no'],
		['the second does not answer', 'yes', undefined],
	] as const)(
		'asks two people as its note says, and acts only if both approve: %s',
		async (_, first, second) => {
			const opened = await start(of, situation, askedTwice);
			await press(opened, 0, first);
			if (first === 'yes') expect((await question(1)).text).toBe((await question()).text);
			if (second) await press(opened, 1, second, SECOND);
			else if (first === 'yes') await harness.runOut(opened.workflow);
			await untilEnded(harness, opened.workflow, 1);
			if (second === 'yes') return await checkResult(harness, situation);
			const by = second ? SECOND.name : first === 'no' ? APPROVER.name : 'default';
			await expectLeft(`by ${by}`);
		},
	);
});

it('questions that were asked before n8n was killed still count when they are answered afterwards', async () => {
	const opened: Opened[] = [];
	for (const { of, situation } of ASKING) {
		opened.push(await start(of, situation));
		await waits(harness.scenario.n8n, opened.at(-1)!.workflow);
	}
	// n8n records a caller as waiting after the workflow that it called.
	await eventually(async () => {
		const all = await executions(harness.scenario.n8n);
		return all.every(({ status }) => status !== 'running');
	});
	await harness.scenario.restart('SIGKILL');
	for (const [at, each] of opened.entries()) {
		await press(each, at, 'yes');
		const rows = await untilEnded(harness, each.workflow, 1);
		expect(rows.map(({ status }) => status)).toEqual(['success']);
	}
	const effects = ASKING.flatMap(({ situation }) => situation.done ?? []);
	expect(done(harness).sort()).toEqual(effects.sort());
	await eventually(async () => told(harness).length >= ASKING.length);
	for (const { situation } of ASKING)
		for (const pattern of situation.told)
			expect(told(harness)).toContainEqual(expect.stringMatching(said(pattern)));
});
