import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(PROJECT, '.github/workflows');
const scripts = Object.keys(
	(JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}
interface Job {
	permissions?: Record<string, string>;
	strategy?: { matrix: { script?: string[] } };
	steps: Step[];
}
interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

describe.each(readdirSync(FOLDER))('.github/workflows/%s', (file) => {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	const workflow = parse(text) as Workflow;
	const jobs = Object.entries(workflow.jobs);
	const steps = jobs.flatMap(([, job]) => job.steps);

	it('pins every action by its commit, with the version that the commit is', () => {
		const used = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
		expect(used.length).toBeGreaterThan(0);
		for (const line of used)
			expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('may read this repository and nothing else, except for the one job that publishes', () => {
		expect(workflow.permissions).toEqual({ contents: 'read' });
		const more = jobs
			.filter(([, { permissions }]) => permissions !== undefined)
			.map(([name, { permissions }]) => [name, permissions]);
		expect(more).toEqual(
			file === 'publish.yml' ? [['publish', { contents: 'read', 'id-token': 'write' }]] : [],
		);
		expect(text).not.toMatch(/secrets\.|pull_request_target/);
		for (const { uses, with: inputs } of steps) {
			if (uses?.startsWith('actions/checkout@'))
				expect(inputs).toMatchObject({ 'persist-credentials': false });
		}
	});

	it('puts no expression into a shell, and runs scripts that exist', () => {
		for (const { run = '' } of steps) expect(run).not.toContain('${{');
		const called = [
			...steps.flatMap(({ run = '' }) =>
				[...run.matchAll(/npm (?:run )?(test|[\w:]+)$/gm)].map(([, name]) => name!),
			),
			...jobs.flatMap(([, { strategy }]) => strategy?.matrix.script ?? []),
		].filter((name) => name !== 'install');
		expect(called.length).toBeGreaterThan(0);
		expect(called.filter((name) => !scripts.includes(name))).toEqual([]);
	});
});
