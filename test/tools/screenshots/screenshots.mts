import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { installN8n } from '../../harness/n8n/install.mts';
import { packPack, startN8n, type RunningN8n } from '../../harness/n8n/n8n.mts';
import { createCredential, simulatorKeys } from '../../harness/n8n/scenario.mts';
import { startSimulator } from '../../simulator/index.mts';
import { SLACK_CREDENTIAL } from '../../harness/slack/slackStandIn.mts';
import { smtpCredential } from '../../harness/smtp/smtpStandIn.mts';
import { startBrowser } from '../../harness/editor/browser.mts';
import { Editor } from '../../harness/editor/editor.mts';
import { PICTURES } from './pictures.mts';

const IMAGES = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');

/**
 * Makes the pictures in `docs/images/` anew, from the real editor. `npm run screenshots -- <parts of names>` makes some;
 * with `--dark` they are made in the dark theme, to look at, in a folder of their own.
 */
async function main(): Promise<void> {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { dark: { type: 'boolean' } },
	});
	const wanted = PICTURES.filter(
		({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
	);
	const folder = values.dark ? mkdtempSync(join(tmpdir(), 'card-treasury-dark-')) : IMAGES;
	mkdirSync(folder, { recursive: true });
	const temporary = mkdtempSync(join(tmpdir(), 'card-treasury-pack-'));
	const simulator = await startSimulator();
	const browser = await startBrowser();
	let n8n: RunningN8n | undefined;
	try {
		n8n = await startN8n(
			await installN8n((line) => process.stdout.write(`${line}\n`)),
			await packPack(temporary),
		);
		const credentials = {
			cardTreasuryApi: await createCredential(n8n, simulatorKeys(simulator), {
				name: 'Card Treasury account',
			}),
			slackApi: await createCredential(n8n, SLACK_CREDENTIAL, {
				type: 'slackApi',
				name: 'Slack stand-in',
			}),
			smtp: await createCredential(n8n, smtpCredential({ port: 25 }), { type: 'smtp' }),
		};
		for (const { name, window, compose } of wanted) {
			const editor = await Editor.open(browser, n8n, {
				width: 1280,
				height: 950,
				theme: values.dark ? 'dark' : 'light',
				...window,
			});
			const path = join(folder, `${name}.png`);
			await editor.photograph(path, (await compose({ n8n, editor, credentials })) ?? undefined);
			await editor.close();
			process.stdout.write(`${path}\n`);
		}
	} finally {
		await browser.close();
		await n8n?.stop();
		await simulator.close();
		rmSync(temporary, { recursive: true, force: true });
	}
}

await main();
