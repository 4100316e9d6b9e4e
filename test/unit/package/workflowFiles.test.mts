import lodash from 'lodash';

import { summaryOf, type Envelope } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { faultsOf } from '../../harness/workflows/faults.mts';
import { expressionsIn, operatorsIn } from '../../harness/workflows/operators.mts';
import {
	readWorkflow,
	WORKFLOW_FILES,
	type WorkflowNode,
} from '../../harness/workflows/workflowFiles.mts';

const MOST_NODES = 14;
const MOST_OPERATORS = 20;
/** What fits into a line of the panel. */
const LONGEST_EXPRESSION = 120;

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';

/** Types of nodes that n8n gives a URL. */
const WITH_WEBHOOK = /\.(cardTreasuryTrigger|formTrigger|form|wait)$/;

/** Fields that may be put into a message: made by this package, by n8n, typed by the user, or numbers. */
const HARMLESS =
	/^((appended_)?summary(\[\d\])?|concatenated_summary|count_\w+|what|question|(sum_)?asked(_amount)?|\$\('(Row|To look at)'\)\.all\(\)\.length|appended_(client_id|confirmation|outcome)\[\d\]|id|updated_at|data\.responder\.name)$/;

/** What e2e notices of a file has no row here: wrong nodes, parameters, wires, approvals. */
const ALL = WORKFLOW_FILES.flatMap((file) =>
	readWorkflow(file).nodes.map((node) => ({ ...node, file })),
);

it('the workflows have at most 20 operators in all', () => {
	const operators = ALL.flatMap(expressionsIn).flatMap(operatorsIn);
	expect(operators.length).toBeLessThanOrEqual(MOST_OPERATORS);
});

it('tables of one name have the same columns in each workflow', () => {
	const tables = ALL.filter(({ parameters }) => parameters.resource === 'table');
	for (const same of Object.values(lodash.groupBy(tables, 'parameters.tableName'))) {
		const columns = lodash.map(same, 'parameters.columns.column');
		expect(lodash.uniqWith(columns, lodash.isEqual)).toHaveLength(1);
	}
});

it('one node sends money: the Transfer of *Pay*, which checks first, and is shipped for nobody', () => {
	const dryRun = "={{ $json.outcome != 'dry_run' }}";
	const options = { dryRun, allowedRecipients: `0x${'0'.repeat(40)}` };
	const maximumAmount = expect.stringMatching(/^\d+$/);
	expect(ALL.filter(({ parameters }) => parameters.operation === 'transfer')).toMatchObject([
		{ file: 'pay.json', name: 'Transfer', parameters: { maximumAmount, options } },
	]);
});

it('calls pass items on: choosing a workflow in n8n empties what a call has filled in, and makes a boolean false', () => {
	const [calls, triggers] = ['executeWorkflow', 'executeWorkflowTrigger'].map((name) =>
		ALL.filter(({ type }) => type === `n8n-nodes-base.${name}`).map(({ parameters }) => parameters),
	);
	expect(calls!.filter(({ workflowInputs: inputs }) => !lodash.isEmpty(inputs?.value))).toEqual([]);
	const inputs = triggers!.flatMap(
		({ workflowInputs }) => workflowInputs?.values ?? [],
	) as object[];
	expect(lodash.filter(inputs, { type: 'boolean' })).toEqual([]);
});

describe.each(WORKFLOW_FILES)('%s', (file) => {
	const { nodes, connections, pinData, settings } = readWorkflow(file);
	const working = nodes.filter((node) => !isNote(node));
	const [setUp] = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
	const nodeOf = new Map(nodes.map((node) => [node.name, node]));
	const asking = working.filter(({ parameters }) => parameters.operation === 'sendAndWait');

	const isGate = ({ type }: WorkflowNode) => /\.(if|switch)$/.test(type);
	/** True for a write of the service, and for a mail to a client. */
	const isWrite = ({ parameters: { operation, toEmail } }: WorkflowNode) =>
		String(toEmail).startsWith('=') ||
		/^(transfer|unblock|submitDocument)$/.test(String(operation));

	/** Names of the nodes behind an output, up to the next gates. */
	function behind(from: string, output: number, seen = new Set<string>()): Set<string> {
		for (const { node: name } of connections[from]?.main[output] ?? []) {
			if (seen.has(name)) continue;
			seen.add(name);
			if (isGate(nodeOf.get(name)!)) continue;
			for (const at of connections[name]?.main.keys() ?? []) behind(name, at, seen);
		}
		return seen;
	}

	it('the workflow fits on a screen, and every expression into a line of the panel', () => {
		expect(working.length).toBeLessThanOrEqual(MOST_NODES);
		const long = working.flatMap(expressionsIn).filter((text) => text.length > LONGEST_EXPRESSION);
		expect(long).toEqual([]);
	});

	it('the workflow has no Code node and no credential', () => {
		const isCode = ({ type }: WorkflowNode) => /\.(code|function|executeCommand)/i.test(type);
		expect(working.filter((node) => isCode(node) || node.credentials !== undefined)).toEqual([]);
	});

	it('a deactivated If or Switch, which passes everything to its first output, leads to no write', () => {
		for (const { name } of working.filter(isGate)) {
			const writes = [...behind(name, 0)].filter((node) => isWrite(nodeOf.get(node)!));
			expect({ name, writes }).toEqual({ name, writes: [] });
		}
	});

	it('the workflow brings the IDs of its URLs, and no time limit that n8n would end in silence', () => {
		const withUrl = working.filter((node) => WITH_WEBHOOK.test(node.type) || asking.includes(node));
		const webhookId = expect.stringMatching(/^[\da-f-]{36}$/);
		for (const node of withUrl) expect(node).toMatchObject({ webhookId });
		expect(settings).toMatchObject({ executionTimeout: -1 });
	});

	it('the note says that a change must be published, and how to stop everything', () => {
		expect(setUp).toContain('Publish again after every change');
		expect(setUp).toContain('## Stop everything');
		if (asking.length === 0) return;
		expect(setUp).toMatch(/press \*Stop\* on the waiting executions/);
		expect(setUp).toContain('before 2.32');
	});

	it('messages contain only harmless texts', () => {
		const fields = working
			.filter(({ type }) => type.endsWith('.slack'))
			.map(({ parameters: { text, message } }) => ({ parameters: { text, message } }) as never)
			.flatMap(expressionsIn)
			.map((code) => code.replace(/^.*\.json\.|^\$json\./, ''));
		expect(fields.filter((field) => !HARMLESS.test(field))).toEqual([]);
	});

	it('sample events have the summary that the trigger gives them', () => {
		const samples = Object.values(pinData).flat() as Array<{ json: Envelope }>;
		for (const { json } of samples.filter((sample) => 'event_type' in sample.json))
			expect(json.summary).toBe(summaryOf(json));
	});

	it('the workflow is listed node by node on the page about failing steps', () =>
		expect(() => faultsOf(file)).not.toThrow());
});
