import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns a folder with the nodes of an earlier commit, so that one run compares them with today's. */
export function earlierNodes(commit: string): string {
	const folder = join(ROOT, 'node_modules/.cache/nodes-before', commit);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const archive = execFileSync('git', ['archive', commit, 'nodes'], { cwd: ROOT });
	execFileSync('tar', ['-x', '-C', folder], { input: archive });
	cpSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
	return folder;
}
