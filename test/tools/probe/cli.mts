import { probe } from './probe.mts';

process.exitCode = await probe(process.argv.slice(2), process.env, console.log);
