import core from './stryker.config.mjs';

/** Mutates the operations, their fields and the sending of batches. */
export default {
	...core,
	mutate: [
		'nodes/shared/fields/**/*.ts',
		'nodes/CardTreasury/{batch,operations}/**/*.ts',
		'!nodes/**/*.node.ts',
		'!nodes/**/index.ts',
	],
	incrementalFile: '.cache/stryker/actions.incremental.json',
	htmlReporter: { fileName: '.cache/stryker/actions.html' },
	jsonReporter: { fileName: '.cache/stryker/actions.json' },
};
