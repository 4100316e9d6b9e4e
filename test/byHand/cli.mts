import { bench } from './bench/bench.mts';
import { screenshots } from './screenshots/screenshots.mts';
import type { Tool } from './tool.mts';

const TOOLS: Record<string, Tool> = { bench, screenshots };

/** Runs a tool, or prints how each one is called. */
async function main([name = '', ...args]: string[]): Promise<void> {
	const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
	if (await tool?.run(args, `npm run by-hand -- ${name}`)) return;
	for (const [each, { usage }] of Object.entries(TOOLS))
		console.log(`npm run by-hand -- ${each} ${usage}\n`);
	console.log('Update docs/measured.md with the figures by hand.');
	process.exitCode = 1;
}

await main(process.argv.slice(2));
