import type { WorkflowFile, WorkflowNode } from './workflowFiles.mts';

/** A workflow with one mistake that a person can make in the editor. */
export interface Slip {
	title: string;
	file: WorkflowFile;
}

interface Condition {
	leftValue: string;
	rightValue: string;
	operator: { operation: string };
}

interface Rule {
	conditions: { conditions: Condition[]; combinator: string };
	outputKey?: string;
}

const isNote = ({ type }: WorkflowNode) => type.endsWith('.stickyNote');
const isTrigger = ({ type }: WorkflowNode) => type.endsWith('Trigger');

const TURNED: Record<string, string> = {
	true: 'false',
	false: 'true',
	equals: 'notEquals',
	notEquals: 'equals',
	lte: 'gte',
	notEmpty: 'empty',
	empty: 'notEmpty',
	exists: 'notExists',
};

/** Every mistake at one node: a rule of an If or a Switch, an option, a node that is deactivated or deleted. */
export const slipsOf = (file: WorkflowFile): Slip[] =>
	file.nodes
		.filter((node) => !isNote(node) && !isTrigger(node))
		.flatMap((node) => [
			...ruleSlips(file, node),
			...optionSlips(file, node),
			...nodeSlips(file, node),
		]);

function nodeSlips(file: WorkflowFile, { name }: WorkflowNode): Slip[] {
	const nodes = file.nodes.map((node) => (node.name === name ? { ...node, disabled: true } : node));
	return [
		{ title: `"${name}" is deactivated`, file: { ...file, nodes } },
		{ title: `"${name}" is deleted, its neighbors joined`, file: withoutNode(file, name) },
	];
}

/** Options of this package's nodes: each removed, each expression emptied, and *Dry Run* off. */
function optionSlips(file: WorkflowFile, node: WorkflowNode): Slip[] {
	if (!node.type.endsWith('.cardTreasury')) return [];
	const options = node.parameters.options as Record<string, unknown>;
	const set = (title: string, changed: object): Slip => ({
		title: `"${node.name}": ${title}`,
		file: withNodeParameters(file, node, { options: changed }),
	});
	return [
		...Object.keys(options).map((name) =>
			set(
				`${name} is removed`,
				Object.fromEntries(Object.entries(options).filter(([other]) => other !== name)),
			),
		),
		...Object.entries(options).flatMap(([name, value]) =>
			String(value).startsWith('=') ? [set(`${name} is emptied`, { ...options, [name]: '=' })] : [],
		),
		...(options.dryRun === true ? [set('Dry Run is off', { ...options, dryRun: false })] : []),
	];
}

/** Deletes a node as the editor does, which connects what was before it to what was behind its first output. */
function withoutNode(file: WorkflowFile, name: string): WorkflowFile {
	const behind = (file.connections[name]?.main[0] ?? []).filter(({ node }) => node !== name);
	const connections = Object.fromEntries(
		Object.entries(file.connections)
			.filter(([from]) => from !== name)
			.map(([from, { main }]) => [
				from,
				{
					main: main.map((targets) =>
						targets.flatMap((target) => (target.node === name ? behind : [target])),
					),
				},
			]),
	);
	return { ...file, connections, nodes: file.nodes.filter((node) => node.name !== name) };
}

function ruleSlips(file: WorkflowFile, node: WorkflowNode): Slip[] {
	const { rules } = node.parameters as { rules?: { values: Rule[] } };
	if (rules !== undefined && node.type.endsWith('.switch')) {
		const set = (title: string, values: Rule[]): Slip => ({
			title: `"${node.name}": ${title}`,
			file: withNodeParameters(file, node, { rules: { values } }),
		});
		const { values } = rules;
		return [
			...values.flatMap((rule, at) =>
				conditionSlips(rule).map(([title, changed]) =>
					set(`${rule.outputKey}: ${title}`, values.with(at, changed)),
				),
			),
			...values.map((rule, at) => set(`${rule.outputKey} is deleted`, values.toSpliced(at, 1))),
			...values
				.slice(1)
				.map((rule, at) =>
					set(`${rule.outputKey} is moved up`, values.with(at, rule).with(at + 1, values[at]!)),
				),
		];
	}
	if (!node.type.endsWith('.if')) return [];
	return conditionSlips(node.parameters as unknown as Rule).map(([title, changed]) => ({
		title: `"${node.name}": ${title}`,
		file: withNodeParameters(file, node, { conditions: changed.conditions }),
	}));
}

function conditionSlips(rule: Rule): Array<[title: string, rule: Rule]> {
	const { conditions, combinator } = rule.conditions;
	const set = (changes: object): Rule => ({
		...rule,
		conditions: { ...rule.conditions, ...changes },
	});
	const each = conditions.flatMap((condition, at): Array<[string, Rule]> => {
		const change = (changes: object) =>
			set({ conditions: conditions.with(at, { ...condition, ...changes }) });
		const { operator, rightValue } = condition;
		const operation = TURNED[operator.operation]!;
		return [
			[`condition ${at + 1} is ${operation}`, change({ operator: { ...operator, operation } })],
			[`condition ${at + 1} has no left value`, change({ leftValue: '' })],
			...(rightValue === ''
				? []
				: [
						[`condition ${at + 1} has no right value`, change({ rightValue: '' })] as [
							string,
							Rule,
						],
					]),
			...(conditions.length === 1
				? []
				: [
						[
							`condition ${at + 1} is deleted`,
							set({ conditions: conditions.toSpliced(at, 1) }),
						] as [string, Rule],
					]),
		];
	});
	return [
		...each,
		['has no conditions', set({ conditions: [] })],
		...(conditions.length === 1
			? []
			: ([['and is or', set({ combinator: combinator === 'and' ? 'or' : 'and' })]] as Array<
					[string, Rule]
				>)),
	];
}

const withNodeParameters = (
	file: WorkflowFile,
	{ name }: WorkflowNode,
	changes: object,
): WorkflowFile => ({
	...file,
	nodes: file.nodes.map((node) =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...changes } } : node,
	),
});
