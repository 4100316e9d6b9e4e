/** Subjects: Conventional Commits, imperative, at most 72 characters. Reasons go into the body. */
export default {
	extends: ['@commitlint/config-conventional'],
	rules: {
		'header-max-length': [2, 'always', 72],
		'body-max-line-length': [0],
		'footer-max-line-length': [0],
		// Names from the code, such as ALREADY_SENT, keep their case.
		'subject-case': [2, 'never', ['sentence-case', 'start-case', 'pascal-case']],
	},
	defaultIgnores: false,
};
