import { EVENTS, OTHER, eventName } from '../events';

/** The event when there is one, else how many. n8n's editor evaluates the text of this function: it may use nothing but its arguments. */
function subtitleOf(parameters: { events?: string[] }, labels: Record<string, string>) {
	const [only = '', ...more] = parameters.events ?? [];
	if (more.length > 0) return `${more.length + 1} events`;
	return labels[only] ?? only;
}

const LABELS = Object.fromEntries([
	...EVENTS.map((event) => [eventName(event), event.label]),
	[OTHER, 'Other'],
]);

/** The node description's `subtitle`. */
export const SUBTITLE = `={{(${String(subtitleOf)})($parameter, ${JSON.stringify(LABELS)})}}`;
