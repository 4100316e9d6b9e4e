import { ExpressionParser, NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { faultsOf } from '../../harness/workflows/faults.mts';
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

/** Every text in a node's parameters. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const expressionsIn = (node: WorkflowNode) =>
	textsIn(node.parameters)
		.filter((text) => text.startsWith('='))
		.flatMap((text) => ExpressionParser.splitExpression(text.slice(1)))
		.filter(({ type }) => type === 'code')
		.map(({ text }) => text.trim());

const asINode = ({ id, name, type, typeVersion, position, parameters }: WorkflowNode): INode => ({
	id,
	name,
	type,
	typeVersion,
	position,
	parameters,
});

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

	it('the workflow has one node at most that sends money, which remembers what it has sent', () => {
		const sending = ofThePack.filter(
			({ name, parameters }) => parameters.operation === 'transfer' && name === 'Transfer',
		);
		const dry = ofThePack.filter(
			({ name, parameters }) => parameters.operation === 'transfer' && name !== 'Transfer',
		);
		expect(sending.length).toBeLessThanOrEqual(1);
		for (const { parameters } of [...sending, ...dry])
			expect(parameters).toMatchObject({ referenceFrom: 'oncePerDay', options: { dryRun: true } });
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
