import { type RetryAfterForm } from './rateLimit.mts';
import { seededRandom } from './seededRandom.mts';

/**
 * - `429`, `status`, `401`, `html502`, `html200`: answered instead of the service; the effect does not happen
 * - `reset-before`, `reset-after`: the socket is destroyed before or after the effect
 * - `slow-before`: waits, then the effect, unless the client has gone by then; `slow-after`: the effect, then the answer late
 * - `empty`, `not-json`: the effect happens, but the 200 arrives with no body or a damaged one
 */
export const FAULT_KINDS = [
	'429',
	'401',
	'status',
	'html502',
	'html200',
	'empty',
	'not-json',
	'reset-before',
	'reset-after',
	'slow-before',
	'slow-after',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
	kind: FaultKind;
	/** Strikes only these requests; `path` is a regular expression on path and query. */
	match?: { method?: string; path?: string | RegExp };
	/** For `status`; default 500. */
	status?: number;
	/** How often it strikes; default once, or without end when `probability` is given. */
	times?: number;
	/** For the slow kinds; default 1,000 ms. */
	delayMs?: number;
	/** Seconds, for `429` and `status`; the header is absent by default. */
	retryAfter?: number;
	/** Default seconds. */
	retryAfterForm?: Exclude<RetryAfterForm, 'none'>;
	/** Share of the matching requests that are struck, 0 to 1, by a seeded generator. */
	probability?: number;
	seed?: number;
	/** Overrides whether the effect happens, for the kinds that answer instead of the service. */
	effect?: boolean;
}

/** A fault that is switched on, with how often it struck. */
export interface ActiveFault extends Fault {
	struck: number;
}

interface Rule extends ActiveFault {
	left: number;
	path?: RegExp;
	random: () => number;
}

/** The faults that are switched on, asked in the order they were added; the first that strikes wins. */
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

	/** The fault that strikes this request, counted as struck. */
	strike(method: string, path: string): ActiveFault | undefined {
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
