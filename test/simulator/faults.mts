import { z } from 'zod';
import { seededRandom } from './seededRandom.mts';

/**
 * Answered instead of the service; the effect happens only with `effect: true`:
 * - `429`, `status`, `401`, `html502`, `html200`
 * - `proxy`: an HTML page of a proxy in between, without `X-Trace-Id`; `status` is 502 by default
 *
 * Damage to the connection:
 * - `reset-before`, `reset-after`: the socket is destroyed before or after the effect
 * - `slow-before`: waits, then the effect, unless the client has gone by then; `slow-after`: the effect, then the answer late
 * - `late-effect`: waits, then the effect, also when the client has gone by then
 * - `cut-headers`, `cut-body`: after the effect the headers, or the headers and half of the body; then the socket is destroyed
 *
 * The effect happens, but its answer is another one:
 * - `empty`, `not-json`: a 200 with no body or a damaged one; a repetition with the same key gets the true answer
 * - `half-body`: half of the body as if it were all, e.g. half a PDF; again only this once
 * - `warning`: 302 `WARNING` on any path; a repetition with the same key gets it again
 * - `no-status`: a 2xx object without its `status`; a repetition with the same key gets it again
 * - `body`: a 2xx with the fault's `body`; a repetition with the same key gets it again
 */
export const FAULT_KINDS = [
	'429',
	'401',
	'status',
	'html502',
	'html200',
	'proxy',
	'reset-before',
	'reset-after',
	'slow-before',
	'slow-after',
	'late-effect',
	'cut-headers',
	'cut-body',
	'empty',
	'not-json',
	'half-body',
	'warning',
	'no-status',
	'body',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
	kind: FaultKind;
	/** Only these requests are hit; `path` is a regular expression on path and query. */
	match?: { method?: string; path?: string | RegExp };
	/** For `status`, default 500, and `proxy`, default 502. */
	status?: number;
	/** For `body`: the text in the place of the service's own; default none. */
	body?: string;
	/** How often it hits; default once, or without end when `probability` is given. */
	times?: number;
	/** For the slow kinds and `late-effect`; default 1,000 ms. */
	delayMs?: number;
	/** Seconds, for `429` and `status`; the header is absent by default. */
	retryAfter?: number;
	/** Default seconds. */
	retryAfterForm?: 'seconds' | 'date';
	/** Share of the matching requests that are hit, 0 to 1, by a seeded generator. */
	probability?: number;
	seed?: number;
	/** Overrides whether the effect happens, for the kinds that answer instead of the service, `empty` and `not-json`. */
	effect?: boolean;
}

/** A fault as JSON. */
export const faultSchema = z.strictObject({
	kind: z.enum(FAULT_KINDS),
	match: z
		.strictObject({
			method: z.string().optional(),
			path: z.string().refine(isRegExp, 'not a regular expression').optional(),
		})
		.optional(),
	status: z.number().int().min(200).max(599).optional(),
	body: z.string().optional(),
	times: z.number().int().positive().optional(),
	delayMs: z.number().nonnegative().optional(),
	retryAfter: z.number().nonnegative().optional(),
	retryAfterForm: z.enum(['seconds', 'date']).optional(),
	probability: z.number().min(0).max(1).optional(),
	seed: z.number().int().optional(),
	effect: z.boolean().optional(),
});

/** A fault that is switched on, with how many requests it hit. */
export interface ActiveFault extends Fault {
	struck: number;
}

interface Rule extends ActiveFault {
	left: number;
	path?: RegExp;
	random: () => number;
}

/** The faults that are switched on, asked in the order they were added; the first that applies wins. */
export class Faults {
	private rules: Rule[] = [];

	add(...faults: Fault[]): void {
		for (const fault of faults) {
			const path = fault.match?.path;
			this.rules.push({
				...fault,
				struck: 0,
				left: fault.times ?? (fault.probability === undefined ? 1 : Infinity),
				path:
					path === undefined
						? undefined
						: new RegExp(typeof path === 'string' ? path : path.source),
				random: seededRandom(fault.seed ?? 1),
			});
		}
	}

	clear(): void {
		this.rules = [];
	}

	list(): ActiveFault[] {
		return this.rules.map(({ left: _left, path: _path, random: _random, ...fault }) => ({
			...fault,
			...(fault.match && {
				match: { ...fault.match, ...(fault.match.path && { path: String(fault.match.path) }) },
			}),
		}));
	}

	/** The fault that hits this request, counted. */
	take(method: string, path: string): ActiveFault | undefined {
		for (const rule of this.rules) {
			if (rule.left <= 0) continue;
			if (rule.match?.method && rule.match.method.toUpperCase() !== method) continue;
			if (rule.path && !rule.path.test(path)) continue;
			if (rule.probability !== undefined && rule.random() >= rule.probability) continue;
			rule.left--;
			rule.struck++;
			return rule;
		}
		return undefined;
	}
}

function isRegExp(text: string): boolean {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
}
