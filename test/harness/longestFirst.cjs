const { default: Sequencer } = require('@jest/test-sequencer');

const isLongest = ({ path }) => path.endsWith('workflows.test.mts');

/** Jest begins with the largest file. A small one takes longest, and begun last it keeps one processor idle for minutes. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => isLongest(b) - isLongest(a));
	}
};
