import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import lodash from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { readWorkflow, WORKFLOW_FILES } from '../../harness/workflows/workflowFiles.mts';
import { BLOCKS } from './blocks.mts';
import { compared, PAGES, read, ROOT } from './page.mts';

/** Anchors that GitHub creates for the headings of a page. */
function anchorsOf(page: string): string[] {
	const headings = read(page)
		.replace(/```[\s\S]*?```/g, '')
		.matchAll(/^#+ (.*)$/gm);
	return [...headings].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}

it.each(PAGES)('every link in %s leads to an existing file and heading', (page) => {
	const links = read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
	const broken = [...links].filter(([, file, anchor]) => {
		const target = file === '' ? page : join(dirname(page), file!);
		return !existsSync(join(ROOT, target)) || (anchor && !anchorsOf(target).includes(anchor));
	});
	expect(broken).toEqual([]);
});

it.each(BLOCKS)('$file: the part $name is as `npm run docs` writes it', (block) => {
	const { is, shouldBe } = compared(block);
	expect(is).toBe(shouldBe);
});

const NODES = [new CardTreasury(), new CardTreasuryTrigger()].map(({ description }) => description);
const CREDENTIAL = new CardTreasuryApi();

/** Labels and actions of fields, options and lists. */
const labelsIn = (properties: object[]): string[] =>
	properties.flatMap((property) => {
		const { displayName, name, action, options, values } = property as INodeProperties & {
			action?: string;
			values?: object[];
		};
		const own = [displayName ?? name, action].filter((label) => label !== undefined);
		return [...own, ...labelsIn(options ?? []), ...labelsIn(values ?? [])];
	});

/** What the pages name besides the labels of this package: of n8n, of Slack and of the simulator's page. */
const NOT_OURS = new Set(
	[
		'Aggregate · Execute Once · Allowed HTTP Request Domains · Always Output Data · Edit Fields · Specific Domains',
		'Capture Who Responded · Continue · Continue (using error output) · Custom API Call',
		'Data tables · Do not save · Error Workflow · Execute Sub-workflow · Execute step · Executions · Expression',
		'If · If Execution Is Missed · Import · From file · MCP Server Trigger · On Error · Publish',
		'Retry · Retry On Fail · Stop · Tool · Filter · Split Out · Remove Duplicates',
		'Run the Most Recent Missed Execution · Save execution progress · Schedule Trigger',
		'Save successful production executions · Security · Send and Wait · Settings · Summarize',
		'Community nodes · Install · Stop Workflow · Trusted Publisher · Wait · Message · Test',
		'When Executed by Another Workflow · Workflow settings · Money and cards · Trouble',
		'Concatenate · New Line · Save · Accept all data · Input data mode · Send and Wait for Response',
		'End to end · Key level · Lazy acquire · Weekly · Data Table · Get row(s)',
		'Run once with all items · Month · Year',
	].flatMap((line) => line.split(' · ')),
);

/** Texts in italics of a page, without its generated parts and its code. */
const italicsIn = (page: string) =>
	[
		...read(page)
			.replace(/<!-- (\w+): generated [\s\S]*?<!-- \/\1 -->|```[\s\S]*?```|`[^`]*`/g, '')
			.matchAll(/(?<![*\w])\*(?![*\s])([^*\n]+?)\*(?![*\w])/g),
	].map(([, text]) => text!);

const OURS = lodash.without(PAGES, 'CHANGELOG.md');
it.each(OURS)('%s names in italics only labels that exist', (page) => {
	const workflows = WORKFLOW_FILES.map(readWorkflow);
	const nodes = workflows.flatMap((workflow) => workflow.nodes);
	const labels = labelsIn([...NODES, CREDENTIAL].flatMap(({ properties }) => properties));
	const known = new Set([
		...labels,
		// The product in front of the name of a resource goes without saying.
		...labels.map((label) => label.replace(/^[\w ]+: /, '')),
		...[...NODES, CREDENTIAL].map(({ displayName }) => displayName),
		...[...workflows, ...nodes].map(({ name }) => name),
		...nodes.map(({ parameters }) => parameters.tableName as string),
		...NOT_OURS,
	]);
	const unknown = italicsIn(page)
		.filter((text) => /^[A-Z]/.test(text) && !known.has(text))
		.flatMap((text) => text.split(/ → |: /))
		.filter((part) => !known.has(part));
	expect(unknown).toEqual([]);
});
