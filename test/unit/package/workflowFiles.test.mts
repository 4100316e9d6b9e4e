import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import type { ItemOutcome } from '../../../nodes/CardTreasury/operations/work.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { summaryOf } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { faultsOf } from '../../harness/workflows/faults.mts';
import { expressionsIn, operatorsIn, textsIn } from '../../harness/workflows/operators.mts';
import {
	readWorkflow,
	WORKFLOW_FILES,
	type WorkflowNode,
} from '../../harness/workflows/workflowFiles.mts';

const DESCRIPTIONS: Record<string, INodeTypeDescription> = {
	'n8n-nodes-card-treasury.cardTreasury': new CardTreasury().description,
	'n8n-nodes-card-treasury.cardTreasuryTrigger': new CardTreasuryTrigger().description,
};

/** What fits on a screen, and into a line of the panel. */
const MOST_NODES = 12;
const LONGEST_EXPRESSION = 120;

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';

/** Operators that each workflow needs, with the reason. The others are fields that were dragged. */
const OPERATORS: Record<string, Record<string, string>> = {
	'card-blocked-by-velocity.json': {
		'%': 'gives each of many blocks a second of its own',
		'?:': 'true and false are no words for an answer',
	},
	'event-router.json': {},
	'kyc-reminders.json': { '.plus()': 'a link works for 14 days' },
	'kyc-status-changed.json': { '* %': 'gives each of many changes two seconds of its own' },
	'kyc-upload.json': {
		'.map() =>': 'n8n has no other way to build a form from data: the document types …',
		'.map() => ': '… and the fields of a type …',
		'.fromEntries() .map() =>': '… which go back under their IDs',
		'?:': 'a file that was not sent is no back image',
		'||': 'a link without use, or without a document to send, has an answer too',
	},
	'pay-invoices.json': { '?:': 'true and false are no words for an answer' },
	'treasury-confirmations.json': {
		'||': 'an event without a hash has no payment with that hash',
		'|| ': 'the payment was found by hash or by its values',
		'.minus()': 'the list takes what is a day old',
	},
	'treasury-sweep-with-approval.json': {
		'?:': 'a no has no outcome …',
		'?: ': '… and neither has a question that nobody answers',
	},
	'treasury-sweep.json': {},
};
const MOST_OPERATORS = 20;

/** Every outcome of a write. */
const ANY_OUTCOME: Record<ItemOutcome, true> = {
	done: true,
	pending: true,
	already_sent: true,
	nothing_to_send: true,
	dry_run: true,
	failed: true,
	rejected: true,
	unknown: true,
	not_sent: true,
	accepted: true,
};

/** Order in which n8n's editor chooses the trigger of *Execute workflow*. Triggers of packages have 8. */
const TRIGGERS: Record<string, number> = {
	'n8n-nodes-base.formTrigger': 10,
	'n8n-nodes-card-treasury.cardTreasuryTrigger': 8,
	'n8n-nodes-base.scheduleTrigger': 7,
	'n8n-nodes-base.errorTrigger': 4,
	'n8n-nodes-base.executeWorkflowTrigger': 0,
};

/** Types of nodes that n8n gives a URL. */
const WITH_WEBHOOK = /\.(cardTreasuryTrigger|formTrigger|form|wait)$/;

/** Mapping of a node that writes rows of a data table. */
interface Columns {
	schema: Array<{ id: string; type: string; removed: boolean }>;
	value: Record<string, string>;
}

const asINode = ({ id, name, type, typeVersion, position, parameters }: WorkflowNode): INode => ({
	id,
	name,
	type,
	typeVersion,
	position,
	parameters,
});

/** Fields that may be put into a message: made by this package, by n8n or numbers. */
const HARMLESS =
	/^((appended_)?summary(\[\d\])?|concatenated_summary|for_client|total|count_\w+|appended_id\[\d\]|appended_confirmation\[\d\]|id|updated_at|\['Readable date'\]|data\.approved( \? '[^']+' : '[^']+')?|data\.responder\.name|appended_decided_by\[0\]|delivery\.schema_issues|.*\.all\(\)\.length)$/;

