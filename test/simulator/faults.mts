import { z } from 'zod';

import { seededRandom } from './seededRandom.mts';

/** What each does is said in `docs/simulator.md`. */
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

/** As JSON, or in a program. */
export const faultSchema = z.strictObject({
	kind: z.enum(FAULT_KINDS),
	/** Only these requests are hit; `path` is a regular expression on path and query. */
	match: z
		.strictObject({
			method: z.string().optional(),
			path: z.string().refine(isRegExp, 'not a regular expression').optional(),
		})
		.optional(),
	/** For `status`, default 500, and `proxy`, default 502. */
	status: z.number().int().min(200).max(599).optional(),
	/** For `body`: the text in the place of the service's own; default none. */
	body: z.string().optional(),
	/** How often it hits; default once, or without end when `probability` is given. */
	times: z.number().int().positive().optional(),
	/** For the slow kinds and `late-effect`; default 1,000 ms. */
	delayMs: z.number().nonnegative().optional(),
	/** Seconds, for `429` and `status`; the header is absent by default. */
	retryAfter: z.number().nonnegative().optional(),
	/** Default seconds. */
	retryAfterForm: z.enum(['seconds', 'date']).optional(),
	/** Share of the matching requests that are hit, 0 to 1, by a seeded generator. */
	probability: z.number().min(0).max(1).optional(),
	seed: z.number().int().optional(),
	/** Overrides whether the effect happens, for the kinds that answer instead of the service, `empty` and `not-json`. */
	effect: z.boolean().optional(),
});

export type Fault = z.infer<typeof faultSchema>;

/** A fault that is switched on, with how many requests it hit. */
export interface ActiveFault extends Fault {
	struck: number;
}

interface Rule {
	fault: ActiveFault;
	left: number;
	path: RegExp;
	random: () => number;
}

/** The faults that are switched on, asked in the order they were added; the first that applies wins. */
export class Faults {
	private rules: Rule[] = [];

	add(...faults: Fault[]): void {
		this.rules.push(
			...faults.map((fault) => ({
				fault: { ...fault, struck: 0 },
				left: fault.times ?? (fault.probability === undefined ? 1 : Infinity),
				path: new RegExp(fault.match?.path ?? ''),
				random: seededRandom(fault.seed ?? 1),
			})),
		);
	}

	clear(): void {
		this.rules = [];
	}

	list(): ActiveFault[] {
		return this.rules.map(({ fault }) => fault);
	}

	/** The fault that hits this request, counted. */
	take(method: string, path: string): ActiveFault | undefined {
		for (const rule of this.rules) {
			const { match, probability } = rule.fault;
			if (rule.left <= 0 || !rule.path.test(path)) continue;
			if (match?.method && match.method.toUpperCase() !== method) continue;
			if (probability !== undefined && rule.random() >= probability) continue;
			rule.left--;
			rule.fault.struck++;
			return rule.fault;
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
