import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const CACHE = join(ROOT, 'node_modules/.cache/nodes-before');

/** Returns a folder with the nodes of an earlier commit, so that one run compares them with today's. */
export function earlierNodes(commit: string): string {
	const folder = join(CACHE, commit);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const archive = execFileSync('git', ['archive', commit, 'nodes'], { cwd: ROOT });
	execFileSync('tar', ['-x', '-C', folder], { input: archive });
	cpSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
	return folder;
}

/**
 * Compiles the nodes in a folder as they are published, because tsx makes each closure dearer.
 * @returns folder of the result
 */
export function compiledNodes(folder: string): string {
	const outDir = join(CACHE, 'compiled', folder === ROOT ? 'now' : basename(folder));
	const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
	execFileSync(process.execPath, [tsc, '-p', folder, '--outDir', outDir], { stdio: 'inherit' });
	return outDir;
}
