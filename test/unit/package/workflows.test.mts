import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = join(import.meta.dirname, '../../../.github/workflows');

/** Permissions of jobs that have more than reading this repository. */
const PERMISSIONS: Record<string, object> = {
	'publish.yml': {
		check: { contents: 'read', actions: 'read' },
		publish: { contents: 'read', 'id-token': 'write' },
		release: { contents: 'write', 'id-token': 'write', attestations: 'write' },
	},
	'codeql.yml': { analyze: { contents: 'read', 'security-events': 'write' } },
};

interface Workflow {
	permissions: object;
	jobs: Record<string, { permissions?: object; steps: Array<{ name?: string; run?: string }> }>;
}

it.each(readdirSync(FOLDER))('%s does only what it must, by actions that stay', (file) => {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	const { permissions, jobs } = parse(text) as Workflow;
	const more = Object.entries(jobs).flatMap(([name, job]) =>
		job.permissions ? [[name, job.permissions]] : [],
	);
	expect(permissions).toEqual({ contents: 'read' });
	expect(Object.fromEntries(more)).toEqual(PERMISSIONS[file] ?? {});
	expect(text).not.toMatch(/secrets\.|pull_request_target/);
	// By commit, with the version behind it.
	for (const [, action] of text.matchAll(/uses: (.*)/g))
		expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	for (const { run = '' } of Object.values(jobs).flatMap(({ steps }) => steps))
		expect(run).not.toContain('${{');
});

it('the release requires a commit of main with green tests, also in the real n8n', () => {
	const { check } = (parse(readFileSync(join(FOLDER, 'publish.yml'), 'utf8')) as Workflow).jobs;
	const step = (name: RegExp) => check!.steps.find((each) => name.test(each.name ?? ''))!.run!;
	expect(step(/^The commit is on main/)).toContain('merge-base --is-ancestor');
	expect(step(/are green/)).toContain('for workflow in test.yml e2e.yml;');
});
