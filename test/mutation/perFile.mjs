/** Lowest share of noticed mutants, in percent, of each file that is below the common one. */
const LOWER = {};
const COMMON = 80;

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/** Fails the run if the tests of one file notice too little, whatever the average is. */
class PerFile {
	onMutationTestReportReady({ files }) {
		for (const [file, { mutants }] of Object.entries(files)) {
			const count = (states) => mutants.filter(({ status }) => states.includes(status)).length;
			const [noticed, unnoticed] = [count(NOTICED), count(UNNOTICED)];
			const percent = Math.round((100 * noticed) / (noticed + unnoticed || 1));
			if (noticed + unnoticed === 0 || percent >= (LOWER[file] ?? COMMON)) continue;
			console.error(`${file}: the tests notice ${percent} % of ${noticed + unnoticed} mutants`);
			process.exitCode = 1;
		}
	}
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'per-file', injectableClass: PerFile }];
