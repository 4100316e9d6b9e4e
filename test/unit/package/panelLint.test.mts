import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ESLint } from 'eslint';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const NODES: Array<[name: string, type: INodeType]> = [
	['CardTreasury', new CardTreasury()],
	['CardTreasuryTrigger', new CardTreasuryTrigger()],
];

/** As the editor receives it. */
const propertiesOf = (type: INodeType) =>
	JSON.parse(JSON.stringify(type.description.properties)) as INodeProperties[];

/** TypeScript source of a JSON value, indented, because n8n's rules read the columns. */
function literal(value: unknown, depth: number): string {
	if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const isArray = Array.isArray(value);
	const indent = '\t'.repeat(depth + 1);
	const entries = Object.entries(value).map(([key, entry]) => {
		const name = /^[a-z]\w*$/i.test(key) ? key : `'${key}'`;
		return `${indent}${isArray ? '' : `${name}: `}${literal(entry, depth + 1)},\n`;
	});
	const [open, close] = isArray ? '[]' : '{}';
	return `${open}\n${entries.join('')}${'\t'.repeat(depth)}${close}`;
}

/** Source of a node with its generated properties written out, without the import that created them. */
function writtenOut(path: string, properties: INodeProperties[]): string {
	const source = readFileSync(join(PROJECT, path), 'utf8');
	const [, made = '', maker = ''] = /^\t\tproperties: ((\w+)[^\n]*),$/m.exec(source) ?? [];
	expect(made).not.toBe('');
	return source
		.replace(`properties: ${made}`, () => `properties: ${literal(properties, 2)}`)
		.replace(new RegExp(`import \\{ ${maker} \\}.*\\n|\\b${maker},\\s*`), '');
}

/** Returns ESLint's messages for this source in the file's place. */
async function lint(path: string, source: string): Promise<string[]> {
	const child = spawn(
		process.execPath,
		['node_modules/eslint/bin/eslint.js', '--stdin', '--stdin-filename', path, '--format', 'json'],
		{
			cwd: PROJECT,
			stdio: ['pipe', 'pipe', 'inherit'],
			// Some rules skip their checks in a test run.
			env: { ...process.env, NODE_ENV: 'development' },
		},
	);
	child.stdin.end(source);
	const [result] = JSON.parse(await text(child.stdout)) as ESLint.LintResult[];
	return result!.messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`);
}

/** Violates one rule, which shows that the rules see the properties. */
const UNSORTED: INodeProperties = {
	displayName: 'Unsorted',
	name: 'unsorted',
	type: 'options',
	options: ['E', 'D', 'C', 'B', 'A'].map((name) => ({ name, value: name })),
	default: 'E',
};

describe.each(NODES)('panel of %s', (name, type) => {
	const path = `nodes/${name}/${name}.node.ts`;
	const properties = propertiesOf(type);

	it("the panel follows n8n's lint rules when written out", async () => {
		expect(await lint(path, writtenOut(path, [...properties, UNSORTED]))).toEqual([
			expect.stringContaining('Order: A | B | C | D | E'),
		]);
	}, 180_000);
});
