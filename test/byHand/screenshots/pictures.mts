import type { Editor } from '../../harness/editor/editor.mts';
import type { Reference } from '../../harness/n8n/credentials.mts';
import type { RunningN8n } from '../../harness/n8n/n8n.mts';
import { cardTreasury, manualTrigger, noOp } from '../../harness/n8n/nodes.mts';
import { saveWorkflow } from '../../harness/n8n/workflows.mts';
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

const TRIGGER = {
	name: 'Card Treasury Trigger',
	type: 'n8n-nodes-card-treasury.cardTreasuryTrigger',
	typeVersion: 2,
	position: [0, 0],
	webhookId: 'card-treasury',
};
const START = { ...manualTrigger, position: [0, 0] };

const RULES = [
	{
		name: 'No gambling',
		decision: 'decline',
		conditions: { merchantTypes: ['gambling'] },
	},
	{
		name: 'Small purchases',
		decision: 'approve',
		conditions: { amountTo: '250.00', currencies: 'USD' },
	},
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
			await editor.fill('number', 'X1234567');
			return PANEL;
		},
	},
	{
		name: 'trigger-rules',
		height: 1720,
		async compose({ n8n, editor, credentials }) {
			const events = ['cards.authorization', 'cards.card_blocked_by_velocity', 'treasury.transfer'];
			await open(n8n, editor, [
				{ ...TRIGGER, credentials, parameters: { events, rules: { rule: RULES } } },
			]);
			await editor.openNode(TRIGGER.name);
			return PANEL;
		},
	},
	{
		name: 'trigger-outputs',
		async compose({ n8n, editor, credentials }) {
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
			const wires = {
				[TRIGGER.name]: { main: nodes.map(({ name }) => [{ node: name, type: 'main', index: 0 }]) },
			};
			await open(
				n8n,
				editor,
				[{ ...TRIGGER, credentials, parameters: { events: Object.keys(branches) } }, ...nodes],
				wires,
			);
		},
	},
	...WORKFLOW_FILES.map((file) => ({
		name: `workflow-${file.replace('.json', '')}`,
		async compose({ n8n, editor, credentials }: Studio) {
			const { id } = await importWorkflow(
				n8n,
				await callable(n8n, withCredentials(readWorkflow(file), credentials)),
			);
			await editor.openWorkflow(id);
		},
	})),
];

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

async function openAction({ n8n, editor, credentials }: Studio, parameters: object): Promise<void> {
	const action = { ...cardTreasury(parameters, credentials.cardTreasuryApi!), position: [240, 0] };
	const wires = { Start: { main: [[{ node: action.name, type: 'main', index: 0 }]] } };
	await open(n8n, editor, [START, action], wires);
	await editor.openNode(action.name);
}

async function open(
	n8n: RunningN8n,
	editor: Editor,
	nodes: object[],
	connections: object = {},
): Promise<void> {
	const { id } = await saveWorkflow(n8n, 'Card Treasury', nodes, connections);
	await editor.openWorkflow(id);
}
