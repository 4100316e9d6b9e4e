// Jest's global setup for tests with the real n8n. Jest does not transform this file, so tsx loads the TypeScript.
import { tsImport } from 'tsx/esm/api';

export default async function globalSetup() {
	const { installN8n } = await tsImport('./install.mts', import.meta.url);
	const { prepare } = await tsImport('./n8n.mts', import.meta.url);
	await prepare(await installN8n((line) => process.stdout.write(`${line}\n`)));
}
