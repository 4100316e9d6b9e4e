import { readdirSync, readFileSync } from 'node:fs';
import lodash from 'lodash';

/** Unit of processor time in Linux's /proc. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/**
 * Usage of a process and its descendants (n8n runs Code nodes in a child process): processor time so far, in steps of 10
 * ms, and resident memory. Undefined without /proc, or after the process has ended.
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
		// The name in brackets may contain spaces and brackets, so fields are counted after it.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const [parent, user, system, pages] = [1, 11, 12, 21].map((place) => Number(fields[place]));
		const stat = { cpuMs: (user! + system!) * TICK_MS, rssBytes: pages! * PAGE_BYTES };
		return [[pid, { parent, ...stat }]] as const;
	} catch {
		return undefined;
	}
}
