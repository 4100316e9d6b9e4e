import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import pLimit from 'p-limit';

import * as BATCH from '../../nodes/CardTreasury/run/batch.ts';
import * as NAMES from '../../nodes/CardTreasury/run/names.ts';
import * as PROBLEM from '../../nodes/shared/problem.ts';

/** Payment memory: the imported code, or an edited copy. */
export interface Code {
	pay: typeof BATCH.pay;
	namesOf: typeof NAMES.namesOf;
	placeOf: typeof NAMES.placeOf;
	runNoteOf: typeof NAMES.runNoteOf;
	/** Payments of a part, and parts between recording and settling. */
	part: number;
	atOnce: number;
	/** Unknown ones in a row, after which nothing more is sent. */
	mostUnknown: number;
}

export const REAL: Code = { ...BATCH, ...NAMES, part: 10, atOnce: 8, mostUnknown: 10 };

/** Text of the code, and its replacement. */
export type Edit = [from: string, to: string];

/** Payments of a part, and parts at once: few, so that few payments are cut at many moments. */
const SIZES = ['1 × 1', '1 × 2', '2 × 1', '2 × 2', '3 × 2', '1 × 4'];

/** Edited copies of the code, with parts of several sizes. */
export function copies(edits: Edit[] = []): Code[] {
	return SIZES.map((size) => {
		const [part, atOnce] = size.split(' × ').map(Number) as [number, number];
		const sizes: Edit[] = [
			['PART = 10', `PART = ${part}`],
			['AT_ONCE = 8', `AT_ONCE = ${atOnce}`],
			['MOST_UNKNOWN = 10', 'MOST_UNKNOWN = 2'],
		];
		return { ...copy([...edits, ...sizes]), part, atOnce, mostUnknown: 2 };
	});
}

const FOLDER = join(import.meta.dirname, '../../nodes/CardTreasury/run');

/** Files of the memory. Each imports only earlier ones. */
const FILES = ['names', 'result', 'refusals', 'verdict', 'batch'];

/** Edited copy of the code. Its notes are readable, because nothing is hashed. */
export function copy(edits: Edit[] = []): Code {
	const texts = FILES.map((name) => readFileSync(join(FOLDER, `${name}.ts`), 'utf8'));
	for (const [from, to] of edits) {
		const at = texts.findIndex((text) => text.includes(from));
		if (at < 0) throw new Error(`Not in the code: ${from}`);
		texts[at] = texts[at]!.replace(from, () => to);
	}
	const imports: Record<string, unknown> = {
		'p-limit': pLimit,
		'../../shared/problem': PROBLEM,
		'node:crypto': { createHash: () => UNHASHED },
	};
	for (const [at, text] of texts.entries()) imports[`./${FILES[at]}`] = evaluate(text, imports);
	return { ...REAL, ...(imports['./names'] as Code), pay: (imports['./batch'] as Code).pay };
}

const UNHASHED = { update: (text: string) => ({ digest: () => text }) };

function evaluate(text: string, imports: Record<string, unknown>): unknown {
	const { code } = transformSync(text, {
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	});
	const exports = {};
	new Function('exports', 'require', code)(exports, (path: string) => imports[path]);
	return exports;
}
