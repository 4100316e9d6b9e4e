import type { IHookFunctions, NodeTypeAndVersion } from 'n8n-workflow';

/** Nodes that wait for a person, whatever their parameters. */
const FORM = 'n8n-nodes-base.form';

const WAIT = 'n8n-nodes-base.wait';

/**
 * Returns the reason why the workflow cannot answer an authorization in time: no node answers, or a node before it
 * waits for a person. Undefined if there is none.
 */
export function whyNoAnswer(
	n8n: Pick<IHookFunctions, 'getNode' | 'getChildNodes' | 'getParentNodes'>,
): string | undefined {
	const behind = n8n.getChildNodes(n8n.getNode().name, { includeNodeParameters: true });
	const enabled = behind.filter(({ disabled }) => !disabled);
	const answers = enabled.filter(
		({ parameters }) =>
			parameters?.resource === 'authorization' && parameters.operation === 'respond',
	);
	if (answers.length === 0)
		return 'No node answers the card authorizations that are asked, so each one gets its fallback. Add a Card Treasury node with the action "Respond to card authorization" to the output for them, or choose another decision than Ask the Workflow.';
	const before = new Set(
		answers.flatMap(({ name }) => n8n.getParentNodes(name).map((parent) => parent.name)),
	);
	const waiting = enabled.find((node) => before.has(node.name) && waitsForPerson(node));
	return waiting === undefined
		? undefined
		: `"${waiting.name}" waits before the authorization is answered: the purchase will be decided after 1 s by its fallback (declined, unless you changed it), before anybody clicks. Answer first, and ask people afterwards.`;
}

function waitsForPerson({ type, parameters = {} }: NodeTypeAndVersion): boolean {
	if (type === FORM || parameters.operation === 'sendAndWait') return true;
	if (type !== WAIT) return false;
	const { resume = 'timeInterval', unit = 'hours', amount = 1 } = parameters;
	return !(resume === 'timeInterval' && unit === 'seconds' && Number(amount) < 1);
}
