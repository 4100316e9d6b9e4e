import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(PROJECT, '.github/workflows');
const scripts = Object.keys(
	(JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

/** Commands of npm itself, which are not scripts of package.json. */
const NPM_COMMANDS = ['audit', 'ci', 'init', 'install', 'pack', 'publish', 'sbom', 'view'];

/** Permissions of jobs that have more than reading this repository. */
const PERMISSIONS: Record<string, Array<[job: string, permissions: object]>> = {
	'publish.yml': [
		['check', { contents: 'read', actions: 'read' }],
		['publish', { contents: 'read', 'id-token': 'write' }],
		['release', { contents: 'write', 'id-token': 'write', attestations: 'write' }],
	],
	'codeql.yml': [['analyze', { contents: 'read', 'security-events': 'write' }]],
};

interface Step {
	name?: string;
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
	concurrency: { group: string; 'cancel-in-progress': unknown };
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const called = (run: string) =>
	[...run.matchAll(/\bnpm (?!run \W)(?:run )?([\w:]+)/g)].map(([, name]) => name!);

describe.each(readdirSync(FOLDER))('.github/workflows/%s', (file) => {
	const text = textOf(file);
	const workflow = parse(text) as Workflow;
	const jobs = Object.entries(workflow.jobs);
	const steps = jobs.flatMap(([, job]) => job.steps);

	it('the workflow pins every action by commit, with a comment that names its version', () => {
		const used = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
		expect(used.length).toBeGreaterThan(0);
		for (const line of used)
			expect(line).toMatch(/uses: [\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('the workflow may only read this repository, except for the jobs of a release and findings', () => {
		expect(workflow.permissions).toEqual({ contents: 'read' });
		const more = jobs
			.filter(([, { permissions }]) => permissions !== undefined)
			.map(([name, { permissions }]) => [name, permissions]);
		expect(more).toEqual(PERMISSIONS[file] ?? []);
		expect(text).not.toMatch(/secrets\.|pull_request_target/);
		for (const { uses, with: inputs } of steps) {
			if (uses?.startsWith('actions/checkout@'))
				expect(inputs).toMatchObject({ 'persist-credentials': false });
		}
	});

	it('the workflow has no expression in a shell command, and runs existing scripts', () => {
		for (const { run = '' } of steps) expect(run).not.toContain('${{');
		const scriptsCalled = [
			...steps.flatMap(({ run = '' }) => called(run)),
			...jobs.flatMap(([, { strategy }]) => strategy?.matrix.script ?? []),
		].filter((name) => !NPM_COMMANDS.includes(name));
		expect(scriptsCalled.filter((name) => !scripts.includes(name))).toEqual([]);
	});

	it('the workflow installs from the lock file before it runs a script', () => {
		for (const [, job] of jobs) {
			const names = job.steps.flatMap(({ run = '' }) => called(run));
			const first = names.findIndex((name) => !NPM_COMMANDS.includes(name));
			if (first >= 0) expect(names.slice(0, first)).toContain('ci');
		}
	});
});

it('the release requires a commit of main with green tests and runs in the real n8n', () => {
	const { check } = (parse(textOf('publish.yml')) as Workflow).jobs;
	const step = (name: RegExp) => check!.steps.find((each) => name.test(each.name ?? ''))!.run!;
	expect(step(/^The commit is on main/)).toContain('merge-base --is-ancestor');
	const asked = /for workflow in ([^;]+);/.exec(step(/are green/))![1]!.split(' ');
	expect(asked).toEqual(['test.yml', 'e2e.yml']);
	expect(asked.filter((file) => !readdirSync(FOLDER).includes(file))).toEqual([]);
	const { matrix } = (parse(textOf('e2e.yml')) as Workflow).jobs.e2e!.strategy!;
	expect(matrix.script).toEqual(expect.arrayContaining(['test:e2e', 'test:compat']));
	// The next push to main cancels no run that a release needs.
	for (const file of asked) {
		const { concurrency } = parse(textOf(file)) as Workflow;
		expect(concurrency.group).toContain('${{ github.event.pull_request.number || github.sha }}');
		expect(concurrency['cancel-in-progress']).toBe("${{ github.event_name == 'pull_request' }}");
	}
});
