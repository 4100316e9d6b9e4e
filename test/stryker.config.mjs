import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mutates all code that the unit tests and the model run: everything but the shells, which only the real n8n shows. */
export default {
	mutate: [
		'nodes/**/*.ts',
		'!nodes/**/*.node.ts',
		'!nodes/**/index.ts',
		// n8n evaluates the text of a function, which cannot contain Stryker's code.
		'!nodes/CardTreasuryTrigger/n8n.ts',
		'!nodes/CardTreasury/run/{execution,item,notes,report,run,send}.ts',
		'!nodes/CardTreasury/service/{connect,transport}.ts',
	],
	mutator: { excludedMutations: ['StringLiteral'] },
	plugins: ['@stryker-mutator/jest-runner'],
	testRunner: 'jest',
	jest: {
		configFile: 'test/jest.config.json',
		// One test file imports all others, so jest cannot tell which tests relate to a mutant.
		enableFindRelatedTests: false,
		config: {
			roots: ['<rootDir>/test/mutation'],
			testPathIgnorePatterns: ['/node_modules/'],
			testEnvironment: './test/mutation/firstFailure.cjs',
		},
	},
	coverageAnalysis: 'perTest',
	// Code that runs at import would take all tests per mutant: tables, which are pinned, and the panel.
	ignoreStatic: true,
	ignorePatterns: ['dist', 'docs/images'],
	// Outside the project, because n8n's lint rules would read the mutated copy.
	tempDirName: join(tmpdir(), 'n8n-nodes-card-treasury-mutants'),
	concurrency: 2,
	// jest leaks memory when started many times in one process.
	maxTestRunnerReuse: 100,
	timeoutFactor: 2,
	incremental: true,
	incrementalFile: '.cache/stryker/incremental.json',
	reporters: ['clear-text', 'progress', 'html', 'json'],
	htmlReporter: { fileName: '.cache/stryker/report.html' },
	jsonReporter: { fileName: '.cache/stryker/report.json' },
	clearTextReporter: { logTests: false, allowColor: false },
	thresholds: { high: 90, low: 80, break: 80 },
};
