import { join } from 'node:path';
import { parser, plugin } from 'typescript-eslint';

/**
 * Rules that need types, over everything. n8n's own rules are in ../eslint.config.mjs, which n8n does not allow to change.
 */
export default [
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'test/**/*.mts'],
		languageOptions: {
			parser,
			parserOptions: {
				project: join(import.meta.dirname, 'tsconfig.json'),
				tsconfigRootDir: join(import.meta.dirname, '..'),
			},
		},
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		plugins: { '@typescript-eslint': plugin },
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
		},
	},
];
