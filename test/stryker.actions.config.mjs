import { readFileSync } from 'node:fs';

/** What an operation is, its fields, and how a batch of them is sent; by the unit tests of the action node, in one file. */
const core = JSON.parse(readFileSync(new URL('stryker.config.json', import.meta.url), 'utf8'));

export default {
	...core,
	mutate: [
		'nodes/CardTreasury/*.ts',
		'nodes/CardTreasury/{batch,fields,resources}/**/*.ts',
		'!nodes/**/*.node.ts',
		'!nodes/**/index.ts',
	],
	jest: {
		...core.jest,
		enableFindRelatedTests: false,
		config: { roots: ['<rootDir>/test/mutation'], testPathIgnorePatterns: ['/node_modules/'] },
	},
	// What is made while the files are loaded is the panel: savedNames.txt and the tables of requests hold it.
	ignoreStatic: true,
	incrementalFile: '.cache/stryker/actions.incremental.json',
	htmlReporter: { fileName: '.cache/stryker/actions.html' },
	jsonReporter: { fileName: '.cache/stryker/actions.json' },
};
