import { readdirSync, readFileSync } from 'node:fs';
import lodash from 'lodash';

/** Unit of processor time in Linux's /proc. */
const TICK_MS = 10;

/**
 * Processor time so far of a process and its descendants (n8n runs Code nodes in a child process), in steps of 10 ms.
 * Undefined without /proc, or after the process has ended.
 */
export function cpuMsOf(pid: number): number | undefined {
	const all = new Map(processes().flatMap((each) => statOf(each) ?? []));
	const isBelow = (at: number | undefined): boolean =>
		at !== undefined && (at === pid || isBelow(all.get(at)?.parent));
	const own = [...all].filter(([each]) => isBelow(each));
	return all.has(pid) ? lodash.sumBy(own, ([, { cpuMs }]) => cpuMs) : undefined;
}

function processes(): number[] {
	try {
		return readdirSync('/proc').map(Number).filter(Number.isInteger);
	} catch {
		return [];
	}
}

function statOf(pid: number) {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name in brackets may contain spaces and brackets, so fields are counted after it.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const [parent, user, system] = [1, 11, 12].map((place) => Number(fields[place]));
		return [[pid, { parent, cpuMs: (user! + system!) * TICK_MS }]] as const;
	} catch {
		return undefined;
	}
}
