import config from '../stryker.config.mjs';

/** Mutates the strings of the tables and sentences that users rely on. They run at import, so each mutant takes all tests. */
export default {
	...config,
	mutate: [
		'nodes/shared/rules/conditions.ts',
		'nodes/CardTreasuryTrigger/catalog.ts',
		'nodes/CardTreasury/run/report.ts',
	],
	mutator: { excludedMutations: [] },
	ignoreStatic: false,
	incrementalFile: '.cache/stryker/incremental-strings.json',
};
