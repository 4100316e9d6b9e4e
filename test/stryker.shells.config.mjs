import core from './stryker.config.mjs';

/** What touches n8n. */
export default {
	...core,
	// The functions of a description become expressions, whose text n8n evaluates: a changed one would not know Stryker.
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
