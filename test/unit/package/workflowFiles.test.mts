import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { summaryOf, type Envelope } from '../../../nodes/CardTreasuryTrigger/events.ts';
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

const MOST_NODES = 14;
const MOST_OPERATORS = 20;
/** What fits into a line of the panel. */
const LONGEST_EXPRESSION = 120;

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';

/** Operators that each workflow needs, with the reason. The others are fields that were dragged. */
const OPERATORS: Record<string, Record<string, string>> = {
	'card-blocked-by-velocity.json': { '%': 'gives each of many blocks a second of its own' },
	'decide-purchases.json': { '.toJsonString()': 'a column of a data table takes no object' },
	'event-router.json': {},
	'kyc-follow-up.json': {
		'.plus()': 'the next mail follows after as long as the client has waited',
	},
	'kyc-status-changed.json': { '%': 'gives each of many changes a second of its own' },
	'kyc-upload.json': {
		'.map() => `${}`': 'n8n has no other way to build a form from data: the document types …',
		'.map() =>': '… and the fields of a type …',
		'.fromEntries() .map() =>': '… which go back under their IDs',
		'?:': 'a file that was not sent is no back image',
	},
	'pay.json': {
		'!=': 'Transfer checks first, and then sends what was due …',
		'$jmespath()': '… after a question, unless each item of the list needs none',
	},
	'pay-for-an-agent.json': {},
	'pay-invoices.json': {},
	'payments-of-the-month.json': {},
	'treasury-confirmations.json': {
		'||': 'the payment was found by hash or by its values',
		'|| ?.': 'an event names no token for the native coin',
		'.toLowerCase()': 'a status may come in any letter case',
	},
	'tell-payments.json': {},
	'treasury-sweep.json': {},
	'watch.json': { '.minus()': 'each workflow has a gap of its own' },
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

/** Fields that may be put into a message: made by this package, by n8n, typed by the user, or numbers. */
const HARMLESS =
	/^((appended_)?summary(\[\d\])?|concatenated_summary|count_\w+|what|\$\('To look at'\)\.all\(\)\.length|appended_(client_id|confirmation|outcome)\[\d\]|id|updated_at|data\.responder\.name)$/;

/** Mapping of a node that writes rows of a data table. */
interface Columns {
	schema: Array<{ id: string; type: string; removed: boolean }>;
	value: Record<string, string>;
}

const asINode = ({ id, name, type, typeVersion, position, parameters }: WorkflowNode): INode => ({
	...{ id, name, type, typeVersion, position, parameters },
});

const ALL = WORKFLOW_FILES.flatMap((file) => readWorkflow(file).nodes);

const tables = ALL.filter(({ parameters }) => parameters.resource === 'table');

/** Columns that the workflows make, by table. */
const COLUMNS = new Map(
	tables.map(({ parameters: { tableName, columns } }) => [
		tableName as string,
		columns.column as Array<{ name: string; type: string }>,
	]),
);

it('the workflows have at most 20 operators in all', () => {
	expect(ALL.flatMap(expressionsIn).flatMap(operatorsIn).length).toBeLessThanOrEqual(
		MOST_OPERATORS,
	);
});

it('tables of one name have the same columns in each workflow', () => {
	for (const { parameters } of tables)
		expect(parameters.columns.column).toEqual(COLUMNS.get(parameters.tableName as string));
});

describe.each(WORKFLOW_FILES)('%s', (file) => {
	const { nodes, connections, pinData, settings } = readWorkflow(file);
	const working = nodes.filter((node) => !isNote(node));
	const [setUp] = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
	const names = nodes.map(({ name }) => name);
	const nodeOf = new Map(nodes.map((node) => [node.name, node]));
	const ofThePack = nodes.filter(({ type }) => type in DESCRIPTIONS);
	const asking = working.filter(({ parameters }) => parameters.operation === 'sendAndWait');

	const isGate = ({ type }: WorkflowNode) => /\.(if|switch)$/.test(type);
	/** True for a write of the service, and for a mail to a client. */
	const isWrite = ({ name, parameters: { operation, toEmail } }: WorkflowNode) =>
		String(toEmail).startsWith('=') ||
		(/^(transfer|unblock|submitDocument)$/.test(String(operation)) && name !== 'Check');

	/** Names of the nodes behind an output, up to those where it ends. */
	function behind(
		from: string,
		output: number,
		endsAt = (_: WorkflowNode) => false,
		seen = new Set<string>(),
	): Set<string> {
		for (const { node: name } of connections[from]?.main[output] ?? []) {
			if (seen.has(name)) continue;
			seen.add(name);
			if (endsAt(nodeOf.get(name)!)) continue;
			for (const at of connections[name]?.main.keys() ?? []) behind(name, at, endsAt, seen);
		}
		return seen;
	}
	const writesIn = (found: Set<string>) => [...found].filter((name) => isWrite(nodeOf.get(name)!));

	it('the workflow fits on a screen, and every expression into a line of the panel', () => {
		expect(working.length).toBeLessThanOrEqual(MOST_NODES);
		const long = working.flatMap(expressionsIn).filter((text) => text.length > LONGEST_EXPRESSION);
		expect(long).toEqual([]);
	});

	it('the workflow has no Code node and no credential', () => {
		const isCode = ({ type }: WorkflowNode) => /\.(code|function|executeCommand)/i.test(type);
		expect(working.filter((node) => isCode(node) || node.credentials !== undefined)).toEqual([]);
	});

	it('the workflow has only the operators that it needs', () => {
		const found = working.flatMap(expressionsIn).flatMap(operatorsIn);
		const needed = Object.keys(OPERATORS[file]!).flatMap((operators) =>
			operators.trim().split(' '),
		);
		expect(found.sort()).toEqual(needed.sort());
	});

	it('the workflow has at most one node that sends money, and is shipped as a dry run for nobody', () => {
		const transfers = ofThePack.filter(({ parameters }) => parameters.operation === 'transfer');
		const allowedRecipients = `0x${'0'.repeat(40)}`;
		// *Pay* has one *Transfer* for both, whose memory knows what is due.
		const dryRun = file === 'pay.json' ? "={{ $json.outcome != 'dry_run' }}" : true;
		for (const { parameters } of transfers)
			expect(parameters).toMatchObject({
				maximumAmount: expect.stringMatching(/^\d+$/),
				options: { dryRun, allowedRecipients },
			});
		const sending = transfers.filter(({ name }) => name !== 'Check').map(({ name }) => name);
		expect([[], ['Transfer']]).toContainEqual(sending);
	});

	it('a deactivated If or Switch, which passes everything to its first output, leads to no write', () => {
		for (const { name } of working.filter(isGate))
			expect({ name, writes: writesIn(behind(name, 0, isGate)) }).toEqual({ name, writes: [] });
	});

	it('each question has an answer until somebody gives one, and only a yes of a named approver counts', () => {
		for (const { name } of asking) {
			expect([...behind(name, 0, isGate)]).toEqual(['Decision']);
			const { rules, options } = nodeOf.get('Decision')!.parameters;
			const values = rules.values as Array<{ outputKey: string; conditions: object }>;
			const outputs = values.map(({ outputKey }) => outputKey);
			const no = [0, outputs.length, outputs.findIndex((key) => /remind once$/i.test(key))];
			for (const at of no) expect(writesIn(behind('Decision', at, isGate))).toEqual([]);
			expect([...behind('Decision', no[2]!, isGate)]).toContain(name);
			// Only *Pay* acts on what nobody is asked about.
			const acting = outputs.filter((_, at) => !no.includes(at));
			expect([['Approved'], ['Small enough', 'Approved']]).toContainEqual(acting);
			expect(values[outputs.indexOf('Approved')]!.conditions).toMatchObject({
				combinator: 'and',
				conditions: [
					{ leftValue: '={{ $json.data.approved }}', operator: { operation: 'true' } },
					{
						leftValue: `={{ $('${name}').params.approvers }}`,
						rightValue: '={{ $json.data.responder.id }}',
						operator: { type: 'array', operation: 'contains', rightType: 'any' },
					},
				],
			});
			expect(options).toMatchObject({ fallbackOutput: 'extra' });
		}
	});

	it('the workflow brings the IDs of its URLs, and no time limit that n8n would end in silence', () => {
		const withUrl = working.filter((node) => WITH_WEBHOOK.test(node.type) || asking.includes(node));
		const webhookId = expect.stringMatching(/^[\da-f-]{36}$/);
		for (const node of withUrl) expect(node).toMatchObject({ webhookId });
		expect(settings).toMatchObject({ executionTimeout: -1 });
	});

	it('Execute workflow starts the main trigger', () => {
		const [main] = working
			.filter(({ type }) => type in TRIGGERS)
			.sort((a, b) => TRIGGERS[b.type]! - TRIGGERS[a.type]!);
		expect(main!.type).not.toBe('n8n-nodes-base.errorTrigger');
		expect(main!.position[0]).toBe(0);
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
			.flatMap(({ parameters: { text } }) => expressionsIn({ parameters: { text } } as never))
			.map((code) => code.replace(/^.*\.json\.|^\$json\./, ''));
		expect(fields.filter((field) => !HARMLESS.test(field))).toEqual([]);
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
			const known = columns.map(({ id }) => id);
			expect(Object.keys(value).filter((id) => !known.includes(id))).toEqual([]);
		}
	});

	it('sample events have the summary that the trigger gives them', () => {
		const samples = Object.values(pinData).flat() as Array<{ json: Envelope }>;
		for (const { json } of samples.filter((sample) => 'event_type' in sample.json))
			expect(json.summary).toBe(summaryOf(json));
	});

	it('the workflow is listed node by node on the page about failing steps', () =>
		expect(() => faultsOf(file)).not.toThrow());

	it('sub-workflows are called in the form that loses no event', () => {
		const calling = working.filter(({ type }) => type.endsWith('.executeWorkflow'));
		const loses = calling.filter(({ parameters, onError }) => 'mode' in parameters || onError);
		expect(loses).toEqual([]);
	});

	it('the workflow names only nodes that are there, each name once', () => {
		const quoted = textsIn(working.map(({ parameters }) => parameters)).flatMap((text) =>
			[...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name!),
		);
		const wired = Object.values(connections).flatMap(({ main }) => main.flat());
		const named = [
			...Object.keys(connections),
			...wired.map(({ node }) => node),
			...Object.keys(pinData),
			...quoted,
		];
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
	});

	it('the nodes of this package have valid and complete parameters', () => {
		for (const node of ofThePack) {
			const description = DESCRIPTIONS[node.type]!;
			const { properties } = description;
			const own = asINode(node);
			const known = NodeHelpers.getNodeParameters(
				properties,
				node.parameters,
				true,
				false,
				own,
				description,
			);
			expect(known).toMatchObject(node.parameters);
			const issues = NodeHelpers.getNodeParametersIssues(properties, own, description);
			expect({ node: node.name, issues }).toEqual({ node: node.name, issues: null });
		}
	});
});
