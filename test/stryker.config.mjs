import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Mutates all code that the unit tests, the model and the in-process engine run. The strings of tables that users rely
 * on have a run of their own: `test/mutation/strings.config.mjs`.
 */
export default {
	mutate: ['nodes/**/*.ts', '!nodes/**/*.node.ts', '!nodes/**/index.ts'],
	mutator: { excludedMutations: ['StringLiteral'] },
	plugins: ['@stryker-mutator/jest-runner', join(import.meta.dirname, 'mutation/perFile.mjs')],
	testRunner: 'jest',
	jest: {
		configFile: 'test/jest.config.json',
		// One test file imports all unit tests, so jest cannot tell which tests relate to a mutant.
		enableFindRelatedTests: false,
		config: {
			roots: ['<rootDir>/test/mutation', '<rootDir>/test/engine'],
			setupFiles: ['<rootDir>/test/engine/quietLog.mts'],
			// It presses Stop in time, which slow mutants miss.
			testPathIgnorePatterns: ['/node_modules/', '/test/engine/stop'],
			testEnvironment: './test/mutation/firstFailure.cjs',
			testTimeout: 60_000,
		},
	},
	coverageAnalysis: 'perTest',
	// Code that runs at import would take all tests per mutant: tables, which the samples pin, and the panel.
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
	reporters: ['clear-text', 'progress', 'html', 'json', 'per-file'],
	htmlReporter: { fileName: '.cache/stryker/report.html' },
	jsonReporter: { fileName: '.cache/stryker/report.json' },
	clearTextReporter: { logTests: false, allowColor: false },
	thresholds: { high: 90, low: 80, break: 80 },
};
