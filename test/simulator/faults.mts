import lodash from 'lodash';
import { z } from 'zod';

import { errorAnswer, json, type Answer } from './answer.mts';
import { parseJson } from './parseJson.mts';

/** Fault as JSON (control API) or as an object. */
export const faultSchema = z.strictObject({
	kind: z.enum([
		...(['429', '401', 'status', 'html502', 'html200', 'proxy', 'empty'] as const),
		...(['warning', 'body', 'differ', 'reset-before', 'reset-after'] as const),
		...(['slow-before', 'slow-after', 'cut-headers', 'cut-body'] as const),
	]),
	/** Only matching requests are hit; `path` is a regular expression for path and query, of the service without one. */
	match: z
		.strictObject({
			method: z.string().optional(),
			path: z
				.string()
				.refine((text) => RegExp(text))
				.optional(),
		})
		.optional(),
	/** Status of `status` (default 500), `proxy` (default 502) and `differ` (default: the service's). */
	status: z.number().int().min(200).max(599).optional(),
	body: z.string().optional(),
	/** Fields that `differ` replaces in the answer, by their path. */
	set: z.record(z.unknown()).optional(),
	/** Number of hits; default once, or unlimited with `every`. */
	times: z.number().int().positive().optional(),
	/** Hits only the matching requests with a number that this one divides. */
	every: z.number().int().positive().optional(),
	/** Delay of the slow kinds; default 1,000 ms. */
	delayMs: z.number().nonnegative().optional(),
	/** Seconds, for `429` and `status`; without it the header is not sent. */
	retryAfter: z.number().nonnegative().optional(),
	/** True if the write is executed although its answer is replaced. */
	effect: z.boolean().optional(),
});

export type Fault = z.infer<typeof faultSchema>;

/** Kind of fault with an answer or a change of its own. The others concern the connection or the time. */
interface Kind {
	/** Answer that is sent instead of the service's. */
	instead?(fault: Fault): Answer;
	/** Change of a success before it is remembered under its key. */
	amend?(answer: Answer, fault: Fault): Answer;
	/** Change of any answer as it is sent. */
	alter?(answer: Answer, fault: Fault): Answer;
}

const html = (status: number, title: string): Answer => ({
	status,
	headers: { 'Content-Type': 'text/html; charset=utf-8' },
	body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});

/** 429 answer. §8 shows neither a body nor retry guidance, so the body is empty. */
export const tooManyRequests = (headers: Answer['headers'] = {}): Answer => ({
	...{ status: 429, headers, body: '' },
});

const retryAfter = ({ retryAfter: seconds }: Fault): Answer['headers'] =>
	seconds === undefined ? {} : { 'Retry-After': String(Math.ceil(seconds)) };

const KINDS: Partial<Record<Fault['kind'], Kind>> = {
	'429': { instead: (fault) => tooManyRequests(retryAfter(fault)) },
	'401': { instead: () => errorAnswer(401, 'AUTH', 'Missing or invalid API key') },
	status: {
		instead: (fault) =>
			// The document shows no codes for other statuses (§7.4).
			json(fault.status ?? 500, { code: 'UNAVAILABLE', message: 'Fault' }, retryAfter(fault)),
	},
	html502: { instead: () => html(502, '502 Bad Gateway') },
	html200: { instead: () => html(200, 'Sign in to continue') },
	proxy: {
		instead: ({ status = 502 }) => ({ ...html(status, 'Answered by a proxy'), withoutTrace: true }),
	},
	empty: { amend: () => ({ status: 200, headers: {}, body: '' }) },
	warning: {
		amend: () => errorAnswer(302, 'WARNING', 'The transaction is pending; check the status later'),
	},
	body: { amend: (answer, { body = '' }) => ({ ...answer, body }) },
	differ: {
		alter(answer, { status = answer.status, set = {} }) {
			const value = parseJson(String(answer.body)) as object;
			for (const [path, other] of Object.entries(set)) lodash.set(value, path, other);
			return { ...answer, status, body: JSON.stringify(value) };
		},
	},
};

export const kindOf = (fault?: Fault): Kind => (fault && KINDS[fault.kind]) ?? {};

const NOT_CHAIN = '^(?!/chain/)';

/** Fault that is switched on, with its numbers of matching requests, of hits, and of hits to come. */
interface Rule {
	fault: Fault;
	matched: number;
	struck: number;
	left: number;
}

/** Active faults, checked in the order they were added; the first that applies wins. */
export class Faults {
	private rules: Rule[] = [];

	add(...faults: Fault[]): void {
		this.rules.push(
			...faults.map((fault) => ({
				...{ fault, matched: 0, struck: 0 },
				left: fault.times ?? (fault.every === undefined ? 1 : Infinity),
			})),
		);
	}

	clear(): void {
		this.rules = [];
	}

	remove(other: Fault): void {
		this.rules = this.rules.filter(({ fault }) => !lodash.isMatch(fault, other));
	}

	/** True if such a fault can still hit. */
	has(other: Fault): boolean {
		return this.rules.some(({ fault, left }) => left > 0 && lodash.isMatch(fault, other));
	}

	list() {
		return this.rules.map(({ fault, struck }) => ({ ...fault, struck }));
	}

	take(method: string, path: string): Fault | undefined {
		const rule = this.rules.find((each) => {
			const { match = {}, every = 1 } = each.fault;
			if (each.left <= 0 || !new RegExp(match.path ?? NOT_CHAIN).test(path)) return false;
			if (match.method && match.method.toUpperCase() !== method) return false;
			return ++each.matched % every === 0;
		});
		if (!rule) return undefined;
		rule.left--;
		rule.struck++;
		return rule.fault;
	}
}
