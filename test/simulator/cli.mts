import { runCommand } from './command.mts';

// Entry point of `npm run simulator`. The first signal stops it cleanly; a second one ends the process at once.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => interrupted.abort());
}

process.exitCode = await runCommand(process.argv.slice(2), console.log, interrupted.signal);
