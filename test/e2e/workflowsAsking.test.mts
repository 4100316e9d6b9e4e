import { randomUUID } from 'node:crypto';
import lodash from 'lodash';

import { eventually, executions, isOpen } from '../harness/n8n/executions.mts';
import { PEOPLE } from '../harness/slack/slackStandIn.mts';
import {
	answer,
	ASKING,
	expectLeft,
	labelOf,
	question,
	startAsking,
} from '../harness/workflows/asking.mts';
import { said } from '../harness/workflows/cases.mts';
import { visit, waits } from '../harness/workflows/decision.mts';
import { checkResult, done, told, untilEnded, type Opened } from '../harness/workflows/runCase.mts';
import { harness, n8n, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import {
	withParameters,
	withSettings,
	type WorkflowFile,
} from '../harness/workflows/workflowFiles.mts';
import { APPROVER, STRANGER } from '../harness/workflows/workflowHarness.mts';

/** Promises of every shipped workflow that asks a person. */

const SECOND = PEOPLE[1]!;

useWorkflows();

/** Copies the question and what belongs to it, as the note or the page of the workflow says. */
function askedTwice(file: WorkflowFile): WorkflowFile {
	const isPay = file.name === 'Pay';
	const names = isPay ? ['Today', 'Sum', 'Ask', 'Decision'] : ['Question', 'Ask', 'Decision'];
	// n8n renames what is copied together, in its wires, too.
	const copied = (value: object) =>
		names.reduce(
			(all, each) => all.replaceAll(RegExp(`(?<=\\('|"node":")${each}\\b`, 'g'), `${each}1`),
			JSON.stringify(value),
		);
	const wires = JSON.parse(copied(lodash.pick(file.connections, names))) as object;
	const copies = names.map((name) => {
		const node = file.nodes.find((each) => each.name === name)!;
		const approvers = name === 'Ask' && { approvers: [SECOND.id] };
		const parameters = { ...(JSON.parse(copied(node.parameters)) as object), ...approvers };
		return { ...node, parameters, id: randomUUID(), webhookId: randomUUID(), name: `${name}1` };
	});
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	const { main } = file.connections.Decision!;
	const outputs = lodash.map(lodash.get(copies.at(-1), 'parameters.rules.values'), 'outputKey');
	const approved = outputs.indexOf('Approved');
	const again = outputs.findIndex((key) => /remind once$/i.test(key));
	const second = main.map((_, at) =>
		at === approved ? main[at]! : at === again ? to('Ask1') : main[0]!,
	);
	const connections = {
		...file.connections,
		...lodash.mapKeys(wires, (_, name) => `${name}1`),
		Decision: { main: main.map((next, at) => (at === approved ? to(`${names[0]}1`) : next)) },
		...(isPay && { Sum1: { main: [to('Ask1')] } }),
		Decision1: { main: second },
	};
	return { ...file, nodes: [...file.nodes, ...copies], connections };
}

describe.each(ASKING)('$file', ({ of, situation }) => {
	const start = async (change?: (file: WorkflowFile) => WorkflowFile) =>
		await startAsking(harness, of, situation, change);

	/** Lets the time pass in which somebody may answer, also after each reminder. */
	async function nobodyAnswers({ workflow }: Opened, at = 0) {
		for (let asked = at; ; asked++) {
			const all = await eventually(async () => {
				const found = await executions(n8n, workflow);
				const isTime = harness.questions().length > asked || !found.some(isOpen);
				return found.length > 0 && isTime && found;
			});
			if (!all.some(isOpen)) break;
			await harness.runOut(workflow);
		}
	}

	it('asks once more when nobody answers in time, and then does nothing and says so', async () => {
		await nobodyAnswers(await start());
		const [first, reminder, ...more] = harness.questions();
		expect(reminder!.text).toBe(first!.text);
		expect(more).toEqual([]);
		await expectLeft(harness, of);
	});

	it.each([0, 1])('takes a yes after the reminder, on message %i', async (at) => {
		const { workflow } = await start();
		await question(harness);
		await harness.runOut(workflow);
		await question(harness, 1);
		const asked = await question(harness, at);
		// Again if nothing happens, because the run may not wait yet.
		await harness.click(workflow, asked, labelOf(asked, 'yes'));
		await untilEnded(harness, workflow, 1);
		await checkResult(harness, situation);
	});

	it('takes no answer from a person who is not an approver, and names the approver who says no', async () => {
		const opened = await start();
		await answer(harness, opened, 'yes', { user: STRANGER });
		const [notice] = await harness.messages(STRANGER.id, 1);
		expect(notice!.text).toContain('You are not authorized');
		await answer(harness, opened, 'no');
		await untilEnded(harness, opened.workflow, 1);
		await expectLeft(harness, of, APPROVER.name);
	});

	it.each(['Ask', 'Decision'])('does nothing while "%s" is deactivated', async (name) => {
		const { workflow } = await start((file) => withSettings(file, name, { disabled: true }));
		await untilEnded(harness, workflow, 1, situation.press);
		await eventually(async () => told(harness).length > 0);
		expect(done(harness)).toEqual([]);
	});

	it.each([
		['nobody may approve', { approvers: [] }],
		['n8n does not capture who responds', { captureResponder: false }],
	])('does nothing after a yes while %s', async (_, asks) => {
		const { workflow } = await start((file) => withParameters(file, 'Ask', asks));
		const { buttons } = await question(harness);
		const { url } = buttons.at(-1)!;
		if (url) await waits(n8n, workflow).then(async () => await visit(url));
		else await answer(harness, { workflow }, 'yes');
		await untilEnded(harness, workflow, 1);
		await expectLeft(harness, of);
	});

	it.each([
		['both approve', 'yes', 'yes'],
		['the first says no', 'no', undefined],
		['the second says no', 'yes', 'no'],
		['the second does not answer', 'yes', undefined],
	] as const)(
		'asks two people as its note says, and acts only if both approve: %s',
		async (_, first, second) => {
			const opened = await start(askedTwice);
			await answer(harness, opened, first);
			if (first === 'yes')
				expect((await question(harness, 1)).text).toBe((await question(harness)).text);
			if (second) await answer(harness, opened, second, { at: 1, user: SECOND });
			else if (first === 'yes') await nobodyAnswers(opened, 1);
			await untilEnded(harness, opened.workflow, 1);
			if (second === 'yes') return await checkResult(harness, situation);
			const by = second ? SECOND.name : first === 'no' ? APPROVER.name : '';
			await expectLeft(harness, of, by);
		},
	);
});

it('questions that were asked before n8n was killed still count when they are answered afterwards', async () => {
	const opened: Opened[] = [];
	for (const { of, situation } of ASKING) {
		opened.push(await startAsking(harness, of, situation));
		await waits(n8n, opened.at(-1)!.workflow);
	}
	// n8n records a caller as waiting after the workflow that it called.
	await eventually(async () => {
		const all = await executions(n8n);
		return all.every(({ status }) => status !== 'running');
	});
	await harness.scenario.restart('SIGKILL');
	for (const [at, each] of opened.entries()) {
		await answer(harness, each, 'yes', { at });
		const rows = await untilEnded(harness, each.workflow, 1);
		expect(rows.map(({ status }) => status)).toEqual(['success']);
	}
	const effects = ASKING.flatMap(({ situation }) => situation.done ?? []);
	expect(done(harness).sort()).toEqual(effects.sort());
	await eventually(async () => told(harness).length >= ASKING.length);
	for (const { situation } of ASKING)
		for (const pattern of situation.told ?? [])
			expect(told(harness)).toContainEqual(expect.stringMatching(said(pattern)));
});
