/** Deeper than any payload of §6.5 by far, and shallow enough for n8n to store, copy and show. */
const MAX_DEPTH = 100;

export type BodyInspection = { ok: true; removed: number } | { ok: false; message: string };

/**
 * Makes a parsed JSON body safe to hand on, in place: takes out every `__proto__` key, which would become the
 * prototype of any copy made by assignment. Refuses what is nested too deeply for n8n to store.
 * Walks with a list of its own, so that no nesting can exhaust the stack.
 * @returns how many keys were taken out
 */
export function inspectBody(body: object): BodyInspection {
	let removed = 0;
	let level: object[] = [body];
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > MAX_DEPTH)
			return { ok: false, message: `The body is nested deeper than ${MAX_DEPTH} levels` };
		const below: object[] = [];
		for (const value of level) {
			if (Object.hasOwn(value, '__proto__')) {
				Reflect.deleteProperty(value, '__proto__');
				removed++;
			}
			for (const child of Object.values(value)) {
				if (typeof child === 'object' && child !== null) below.push(child);
			}
		}
		level = below;
	}
	return { ok: true, removed };
}
