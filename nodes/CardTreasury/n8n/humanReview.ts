import { NodeConnectionTypes, type IExecuteFunctions, type NodeTypeAndVersion } from 'n8n-workflow';

import type { Refuse } from '../../shared/fields/field';
import { isObject } from '../../shared/isObject';

/** Nodes of other packages may go on without an answer in ways that are not known here. */
const REVIEW_TYPE = /^(n8n-nodes-base|@n8n\/n8n-nodes-langchain)\.\w+HitlTool$/;

/** What the model cannot change: what `$tool` shows comes first from whatever else it sent along. */
const ARGUMENTS = 'JSON.stringify($json.toolParameters)';

/**
 * Refuses where it is not certain that a person approved this very call in n8n's human review. n8n tells a tool
 * no more than which node the call came from, so everything is refused in which that node lets a call through unasked.
 */
export function refuseUnreviewed(n8n: IExecuteFunctions, refuse: Refuse): void {
	// Run by an agent itself, and not by n8n, a tool is told where the agent's call came from, not its own. Without an
	// execution, which a review would have to interrupt, it is told nothing.
	const isCalled = n8n.isToolExecution?.() === false && n8n.getExecutionId() !== undefined;
	const source = isCalled ? n8n.getInputSourceData(0) : undefined;
	const review = source && findReview(n8n, source.previousNode);
	if (!review) {
		return refuse(
			"is on, and this call did not come from one of n8n's human review nodes",
			"Connect a human review node to the agent, and this tool to that node only. Behind a sub-agent or the MCP Server Trigger, and in n8n's own Agents, there is no such node.",
		);
	}
	if (n8n.getMode() === 'manual' && isPinned(n8n, review.name)) {
		return refuse(
			`is on, and the output of "${review.name}" is pinned`,
			'Unpin it: n8n takes it for an answer that nobody gave.',
		);
	}
	const tools = n8n.getParentNodes(review.name, {
		connectionType: NodeConnectionTypes.AiTool,
		depth: 1,
	});
	if (tools.length !== 1 || tools[0]?.name !== n8n.getNode().name) {
		return refuse(
			`is on, and "${review.name}" reviews other tools too`,
			'Give this tool a human review node of its own.',
		);
	}
	if (source.previousNodeRun !== 0) {
		return refuse(
			`is on, and "${review.name}" has asked more than once in this execution`,
			'Ask again in a new execution, such as a new chat message: the link of an earlier question approves a later one too, so n8n cannot tell which call was meant.',
		);
	}
	refuseUncertain(review, refuse);
}

/** The node's type is known only to the agent that it is connected to, which stands behind the node that the item came from. */
function findReview(n8n: IExecuteFunctions, name: string): NodeTypeAndVersion | undefined {
	const pairedItem = n8n.getInputData()[0]?.pairedItem;
	if (!isObject(pairedItem) || !isObject(pairedItem.sourceOverwrite)) return undefined;
	const before = String(pairedItem.sourceOverwrite.previousNode);
	return [before, ...n8n.getChildNodes(before).map((node) => node.name)]
		.flatMap((agent) =>
			n8n.getParentNodes(agent, {
				connectionType: NodeConnectionTypes.AiTool,
				depth: 1,
				includeNodeParameters: true,
			}),
		)
		.find((node) => node.name === name && REVIEW_TYPE.test(node.type));
}

/** Of a review's output n8n shows an expression only what is pinned: the rest is no main output. */
function isPinned(n8n: IExecuteFunctions, name: string): boolean {
	try {
		n8n.getWorkflowDataProxy(0).$(name).first();
		return true;
	} catch {
		return false;
	}
}

/** How the review is set up so that a call may pass without a person who knows what is asked. */
function refuseUncertain({ name, parameters = {} }: NodeTypeAndVersion, refuse: Refuse): void {
	const { message, options, operation, responseType, ...others } = parameters;
	if (operation !== 'sendAndWait' || responseType !== 'approval' || !isObject(options)) {
		return refuse(
			`is on, and "${name}" does not ask for an approval`,
			'Add the human review node again, from the list that the agent offers.',
		);
	}
	if (Object.hasOwn(options, 'limitWaitTime')) {
		return refuse(
			`is on, and "${name}" has Limit Wait Time`,
			'Remove Limit Wait Time there: when it is over, a model can pass its own call off as approved.',
		);
	}
	if (hasExpression({ ...others, options })) {
		return refuse(
			`is on, and "${name}" has an expression in a field other than Message`,
			'Enter fixed values there: an agent must not choose who is asked.',
		);
	}
	if (!showsArguments(String(message)) || /\$fromai/i.test(String(message))) {
		return refuse(
			`is on, and the Message of "${name}" does not show for certain what is asked`,
			`Switch Message to Expression, put {{ ${ARGUMENTS} }} into it exactly so, and take $fromAI out: what $tool shows, the model can change.`,
		);
	}
}

/** Whether one of the expression's blocks, as n8n cuts them, is exactly this. An escaped brace would cut them differently. */
function showsArguments(message: string): boolean {
	if (!message.startsWith('=') || /\\[{}]/.test(message)) return false;
	return [...message.matchAll(/\{\{(.*?)\}\}/gs)].some(([, code]) => code?.trim() === ARGUMENTS);
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}