it('the workflows have at most 20 operators in all', () => {
	const all = WORKFLOW_FILES.flatMap((file) => readWorkflow(file).nodes)
		.flatMap(expressionsIn)
		.flatMap(operatorsIn);
	expect(all.length).toBeLessThanOrEqual(MOST_OPERATORS);
});

it('tables of one name have the same columns in each workflow', () => {
	const tables = WORKFLOW_FILES.flatMap((file) => readWorkflow(file).nodes).filter(
		({ parameters }) => parameters.resource === 'table',
	);
	const kinds = tables.map(({ parameters }) =>
		JSON.stringify([parameters.tableName, parameters.columns]),
	);
	expect(new Set(kinds).size).toBe(new Set(tables.map((t) => t.parameters.tableName)).size);
});

it('an invoice that must not be asked about is not overwritten either', () => {
	const { nodes } = readWorkflow('pay-invoices.json');
	const conditionsOf = (name: string, ...columns: string[]) => {
		const { filters } = nodes.find((node) => node.name === name)!.parameters;
		const all = filters.conditions as Array<{ keyName: string; condition: string }>;
		return all.filter(({ keyName }) => columns.includes(keyName));
	};
	const asked = conditionsOf('Due', 'outcome', 'confirmation');
	// A row without an outcome, or of which nothing was sent, can be asked about.
	const others = Object.keys(ANY_OUTCOME).filter(
		(outcome) => !['dry_run', 'not_sent', 'rejected'].includes(outcome),
	);
	expect(asked.filter(({ keyName }) => keyName === 'outcome')).toEqual(
		expect.arrayContaining(
			others.map((keyValue) => ({ keyName: 'outcome', condition: 'neq', keyValue })),
		),
	);
	expect(conditionsOf('Remember what is asked', 'outcome', 'confirmation')).toEqual(asked);
	expect(conditionsOf('Asked rows', 'confirmation')).toEqual(
		asked.filter(({ keyName }) => keyName === 'confirmation'),
	);
});

/** Columns that the workflows make, by table. */
const COLUMNS = new Map(
	WORKFLOW_FILES.flatMap((file) => readWorkflow(file).nodes)
		.filter(({ parameters }) => parameters.resource === 'table')
		.map(({ parameters }) => [
			parameters.tableName as string,
			parameters.columns.column as Array<{ name: string; type: string }>,
		]),
);

