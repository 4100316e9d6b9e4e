import { EVENTS, OTHER, eventName } from '../events';

/**
 * One output per chosen event, in the order chosen. n8n connects by position, so an event added at the end never moves
 * an existing wire; sorting or grouping the outputs would.
 * n8n 2.41 evaluates the text of this function in the editor: it may use nothing but its arguments.
 */
function outputsOf(parameters: { events?: string[] }, labels: Record<string, string>) {
	const events = parameters.events ?? [];
	return events
		.filter((name, position) => events.indexOf(name) === position)
		.map((name) => ({ type: 'main', displayName: labels[name] ?? name }));
}

const LABELS = Object.fromEntries([
	...EVENTS.map((event) => [eventName(event), event.output]),
	[OTHER, 'Other'],
]);

/** The node description's `outputs`. */
export const OUTPUTS =
	`={{(${String(outputsOf)})($parameter, ${JSON.stringify(LABELS)})}}` as const;
