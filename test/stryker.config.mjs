import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What decides something and runs without n8n. */
export default {
	mutate: [
		'nodes/shared/*.ts',
		'nodes/CardTreasury/request/**/*.ts',
		'nodes/CardTreasuryTrigger/**/*.ts',
		'!nodes/CardTreasuryTrigger/{n8n,panel}/**',
		'!nodes/**/*.node.ts',
		'!nodes/**/index.ts',
	],
	mutator: { excludedMutations: ['StringLiteral'] },
	plugins: ['@stryker-mutator/jest-runner'],
	testRunner: 'jest',
	jest: {
		configFile: 'test/jest.config.json',
		// One file of tests has all of them; what it imports is known to nobody but that file.
		enableFindRelatedTests: false,
		config: {
			roots: ['<rootDir>/test/mutation'],
			testPathIgnorePatterns: ['/node_modules/', '/shells.test.mts$'],
			testEnvironment: './test/mutation/firstFailure.cjs',
		},
	},
	coverageAnalysis: 'perTest',
	// What is made while the files are loaded would take all tests for each change: tables, which are pinned, and the panel.
	ignoreStatic: true,
	ignorePatterns: ['dist', 'docs/images'],
	// Outside of the project: n8n's lint rules, which may not be changed, would read the mutated copy.
	tempDirName: join(tmpdir(), 'n8n-nodes-card-treasury-mutants'),
	concurrency: 2,
	// jest, started many times in one process, keeps memory.
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
