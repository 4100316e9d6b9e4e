import core from './stryker.config.mjs';

/** Mutates the code next to n8n. */
export default {
	...core,
	mutate: ['nodes/**/n8n/**/*.ts'],
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
