import { readdirSync, readFileSync } from 'node:fs';
import lodash from 'lodash';

/** Linux counts processor time for /proc in hundredths of a second, whatever its own clock. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/**
 * What a process and all processes below it use (n8n runs code of Code nodes in one of its own): processor time so far, in
 * steps of 10 ms, and memory that is in RAM. Undefined where there is no /proc, or when the process has ended.
 */
export function processUsage(pid: number): { cpuMs: number; rssBytes: number } | undefined {
	const all = new Map(processes().flatMap((each) => statOf(each) ?? []));
	const isBelow = (at: number | undefined): boolean =>
		at !== undefined && (at === pid || isBelow(all.get(at)?.parent));
	const own = [...all].filter(([each]) => isBelow(each)).map(([, stat]) => stat);
	if (!all.has(pid)) return undefined;
	return { cpuMs: lodash.sumBy(own, 'cpuMs'), rssBytes: lodash.sumBy(own, 'rssBytes') };
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
		// The name, in brackets, may hold blanks and brackets itself; the fields are counted from behind it.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const [parent, user, system, pages] = [1, 11, 12, 21].map((place) => Number(fields[place]));
		const stat = { cpuMs: (user! + system!) * TICK_MS, rssBytes: pages! * PAGE_BYTES };
		return [[pid, { parent, ...stat }]] as const;
	} catch {
		return undefined;
	}
}
