import type { Editor } from '../../harness/editor/editor.mts';
import type { Reference } from '../../harness/n8n/credentials.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import {
	cardTreasury,
	cardTreasuryTrigger,
	manualTrigger,
	nodeOf,
	noOp,
} from '../../harness/n8n/nodes.mts';
import { inARow, saveWorkflow, type ChainNode } from '../../harness/n8n/workflows.mts';
import {
	importWorkflow,
	readWorkflow,
	withCredentials,
	withParameters,
	WORKFLOW_FILES,
	type WorkflowFile,
} from '../../harness/workflows/workflowFiles.mts';
import { IDS } from '../../simulator/index.mts';

/** Scene of a picture: a real n8n with credentials for the simulator, and its editor. */
interface Studio {
	n8n: RunningN8n;
	editor: Editor;
	credentials: Record<string, Reference>;
}

interface Picture {
	name: string;
	height?: number;
	/** Prepares the scene and returns the part of the page to show; by default the workflow on the canvas. */
	compose(studio: Studio): Promise<string | void>;
}

const PANEL = '[data-test-id="ndv"]';

const TRIGGER = 'Card Treasury Trigger';
const trigger = ({ credentials }: Studio, parameters: object) => ({
	...cardTreasuryTrigger(credentials.cardTreasuryApi!, parameters),
	...{ name: TRIGGER, position: [0, 0], webhookId: 'card-treasury' },
});

const upTo = (amountTo: string) => ({ amountTo, currencies: 'USD' });
const RULES = [
	{ name: 'No gambling', decision: 'decline', conditions: { merchantTypes: ['gambling'] } },
	{ name: 'Small purchases', decision: 'approve', conditions: upTo('250.00') },
];

export const PICTURES: Picture[] = [
	{
		name: 'credential',
		async compose(studio) {
			await openAction(studio, { resource: 'token', operation: 'getAll' });
			await studio.editor.openCredential();
			return '[data-test-id="editCredential-modal"]';
		},
	},
	{
		name: 'submit-document',
		height: 1250,
		async compose(studio) {
			await openAction(studio, {
				resource: 'productRequest',
				operation: 'submitDocument',
				clientId: IDS.client,
			});
			const { editor } = studio;
			await (await editor.openList('productRequestId')).pick(0);
			const types = await editor.openList('documentType');
			await types.search('passport');
			await types.pick(0);
			const number = editor.parameter('number').locator('input');
			await number.fill('X1234567');
			await number.blur();
			return PANEL;
		},
	},
	{
		name: 'trigger-rules',
		height: 1720,
		async compose(studio) {
			const events = ['cards.authorization', 'cards.card_blocked_by_velocity', 'treasury.transfer'];
			await open(studio, [trigger(studio, { events, rules: { rule: RULES } })]);
			await studio.editor.openNode(TRIGGER);
			return PANEL;
		},
	},
	{
		name: 'trigger-outputs',
		async compose(studio) {
			const branches = {
				'cards.authorization': 'Log the decision',
				'cards.card_blocked_by_velocity': 'Ask a person',
				'company_activity.client_status': 'Chase the client',
				'treasury.transfer': 'Confirm the sweep',
			};
			const nodes = Object.values(branches).map((name, index) => ({
				...noOp(name),
				position: [480, index * 160 - 240],
			}));
			const main = nodes.map(({ name }) => [{ node: name, type: 'main', index: 0 }]);
			const events = Object.keys(branches);
			await open(studio, [trigger(studio, { events }), ...nodes], { [TRIGGER]: { main } });
		},
	},
	{
		name: 'payroll',
		compose: async (studio) => await openFile(studio, PAYROLL),
	},
	...WORKFLOW_FILES.map((file) => ({
		name: `workflow-${file.replace('.json', '')}`,
		compose: async (studio: Studio) =>
			await openFile(studio, withCredentials(readWorkflow(file), studio.credentials)),
	})),
];

/** The workflow of docs/payroll.md. */
const PAYROLL = chain('Payroll', [
	nodeOf('Schedule Trigger', 'scheduleTrigger', 1.3, {
		rule: { interval: [{ field: 'months', triggerAtDayOfMonth: 25, triggerAtHour: 9 }] },
	}),
	nodeOf('Get row(s)', 'dataTable', 1.1, {
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: 'Salaries' },
		returnAll: true,
	}),
	nodeOf('Pay', 'executeWorkflow', 1.3),
	nodeOf('Tell', 'executeWorkflow', 1.3),
]);

function chain(name: string, nodes: ChainNode[]): WorkflowFile {
	const placed = nodes.map((node, at) => ({ ...node, position: [at * 240, 0] }));
	return { name, nodes: placed, connections: inARow(nodes) } as WorkflowFile;
}

async function openFile({ n8n, editor }: Studio, file: WorkflowFile) {
	const { id } = await importWorkflow(n8n, await callable(n8n, file));
	await editor.openWorkflow(id);
}

/** Selects a workflow in every field that needs one. */
async function callable(n8n: RunningN8n, workflow: WorkflowFile): Promise<WorkflowFile> {
	let chosen = workflow;
	for (const { name, type } of workflow.nodes) {
		if (type !== 'n8n-nodes-base.executeWorkflow') continue;
		const { id } = await saveWorkflow(n8n, name, []);
		chosen = withParameters(chosen, name, {
			workflowId: { __rl: true, mode: 'list', value: id, cachedResultName: name },
		});
	}
	return chosen;
}

async function openAction(studio: Studio, parameters: object): Promise<void> {
	const node = cardTreasury(parameters, studio.credentials.cardTreasuryApi!);
	const { nodes, connections } = chain('', [manualTrigger, node]);
	await open(studio, nodes, connections);
	await studio.editor.openNode(node.name);
}

async function open({ n8n, editor }: Studio, nodes: object[], connections: object = {}) {
	const { id } = await saveWorkflow(n8n, 'Card Treasury', nodes, connections);
	await editor.openWorkflow(id);
}
