import type { ChildProcess } from 'node:child_process';

/**
 * An n8n to run: all that the harness asks of one. Today npm has installed it (`install.mts`); n8n 3 comes as a container
 * only, which is another function that gives this.
 */
export interface Host {
	/** Runs `n8n <args>` with this environment and nothing of the caller's. It ends when this process does. */
	spawn(args: string[], env: Record<string, string>): ChildProcess;
	/** Whether this version has a module: n8n does not start when one that it does not know is switched off. */
	hasModule(name: string): boolean;
}
