import type { ChildProcess } from 'node:child_process';

/**
 * n8n installation for the harness. `install.mts` provides one from npm. n8n 3 is available as a container only, so it
 * will need another implementation.
 */
export interface Host {
	/** Runs `n8n <args>` with only this environment. It ends with the caller's process. */
	spawn(args: string[], env: Record<string, string>): ChildProcess;
	/** True if this version has the module. n8n does not start with an unknown module disabled. */
	hasModule(name: string): boolean;
}
