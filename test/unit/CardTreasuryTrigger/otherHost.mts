/**
 * Imports with another version of `module`. Call it at module scope: Stryker attributes modules loaded within a test to
 * that test alone.
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

/** Imports with an n8n-workflow that lacks these exports. */
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
