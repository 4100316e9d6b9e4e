import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

/** The node type under which n8n knows it. */
export const BARE_TRIGGER = 'CUSTOM.bareTrigger';

export interface BareTriggerFolder {
	/** What n8n has to be started with to load it. */
	env: Record<string, string>;
	remove(): void;
}

/** Compiles the bare trigger into a folder of its own. */
export function installBareTrigger(): BareTriggerFolder {
	const folder = mkdtempSync(join(tmpdir(), 'card-treasury-bare-'));
	const source = readFileSync(join(import.meta.dirname, 'BareTrigger.node.mts'), 'utf8');
	const { outputText } = transpileModule(source, {
		compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
	});
	writeFileSync(join(folder, 'BareTrigger.node.js'), outputText);
	return {
		env: { N8N_CUSTOM_EXTENSIONS: folder },
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
