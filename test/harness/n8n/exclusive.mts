import { randomUUID } from 'node:crypto';
import {
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A lock that has not been touched for so long belongs to a process that is gone. */
const STALE_MS = 30_000;

/**
 * Runs `work` while no other process does so for the same folder: a folder `<folder>.lock` is held meanwhile.
 * A lock left by a killed process is taken over after half a minute.
 * @param onWait called once when another process holds the lock
 */
export async function exclusively<Result>(
	folder: string,
	onWait: () => void,
	work: () => Promise<Result>,
): Promise<Result> {
	const lock = `${folder}.lock`;
	const owner = randomUUID();
	for (let waited = false; !take(lock, owner); waited = true) {
		removeIfStale(lock);
		if (!waited) onWait();
		await wait(500);
	}
	const heartbeat = setInterval(() => touch(lock), STALE_MS / 6);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		if (ownerOf(lock) === owner) rmSync(lock, { recursive: true, force: true });
	}
}

/** Making a folder either succeeds for one process or fails: that is what makes it a lock. */
function take(lock: string, owner: string): boolean {
	try {
		mkdirSync(lock);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
		throw error;
	}
	writeFileSync(join(lock, 'owner'), owner);
	return true;
}

function removeIfStale(lock: string): void {
	const seen = ownerOf(lock);
	const touched = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
	if (touched === undefined || Date.now() - touched < STALE_MS) return;
	const aside = `${lock}.${randomUUID()}`;
	try {
		renameSync(lock, aside);
		// Another process may have replaced the stale lock by its own in between: that one goes back.
		if (ownerOf(aside) === seen) rmSync(aside, { recursive: true, force: true });
		else renameSync(aside, lock);
	} catch {
		// Another process was faster with one of the two.
	}
}

function ownerOf(lock: string): string | undefined {
	try {
		return readFileSync(join(lock, 'owner'), 'utf8');
	} catch {
		return undefined;
	}
}

function touch(lock: string): void {
	try {
		utimesSync(lock, new Date(), new Date());
	} catch {
		// Taken over: this process had been stopped for longer than a lock lives.
	}
}
