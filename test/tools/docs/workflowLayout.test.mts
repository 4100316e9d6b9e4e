import {
	readWorkflow,
	WORKFLOW_FILES,
	type WorkflowNode,
} from '../../harness/workflows/workflowFiles.mts';

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** What the editor draws: a node is 96 wide and, with up to 4 outputs, 96 to 160 high; its name stands below, in one or two lines. */
const NODE = { width: 96, height: 96, perOutput: 32, label: 44 };

function boxOf(
	{ name, type, position: [left, top], parameters }: WorkflowNode,
	outputs: number,
): Box {
	if (type.endsWith('.stickyNote'))
		return { name, left, top, right: left + parameters.width, bottom: top + parameters.height };
	const height = NODE.height + Math.max(0, outputs - 2) * NODE.perOutput;
	return { name, left, top, right: left + NODE.width, bottom: top + height + NODE.label };
}

const meet = (one: Box, other: Box) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

describe.each(WORKFLOW_FILES)('%s on the canvas', (file) => {
	const { nodes, connections } = readWorkflow(file);
	const boxes = nodes.map((node) => boxOf(node, connections[node.name]?.main.length ?? 1));

	it('has no node or note that covers another or its name', () => {
		const covered = boxes.flatMap((box, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => meet(box, other))
				.map((other) => `${box.name} and ${other.name}`),
		);
		expect(covered).toEqual([]);
	});

	it('runs from left to right', () => {
		const left = (name: string) => boxes.find((box) => box.name === name)!.left;
		const back = Object.entries(connections).flatMap(([from, { main }]) =>
			main
				.flat()
				.filter(({ node }) => left(node) <= left(from))
				.map(({ node }) => `${from} → ${node}`),
		);
		expect(back).toEqual([]);
	});
});
