/**
 * What `load` imports, in an n8n whose n8n-workflow lacks these exports. Called before the tests, not in one: Stryker
 * would take what is made while the files are loaded for what that one test alone can notice.
 */
export async function loadWithout<T>(missing: string[], load: () => Promise<T>): Promise<T> {
	let loaded!: T;
	await jest.isolateModulesAsync(async () => {
		jest.doMock('n8n-workflow', () => {
			const older = { ...jest.requireActual('n8n-workflow') };
			for (const name of missing) delete older[name];
			return older;
		});
		loaded = await load();
		jest.dontMock('n8n-workflow');
	});
	return loaded;
}
