import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import pLimit from 'p-limit';

import * as BATCH from '../../nodes/CardTreasury/run/batch.ts';
import * as REFUSALS from '../../nodes/CardTreasury/run/refusals.ts';
import * as PROBLEM from '../../nodes/shared/problem.ts';

/** Payment memory: the imported code, or an edited copy. */
export interface Code {
	pay: typeof BATCH.pay;
	namesOf: typeof REFUSALS.namesOf;
	/** Payments of a part, and parts between recording and settling. */
	part: number;
	atOnce: number;
}

export const REAL: Code = { ...BATCH, ...REFUSALS, part: 10, atOnce: 8 };

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
		];
		return { ...copy([...edits, ...sizes]), part, atOnce };
	});
}

const FOLDER = join(import.meta.dirname, '../../nodes/CardTreasury/run');

/** Edited copy of the code. Its notes are readable, because nothing is hashed. */
export function copy(edits: Edit[] = []): Code {
	const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
	const texts: [string, string] = [read('refusals.ts'), read('batch.ts')];
	for (const [from, to] of edits) {
		const at = texts.findIndex((text) => text.includes(from));
		if (at < 0) throw new Error(`Not in the code: ${from}`);
		texts[at] = texts[at]!.replace(from, () => to);
	}
	const [refusals, batch] = texts;
	const imports: Record<string, unknown> = {
		'p-limit': pLimit,
		'../../shared/problem': PROBLEM,
		'../service/key': { hashOf: (...values: unknown[]) => JSON.stringify(values) },
	};
	const { namesOf } = (imports['./refusals'] = evaluate<typeof REFUSALS>(refusals, imports));
	return { ...REAL, pay: evaluate<typeof BATCH>(batch, imports).pay, namesOf };
}

function evaluate<Module>(text: string, imports: Record<string, unknown>): Module {
	const { code } = transformSync(text, {
		jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	});
	const exports = {} as Module;
	new Function('exports', 'require', code)(exports, (path: string) => imports[path]);
	return exports;
}
