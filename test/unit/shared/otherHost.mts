/**
 * What `load` imports, in an n8n that has another version of `module`. Called before the tests, not in one: Stryker would
 * take what is made while the files are loaded for what that one test alone can notice.
 */
export async function loadWith<T>(
	module: string,
	replacement: () => object,
	load: () => Promise<T>,
): Promise<T> {
	let loaded!: T;
	await jest.isolateModulesAsync(async () => {
		jest.doMock(module, replacement);
		loaded = await load();
		jest.dontMock(module);
	});
	return loaded;
}

/** In an n8n whose n8n-workflow lacks these exports. */
export const loadWithout = async <T,>(missing: string[], load: () => Promise<T>): Promise<T> =>
	await loadWith(
		'n8n-workflow',
		() => {
			const older = { ...jest.requireActual('n8n-workflow') };
			for (const name of missing) delete older[name];
			return older;
		},
		load,
	);
