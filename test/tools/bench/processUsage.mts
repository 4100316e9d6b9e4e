import { readdirSync, readFileSync } from 'node:fs';

/** What a process and all processes below it use; n8n runs code of Code nodes in one of its own. */
export interface ProcessUsage {
	/** Processor time so far, in milliseconds, in steps of 10. */
	cpuMs: number;
	/** Memory that is in RAM at the moment, in bytes. */
	rssBytes: number;
}

/** Linux counts processor time for /proc in hundredths of a second, whatever its own clock. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/** Reads /proc; undefined where there is none, or when the process has ended. */
export function processUsage(pid: number): ProcessUsage | undefined {
	const processes = readProcesses();
	if (!processes.has(pid)) return undefined;
	const usage = { cpuMs: 0, rssBytes: 0 };
	for (const [candidate, { cpuMs, rssBytes }] of processes) {
		if (!isBelow(candidate, pid, processes)) continue;
		usage.cpuMs += cpuMs;
		usage.rssBytes += rssBytes;
	}
	return usage;
}

interface ProcessStat extends ProcessUsage {
	parent: number;
}

function isBelow(
	pid: number | undefined,
	ancestor: number,
	processes: Map<number, ProcessStat>,
): boolean {
	for (let at = pid; at !== undefined && at !== 0; at = processes.get(at)?.parent) {
		if (at === ancestor) return true;
	}
	return false;
}

function readProcesses(): Map<number, ProcessStat> {
	const processes = new Map<number, ProcessStat>();
	for (const entry of numbersIn('/proc')) {
		const stat = readStat(entry);
		if (stat) processes.set(entry, stat);
	}
	return processes;
}

function numbersIn(folder: string): number[] {
	try {
		return readdirSync(folder).map(Number).filter(Number.isInteger);
	} catch {
		return [];
	}
}

function readStat(pid: number): ProcessStat | undefined {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name, in brackets, may hold blanks and brackets itself; the fields are counted from behind it.
		const fields = text
			.slice(text.lastIndexOf(')') + 2)
			.split(' ')
			.map(Number);
		const [parent, user, system, pages] = [fields[1]!, fields[11]!, fields[12]!, fields[21]!];
		return { parent, cpuMs: (user + system) * TICK_MS, rssBytes: pages * PAGE_BYTES };
	} catch {
		return undefined;
	}
}