describe.each(WORKFLOW_FILES)('%s', (file) => {
	const { nodes, connections, pinData } = readWorkflow(file);
	const working = nodes.filter((node) => !isNote(node));
	const names = nodes.map(({ name }) => name);
	const ofThePack = nodes.filter(({ type }) => type in DESCRIPTIONS);

	it('the workflow fits on a screen, and every expression into a line of the panel', () => {
		expect(working.length).toBeLessThanOrEqual(MOST_NODES);
		const long = working.flatMap(expressionsIn).filter((text) => text.length > LONGEST_EXPRESSION);
		expect(long).toEqual([]);
	});

	it('the workflow has no Code node and no credential', () => {
		expect(working.filter(({ type }) => /\.(code|function|executeCommand)/i.test(type))).toEqual(
			[],
		);
		expect(working.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	it('the workflow has only the operators that it needs', () => {
		const found = working.flatMap(expressionsIn).flatMap(operatorsIn);
		const needed = Object.keys(OPERATORS[file]!).flatMap((operators) =>
			operators.trim().split(' '),
		);
		expect(found.sort()).toEqual(needed.sort());
	});

	it('the workflow has one node at most that sends money, which remembers what it has sent', () => {
		const transfers = ofThePack.filter(({ parameters }) => parameters.operation === 'transfer');
		for (const { parameters } of transfers)
			expect(parameters).toMatchObject({ options: { dryRun: true } });
		const sending = transfers.filter(({ name }) => name === 'Transfer');
		expect(sending.length).toBeLessThanOrEqual(1);
		// Check of "Pay invoices from a table" only checks, as its note says.
		expect(transfers.filter(({ name }) => name !== 'Transfer' && name !== 'Check')).toEqual([]);
	});

	it('a deactivated If or Switch leads to no write', () => {
		// n8n hands everything to the first output of a node that is deactivated.
		const isGate = ({ type }: WorkflowNode) => /\.(if|switch)$/.test(type);
		const nodeOf = new Map(nodes.map((node) => [node.name, node]));
		const reached = (name: string, seen = new Set<string>()): Set<string> => {
			const node = nodeOf.get(name)!;
			if (seen.has(name) || isGate(node)) return seen;
			seen.add(name);
			for (const { node: next } of (connections[name]?.main ?? []).flat()) reached(next, seen);
			return seen;
		};
		const writes = /^(transfer|unblock|submitDocument|request)$/;
		for (const { name } of working.filter(isGate)) {
			const first = (connections[name]?.main[0] ?? []).flatMap(({ node }) => [...reached(node)]);
			const found = first.filter((next) => {
				const { type, parameters } = nodeOf.get(next)!;
				return type in DESCRIPTIONS && writes.test(String(parameters.operation));
			});
			expect({ gate: name, found }).toEqual({ gate: name, found: [] });
		}
	});

	it('a write behind a question is refused without its answer, whatever the If says', () => {
		const asks = working.filter(({ parameters }) => parameters.operation === 'sendAndWait');
		if (asks.length === 0) return;
		const writes = ofThePack.filter(({ parameters }) =>
			['transfer', 'unblock'].includes(String(parameters.operation)),
		);
		const options = writes.map(({ parameters }) => parameters.options as Record<string, string>);
		const after = /^=\{\{ \$\('[^']+'\)\.(item|first\(\))\.json\.data\.approved \}\}$/;
		// Check comes before the question, so that its answer is missing.
		const before = '={{ $json.data.approved }}';
		expect(options.filter(({ approved }) => after.test(approved!))).toHaveLength(1);
		expect(options.filter(({ approved }) => !after.test(approved!) && approved !== before)).toEqual(
			[],
		);
		const { approvalAbove } = options.find(({ approved }) => after.test(approved!))!;
		// The node that lets small sweeps pass takes its limit from the one that sends.
		const limits = ofThePack.flatMap(({ parameters }) =>
			parameters.operation === 'calculateSweep'
				? [(parameters.options as Record<string, string>).approvalAbove]
				: [],
		);
		expect(limits).toEqual(
			approvalAbove === undefined ? [] : ["={{ $('Transfer').params.options.approvalAbove }}"],
		);
		if (approvalAbove === undefined) return;
		const { rules } = working.find(({ type }) => type.endsWith('.switch'))!.parameters as {
			rules: { values: Array<{ outputKey: string; conditions: { conditions: object[] } }> };
		};
		expect(rules.values.find(({ outputKey }) => outputKey === 'Small')!.conditions).toMatchObject({
			combinator: 'and',
			conditions: [
				{ leftValue: '={{ $json.due }}', operator: { operation: 'true' } },
				{
					leftValue: '={{ $json.approval }}',
					operator: { operation: 'equals' },
					rightValue: 'not_needed',
				},
			],
		});
	});

	it('the workflow brings the IDs of its URLs, and no time limit that n8n would end in silence', () => {
		const withUrl = working.filter(
			({ type, parameters }) => WITH_WEBHOOK.test(type) || parameters.operation === 'sendAndWait',
		);
		for (const { name, webhookId } of withUrl)
			expect({ name, webhookId }).toEqual({
				name,
				webhookId: expect.stringMatching(/^[\da-f-]{36}$/),
			});
		expect(readWorkflow(file).settings).toMatchObject({ executionTimeout: -1 });
	});

	it('Execute workflow starts the main trigger', () => {
		const [main] = working
			.filter(({ type }) => type in TRIGGERS)
			.sort((a, b) => TRIGGERS[b.type]! - TRIGGERS[a.type]!);
		expect(main!.type).not.toBe('n8n-nodes-base.errorTrigger');
		expect(main!.position[0]).toBe(0);
	});

	it('the note says that a change takes effect when it is published', () => {
		const [setUp] = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(setUp).toContain('Publish again after every change');
	});

	it('the note says how to stop everything, waiting executions too', () => {
		const [setUp] = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(setUp).toContain('## Stop everything');
		const waits = working.some(({ parameters }) => parameters.operation === 'sendAndWait');
		if (waits) expect(setUp).toMatch(/press \*Stop\* on the waiting executions/);
	});

	it('messages contain only harmless texts, and a bounded number of them', () => {
		const messages = working
			.filter(({ type, parameters }) => type.endsWith('.slack') && parameters.text !== undefined)
			.flatMap(expressionsIn);
		const fields = messages.map((code) => code.replace(/^.*\.json(\.|(?=\[))|^\$json\./, ''));
		expect(fields.filter((field) => !HARMLESS.test(field))).toEqual([]);
		// All rows stand in one field, so that few rows may be read.
		if (!fields.includes('concatenated_summary')) return;
		const [read] = working.filter(({ parameters }) => parameters.operation === 'get');
		expect(read!.parameters).toMatchObject({ returnAll: false });
		expect(read!.parameters.limit).toBeLessThanOrEqual(10);
	});

	it('each node that writes rows lists every column, so that the editor does not call them outdated', () => {
		const writing = working.filter(({ parameters }) => parameters.columns?.schema !== undefined);
		for (const { name, parameters } of writing) {
			const { schema, value } = parameters.columns as Columns;
			const columns = COLUMNS.get(parameters.dataTableId.value as string)!.map((column) => ({
				id: column.name,
				type: column.type === 'date' ? 'dateTime' : column.type,
				removed: !(column.name in value),
			}));
			const listed = schema.map(({ id, type, removed }) => ({ id, type, removed }));
			expect({ name, listed }).toEqual({ name, listed: columns });
			expect(Object.keys(value).filter((id) => !columns.some((each) => each.id === id))).toEqual(
				[],
			);
		}
	});

	it('sample events have the summary that the trigger gives them', () => {
		const events = Object.values(pinData).flat() as Array<{
			json: { summary: string } & Parameters<typeof summaryOf>[0];
		}>;
		for (const { json } of events) expect(json.summary).toBe(summaryOf(json));
	});

	it('no line of a message ends with a label of something that may be missing', () => {
		const lines = working
			.filter(({ type }) => type.endsWith('.slack'))
			.flatMap(({ parameters }) => textsIn([parameters.text, parameters.message]))
			.flatMap((text) => text.split('\n'));
		// First of the fields at the end of a line that has a label.
		const last = lines.flatMap(
			(line) => /[^\s{}=][^{}]*\{\{([^{}]*)\}\}[\s{}$.\w[\]]*$/.exec(line)?.[1] ?? [],
		);
		const always =
			/(summary|count_\w+|updated_at|blocked_at|length|json\.to|json\.token_address) $/;
		expect(last.filter((field) => !always.test(field))).toEqual([]);
	});

	it('the workflow is listed node by node on the page about failing steps', () =>
		expect(() => faultsOf(file)).not.toThrow());

	it('sub-workflows are called in the form that loses no event', () => {
		const calling = working.filter(({ type }) => type.endsWith('.executeWorkflow'));
		expect(calling.filter(({ parameters }) => 'mode' in parameters)).toEqual([]);
		expect(calling.filter(({ onError }) => onError !== undefined)).toEqual([]);
	});

	it('the workflow names only nodes that are there, each name once', () => {
		const named = [
			...Object.keys(connections),
			...Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node)),
			...Object.keys(pinData),
			...working
				.flatMap(({ parameters }) => textsIn(parameters))
				.flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name!)),
		];
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
	});

	it('the nodes of this package have valid and complete parameters', () => {
		for (const node of ofThePack) {
			const description = DESCRIPTIONS[node.type]!;
			const { properties } = description;
			const known = NodeHelpers.getNodeParameters(
				properties,
				node.parameters,
				true,
				false,
				asINode(node),
				description,
			);
			expect(known).toMatchObject(node.parameters);
			const issues = NodeHelpers.getNodeParametersIssues(properties, asINode(node), description);
			expect({ node: node.name, issues }).toEqual({ node: node.name, issues: null });
		}
	});
});
