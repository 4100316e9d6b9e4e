const TestEnvironment = require('@stryker-mutator/jest-runner/jest-env/node');

/** Skips the tests after the first that fails: it has noticed the change, and jest ends early between files only. */
module.exports = class extends TestEnvironment {
	async handleTestEvent(event, state) {
		await super.handleTestEvent?.(event, state);
		if (event.name === 'test_done' && event.test.errors.length > 0) this.hasFailed = true;
		if (event.name === 'test_start' && this.hasFailed) event.test.mode = 'skip';
	}
};
