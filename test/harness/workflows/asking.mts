import { eventually } from '../n8n/executions.mts';
import type { SlackMessage, SlackUser } from '../slack/slackStandIn.mts';
import { CASES } from './cases.mts';
import type { Case, Situation } from './cases/case.mts';
import { readTable } from './dataTables.mts';
import { PAID } from './rows.mts';
import { done, openCase, prepare, told, type Opened } from './runCase.mts';
import { readWorkflow, type WorkflowFile } from './workflowFiles.mts';
import { APPROVER, type WorkflowHarness } from './workflowHarness.mts';

/** Usual situation of each workflow that asks a person. */
export const ASKING = CASES.filter(({ file }) =>
	readWorkflow(file).nodes.some(({ parameters }) => parameters.operation === 'sendAndWait'),
).map((of) => ({ file: of.file, of, situation: Object.values(of.situations)[0]! }));

export async function startAsking(
	harness: WorkflowHarness,
	of: Case,
	situation: Situation,
	change?: (file: WorkflowFile) => WorkflowFile,
) {
	const opened = await openCase(harness, of.file, change);
	await prepare(harness, situation);
	await opened.begin(situation.event);
	return opened;
}

export const question = async (harness: WorkflowHarness, at = 0) =>
	await eventually(async () => harness.questions()[at]);

/** Label of the button for a yes, which n8n puts last, or of the one for a no. */
export const labelOf = ({ buttons }: SlackMessage, answer: 'yes' | 'no') =>
	buttons.at(answer === 'yes' ? -1 : 0)!.label;

/** Answers the question at this place as a person, once the workflow waits. */
export async function answer(
	harness: WorkflowHarness,
	{ workflow }: Pick<Opened, 'workflow'>,
	yesOrNo: 'yes' | 'no',
	{ at = 0, user = APPROVER }: { at?: number; user?: SlackUser } = {},
): Promise<void> {
	const asked = await question(harness, at);
	await harness.press(workflow, asked, labelOf(asked, yesOrNo), user);
}

/** Checks that nothing was done, and that the only message says so. Here or in the row of the payment stands by whom. */
export async function expectLeft(harness: WorkflowHarness, { file }: Case, by = ''): Promise<void> {
	await eventually(async () => told(harness).length > 0);
	expect(told(harness)).toEqual([expect.stringMatching(/left (blocked|unpaid)/i)]);
	const [text] = told(harness);
	const [row] = file === 'pay.json' ? await readTable(harness.scenario.n8n, PAID) : [];
	expect(row ? row.summary : text).toMatch(new RegExp(`Left .*by.*${by}`));
	if (row) expect(row.outcome).toBe('not_sent');
	expect(done(harness)).toEqual([]);
}
