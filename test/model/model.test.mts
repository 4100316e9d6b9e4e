import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import * as ACTION from '../../nodes/CardTreasury/n8n/run.ts';
import type { Action } from './engine.mts';
import { FAULTS } from './faults.mts';
import { HISTORIES } from './histories.mts';
import { play, search, shrink, violationsOf } from './search.mts';

/** Milliseconds on a busy machine. An idle one needs 20 seconds for all faults. */
const AT_MOST_MS = 900_000;

describe('payments', () => {
	it(
		'each one is executed once and reported truthfully in 300 random histories',
		async () => {
			for await (const { seed, history, violations } of search(1, 300)) {
				const [violation] = violations;
				const { checks } = await play(await shrink(history, violation!.hole));
				throw new Error([`seed ${seed}: ${violation?.what}`, ...checks.lines].join('\n'));
			}
		},
		AT_MOST_MS,
	);

	it.each(Object.entries(HISTORIES))(
		'no promise is broken in a history that once broke one: %s',
		async (_name, history) => {
			expect(await violationsOf(history)).toEqual([]);
		},
	);
});

describe('model', () => {
	it(
		'the model notices a node that does not see that an execution is a retry',
		async () => {
			const run: Action['run'] = async (n8n, state) =>
				await ACTION.run({ ...n8n, getMode: () => 'trigger' }, state);
			const found = await search(1, 400, { action: { ...ACTION, run } }).next();
			expect(found.value).toBeDefined();
		},
		AT_MOST_MS,
	);

	// A process of its own, because jest transforms no code below node_modules, where the copies with the faults are.
	it(
		'the model finds each fault of the node in the history of the fault',
		async () => {
			const cli = join(import.meta.dirname, 'cli.mts');
			const args = ['--import', 'tsx', cli, '--faults'];
			const { stdout } = await promisify(execFile)(process.execPath, args).catch(
				(error: { stdout: string }) => error,
			);
			expect(
				stdout
					.trim()
					.split('\n')
					.filter((line) => line.includes('NOT FOUND')),
			).toEqual([]);
			expect(stdout.trim().split('\n')).toHaveLength(Object.keys(FAULTS).length);
		},
		AT_MOST_MS,
	);
});
