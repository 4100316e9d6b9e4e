/**
 * One output per chosen event, in the order chosen, named as the event. n8n connects by position, so an event added
 * at the end never moves an existing wire; sorting or grouping the outputs would.
 * n8n evaluates the text of this function in the editor: it may use nothing but its argument.
 */
function outputsOf(parameters: { events?: string[] }) {
	const events = parameters.events ?? [];
	return events
		.filter((name, position) => events.indexOf(name) === position)
		.map((name) => ({ type: 'main', displayName: name }));
}

/** The node description's `outputs`. */
export const OUTPUTS = `={{(${String(outputsOf)})($parameter)}}` as const;
