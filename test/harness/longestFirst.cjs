const { default: Sequencer } = require('@jest/test-sequencer');
const { sortBy } = require('lodash');

/** Begins with the file that takes longest. Jest alone begins with the largest, and this one is small. */
module.exports = class LongestFirst extends Sequencer {
	sort = (tests) => sortBy(super.sort(tests), ({ path }) => !path.endsWith('workflows.test.mts'));
};
