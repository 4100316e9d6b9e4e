import lodash from 'lodash';
import { z } from 'zod';

import { seededRandom } from './seededRandom.mts';

/** Kinds of fault, explained in `docs/simulator.md`. */
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

/** Fault as JSON (control API, command line) or as an object. */
export const faultSchema = z.strictObject({
	kind: z.enum(FAULT_KINDS),
	/** Only matching requests are hit; `path` is a regular expression for path and query. */
	match: z
		.strictObject({
			method: z.string().optional(),
			path: z.string().refine(isRegExp, 'not a regular expression').optional(),
		})
		.optional(),
	/** Status of `status` (default 500) and `proxy` (default 502). */
	status: z.number().int().min(200).max(599).optional(),
	/** Text of `body`; default none. */
	body: z.string().optional(),
	/** Number of hits; default once, or unlimited with `probability`. */
	times: z.number().int().positive().optional(),
	/** Delay of the slow kinds and `late-effect`; default 1,000 ms. */
	delayMs: z.number().nonnegative().optional(),
	/** Seconds, for `429` and `status`; without it the header is not sent. */
	retryAfter: z.number().nonnegative().optional(),
	/** Share of the matching requests that are hit, from 0 to 1, drawn by a seeded generator. */
	probability: z.number().min(0).max(1).optional(),
	seed: z.number().int().optional(),
	/** Overrides whether the effect happens, for `empty`, `not-json` and the kinds that answer instead of the service. */
	effect: z.boolean().optional(),
});

export type Fault = z.infer<typeof faultSchema>;

/** Active fault, with its number of hits. */
export interface ActiveFault extends Fault {
	struck: number;
}

interface Rule {
	fault: ActiveFault;
	left: number;
	path: RegExp;
	random: () => number;
}

/** Path of the read that precedes each transfer. */
export const TOKEN_LIST = '/mpc/tokens/list';

/** Active faults, checked in the order they were added; the first that applies wins. */
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

	/** Removes equal faults. */
	remove(other: Fault): void {
		this.rules = this.rules.filter(({ fault }) => !lodash.isMatch(fault, other));
	}

	/** True if such a fault can still hit. */
	has(other: Fault): boolean {
		return this.rules.some(({ fault, left }) => left > 0 && lodash.isMatch(fault, other));
	}

	list(): ActiveFault[] {
		return this.rules.map(({ fault }) => fault);
	}

	/**
	 * Returns the fault that hits this request and counts the hit.
	 * @param isCheck true for the read before a transfer, which only a fault with its path hits
	 */
	take(method: string, path: string, isCheck = false): ActiveFault | undefined {
		for (const rule of this.rules) {
			const { match, probability } = rule.fault;
			if (rule.left <= 0 || !rule.path.test(path)) continue;
			if (isCheck && !match?.path) continue;
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
