import { OTHER } from './index';

/** The chosen events, each once, in the order chosen: one output per entry. Anything else in the list is left out. */
export function chosenEvents(parameter: unknown): string[] {
	const entries = Array.isArray(parameter) ? parameter : [];
	return [...new Set(entries.filter((entry): entry is string => typeof entry === 'string'))];
}

/**
 * The output of an event: its own, else that of `other`; undefined when it is not chosen at all.
 * @param name `<product>.<event_type>`, known or not; its point keeps it apart from `other`
 */
export function route(events: readonly string[], name: string): number | undefined {
	return [name, OTHER].map((entry) => events.indexOf(entry)).find((position) => position >= 0);
}
