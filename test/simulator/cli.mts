import { runCommand } from './command.mts';

process.exitCode = await runCommand(process.argv.slice(2), console.log);
