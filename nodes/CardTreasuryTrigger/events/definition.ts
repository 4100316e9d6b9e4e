import type { z } from 'zod';

/** A row of the catalog (§6.5). The list of these feeds the choice of events, the outputs, the checks and the docs. */
export interface EventDefinition<Schema extends z.ZodTypeAny = z.ZodTypeAny> {
	product: string;
	event_type: string;
	/** As the list of events shows it. */
	label: string;
	/** Names the event's output: its own word first, at most 76 pixels wide, or n8n's editor cuts it. */
	output: string;
	/** As n8n's panel of nodes lists it. */
	action: string;
	/** When the service sends it. */
	when: string;
	/** The documented shape of `data`. */
	data: Schema;
}

/** `<product>.<event_type>`, by which workflows save an event. */
export function eventName({
	product,
	event_type,
}: {
	product: unknown;
	event_type: unknown;
}): string {
	return `${String(product)}.${String(event_type)}`;
}
