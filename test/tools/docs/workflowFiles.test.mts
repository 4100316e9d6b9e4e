import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import {
	readWorkflow,
	WORKFLOW_FILES,
	type WorkflowNode,
} from '../../harness/workflows/workflowFiles.mts';

const DESCRIPTIONS: Record<string, INodeTypeDescription> = {
	'n8n-nodes-card-treasury.cardTreasury': new CardTreasury().description,
	'n8n-nodes-card-treasury.cardTreasuryTrigger': new CardTreasuryTrigger().description,
};

const STARTS = ['.cardTreasuryTrigger', '.executeWorkflowTrigger'];

/** Every text in a node's parameters, expressions among them. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const asINode = ({ id, name, type, typeVersion, position, parameters }: WorkflowNode): INode => ({
	id,
	name,
	type,
	typeVersion,
	position,
	parameters,
});

describe.each(WORKFLOW_FILES)('%s as it is imported', (file) => {
	const { nodes, connections, pinData } = readWorkflow(file);
	const names = nodes.map(({ name }) => name);
	const ofThePack = nodes.filter(({ type }) => type in DESCRIPTIONS);
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));

	it('has no Code node and no credential', () => {
		expect(nodes.filter(({ type }) => /\.(code|function|executeCommand)/i.test(type))).toEqual([]);
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	it('calls sub-workflows in the one form that loses no event in n8n 2 and is there in n8n 3', () => {
		const calling = nodes.filter(({ type }) => type.endsWith('.executeWorkflow'));
		expect(calling.filter(({ parameters }) => 'mode' in parameters)).toEqual([]);
		expect(calling.filter(({ onError }) => onError !== undefined)).toEqual([]);
	});

	it('names only nodes that are there, each name once', () => {
		const named = [
			...Object.keys(connections),
			...Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node)),
			...Object.keys(pinData),
			...nodes
				.flatMap(({ parameters }) => textsIn(parameters))
				.flatMap((text) => [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name!)),
		];
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each(ofThePack.map((node): [string, WorkflowNode] => [node.name, node]))(
		'uses parameters of %s that the node has, and fills in what it requires',
		(_, node) => {
			const description = DESCRIPTIONS[node.type]!;
			const known = NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters,
				true,
				false,
				asINode(node),
				description,
			);
			expect(known).toMatchObject(node.parameters);
			expect(
				NodeHelpers.getNodeParametersIssues(description.properties, asINode(node), description),
			).toBeNull();
		},
	);

	it('says how to set it up in 5 steps, all credentials in the first', () => {
		const [setUp] = notes.filter(({ parameters }) =>
			String(parameters.content).startsWith('## Set up in 5 steps\n1. **Credentials.**'),
		);
		const steps = String(setUp?.parameters.content).match(/^\d\. .*/gm) ?? [];
		expect(steps).toHaveLength(5);
		const needing = nodes.filter(
			({ type }) => type in DESCRIPTIONS || type === 'n8n-nodes-base.slack',
		);
		for (const { name } of needing) expect(steps[0]).toContain(`*${name}*`);
	});

	it('says what each node is for, and how many there are', () => {
		const working = names.filter((name) => !notes.some((note) => note.name === name));
		const [said] = notes.filter(({ name }) => name === 'What each node is for');
		const content = String(said?.parameters.content);
		expect(content.split('\n')[0]).toBe(`## What each of the ${working.length} nodes is for`);
		expect(working.filter((name) => !content.includes(`*${name}*`))).toEqual([]);
	});

	it('has a sample for each trigger that would wait for an event', () => {
		const waiting = nodes.filter(({ type }) => STARTS.some((start) => type.endsWith(start)));
		const without = waiting.filter(
			({ name, parameters }) => !(name in pinData) && parameters.testEvent === 'real',
		);
		expect(waiting.length).toBeGreaterThan(0);
		expect(without.map(({ name }) => name)).toEqual([]);
	});
});
