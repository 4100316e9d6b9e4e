const { default: Sequencer } = require('@jest/test-sequencer');
const { sortBy } = require('lodash');

/** Jest begins with the largest file. A small one takes longest: begun last, it keeps one processor idle for minutes. */
module.exports = class LongestFirst extends Sequencer {
	sort = (tests) => sortBy(super.sort(tests), ({ path }) => !path.endsWith('workflows.test.mts'));
};
