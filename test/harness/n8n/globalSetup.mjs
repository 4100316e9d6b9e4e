// Of jest, where tests start the real n8n. jest does not transform this file, so it has tsx read the TypeScript.
import { tsImport } from 'tsx/esm/api';

export default async function globalSetup() {
	const { installN8n } = await tsImport('./install.mts', import.meta.url);
	const { prepare } = await tsImport('./n8n.mts', import.meta.url);
	await prepare(await installN8n((line) => process.stdout.write(`${line}\n`)));
}
