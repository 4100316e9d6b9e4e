import core from './stryker.config.mjs';

/** What an operation is, its fields, and how a batch of them is sent. */
export default {
	...core,
	mutate: [
		'nodes/CardTreasury/*.ts',
		'nodes/CardTreasury/{batch,fields,resources}/**/*.ts',
		'!nodes/**/*.node.ts',
		'!nodes/**/index.ts',
	],
	// What is made while the files are loaded is the panel: savedNames.txt and the tables of requests hold it.
	ignoreStatic: true,
	incrementalFile: '.cache/stryker/actions.incremental.json',
	htmlReporter: { fileName: '.cache/stryker/actions.html' },
	jsonReporter: { fileName: '.cache/stryker/actions.json' },
};
