import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import lodash from 'lodash';

import { eventually, executions, retryExecution } from '../n8n/executions.mts';
import type { TriggerWorkflow } from '../n8n/workflows.mts';
import { WEB_PATHS } from './web.mts';
import { readWorkflow, WORKFLOWS_FOLDER, type WorkflowNode } from './workflowFiles.mts';
import type { WorkflowHarness } from './workflowHarness.mts';

export const OPERATIONS = 'operations@example.com';

/** Page that lists, for each workflow, what happens when a node fails. */
const PAGE = join(WORKFLOWS_FOLDER, 'README.md');

interface FaultCase {
	file: string;
	node: WorkflowNode;
	name: string;
	fault: 'once' | 'always';
	/** Effect of the fault according to the page. */
	kind: 'unnoticed' | 'told' | 'stops';
	/** Text that a message contains, if it is `told`. */
	text: string;
}

/** Cells of each row of the page's table. The first one is the name of the workflow, also where it is left out. */
function rowsOfPage(): string[][] {
	const rows = readFileSync(PAGE, 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => lodash.map(line.split('|').slice(1, -1), lodash.trim));
	let name = '';
	return rows.slice(1).map(([own, ...cells]) => [(name = own || name), ...cells]);
}

/**
 * Each node of a workflow that uses an external service, except the one that reports failures, with each fault.
 * @throws if the page lists other nodes
 */
export function faultsOf(file: string): FaultCase[] {
	const { name: title, nodes, connections } = readWorkflow(file);
	// A person sees what fails in a branch that he runs by hand.
	const byHand = nodes
		.filter(({ type }) => type.endsWith('.manualTrigger'))
		.map(({ name }) => name);
	for (const name of byHand)
		byHand.push(...(connections[name]?.main.flat() ?? []).map(({ node }) => node));
	const outside = nodes.filter(
		(node) => reached(node) && ![...byHand, 'Email operations'].includes(node.name),
	);
	const listed = rowsOfPage()
		.filter(([name]) => name === title)
		.flatMap(([, steps, once, always]) =>
			steps!.split(', ').map((name) => ({ name, once, always })),
		);
	const namesOf = (list: Array<{ name: string }>) => list.map(({ name }) => name).sort();
	if (!lodash.isEqual(namesOf(listed), namesOf(outside)))
		throw new Error(`${PAGE} lists other nodes of ${title}: ${namesOf(listed).join(', ')}`);
	return listed.flatMap(({ name, once, always }) =>
		(['once', 'always'] as const).map((fault) => {
			const cell = fault === 'once' ? once! : always!;
			const [, kind] = /^(unnoticed|told|stops)\b/.exec(cell) ?? [];
			if (kind === undefined) throw new Error(`${PAGE} has an unknown outcome: ${cell}`);
			const [, text = ''] = /`(.+?)`/.exec(cell) ?? [];
			const node = outside.find((each) => each.name === name)!;
			return { file, node, name, fault, kind: kind as FaultCase['kind'], text };
		}),
	);
}

function reached({
	name,
	type,
	parameters: { operation },
}: WorkflowNode): 'slack' | 'smtp' | 'table' | 'service' | 'web' | 'chain' | undefined {
	if (type === 'n8n-nodes-base.slack') return 'slack';
	if (type === 'n8n-nodes-base.emailSend') return 'smtp';
	if (type === 'n8n-nodes-base.dataTable') return 'table';
	if (name === 'Balance') return 'chain';
	if (/\.(httpRequest|n8n)$/.test(type)) return 'web';
	// These operations send the service nothing.
	const local = ['calculateSweep', 'respond', 'tryRules'].includes(String(operation));
	const sends = type.endsWith('.cardTreasury') && !local;
	return sends ? 'service' : undefined;
}

/** Paths of the service by operation, and of the blockchain's reader. */
const PATHS: Record<string, string> = {
	chain: '^/chain/rpc',
	'card.get': '/cards/individual-cards/',
	'card.unblock': '/unblock',
	'wallet.transfer': '/transfer',
	'productRequest.getMissingRequirements': '/products$',
	'productRequest.submitDocument': '/documentation',
};

/**
 * Makes the counterpart of a node fail realistically: Slack and the mail server refuse, the service rejects, n8n's
 * database is locked. Nodes of a workflow with the same request fail together.
 */
export function breakNode(harness: WorkflowHarness, { node, fault }: FaultCase): void {
	const left = { count: fault === 'once' ? 1 : Infinity };
	const strikes = () => left.count-- > 0;
	const { parameters } = node;
	const kind = reached(node);
	if (kind === 'slack') {
		const asks = parameters.operation === 'sendAndWait';
		harness.slack.refuse = ({ channel, buttons }) =>
			channel === parameters.channelId.value && buttons.length > 0 === asks && strikes()
				? 'channel_not_found'
				: undefined;
	}
	if (kind === 'smtp') harness.smtp.refuse = (recipient) => isOwn(node, recipient) && strikes();
	if (kind === 'table') harness.dataTables.refuse(node.name, fault);
	if (kind === 'web')
		harness.web.refuse = (path) => path.startsWith(WEB_PATHS[node.name]!) && strikes();
	const path = PATHS[kind === 'chain' ? kind : `${parameters.resource}.${parameters.operation}`];
	if (path !== undefined)
		harness.simulator.faults.add({
			...{ kind: 'status', status: 403, match: { path } },
			times: fault === 'once' ? 1 : 1_000,
		});
}

/** True if the node mails to this address. Operations get the mails of two nodes. */
const isOwn = ({ parameters }: WorkflowNode, recipient: string) =>
	parameters.toEmail === OPERATIONS || recipient !== OPERATIONS;

export const alarms = ({ smtp }: WorkflowHarness) =>
	smtp.mails.filter(({ to, subject }) => to === OPERATIONS && subject.endsWith(' stopped'));

/** Waits for the mail about an execution of the workflow that failed at the node. */
export async function alarm(harness: WorkflowHarness, file: string, node: string) {
	const subject = `${readWorkflow(file).name} stopped`;
	const mail = await eventually(async () =>
		alarms(harness).find((candidate) => candidate.subject === subject),
	);
	expect(mail.text).toContain(`stopped at "${node}"`);
	return mail;
}

/** Repairs the fault and presses *Retry* on the workflow's latest failed execution. */
export async function mendAndRetry(
	harness: WorkflowHarness,
	workflow: Pick<TriggerWorkflow, 'id'>,
): Promise<void> {
	const { n8n } = harness.scenario;
	harness.mend();
	// The report of a failure is a separate execution, which can fail too.
	const failed = (await executions(n8n, workflow)).filter(
		({ status, mode }) => status === 'error' && mode !== 'error',
	);
	await retryExecution(n8n, failed.at(-1)!.id);
}
