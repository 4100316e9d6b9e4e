import core from './stryker.config.mjs';

/** Mutates the code next to n8n. */
export default {
	...core,
	// n8n evaluates the text of some functions in the description as expressions, which cannot contain Stryker's code.
	mutate: ['nodes/**/n8n/**/*.ts', '!nodes/CardTreasuryTrigger/n8n/description.ts'],
	jest: {
		...core.jest,
		configFile: 'test/jest.engine.config.json',
		config: {
			...core.jest.config,
			testPathIgnorePatterns: ['/node_modules/', '/unit.test.mts$'],
			testTimeout: 20_000,
		},
	},
	incrementalFile: '.cache/stryker/shells.incremental.json',
	htmlReporter: { fileName: '.cache/stryker/shells.html' },
	jsonReporter: { fileName: '.cache/stryker/shells.json' },
};
