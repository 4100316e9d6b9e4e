import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { CardTreasuryApi } from '../../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../../nodes/CardTreasury/CardTreasury.node.ts';
import { CardTreasuryTrigger } from '../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { readWorkflow, WORKFLOW_FILES } from '../../harness/workflows/workflowFiles.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Field, option or action of a panel. */
interface Labelled {
	/** Name that workflows save, which `savedNames.txt` fixes. */
	name: string;
	label: string;
	/** Name of the list that the option is in. */
	list?: string;
	action?: string;
	resource?: string;
}

const NODES = [new CardTreasury(), new CardTreasuryTrigger()].map(({ description }) => description);
const CREDENTIAL = new CardTreasuryApi();
// As the editor gets them.
const PANELS = JSON.parse(
	JSON.stringify([...NODES, CREDENTIAL].flatMap(({ properties }) => properties)),
) as INodeProperties[];

const labelsIn = (properties: INodeProperties[]): Labelled[] =>
	properties
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ name, displayName, options = [], displayOptions }) => [
			{ name, label: displayName },
			...options.flatMap((option): Labelled[] => {
				if ('values' in option)
					return [{ name: option.name, label: option.displayName }, ...labelsIn(option.values)];
				if ('type' in option) return labelsIn([option]);
				if (!('value' in option)) return [];
				const { name: label, value, action } = option;
				const resource = displayOptions?.show?.resource?.join();
				return [{ name: String(value), label, list: name, action, resource }];
			}),
		]);

/** `Idempotency Window (Hours)` and `idempotencyWindowHours` are both `idempotency window`. */
const wordsOf = (text: string) =>
	text
		.replace(/ \([A-Z]\w+\)$|(?<=[a-z])(?:Hours|Seconds)$/, '')
		.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
		.split(/[^A-Za-z\d]+/)
		.map((word) => word.toLowerCase())
		.join(' ');

/** Labels that say more than the saved name, or say it better. */
const BETTER: Record<string, string> = {
	rampTransfer: 'Active Management: Ramp Transfer',
	authorization: 'Cards: Authorization',
	card: 'Cards: Card',
	cardTransaction: 'Cards: Transaction',
	productRequest: 'Management: KYC Product Request',
	endpoint: 'Other: Endpoint',
	token: 'Treasury: Token',
	wallet: 'Treasury: Wallet',
	getAll: 'Get Many',
	configure3ds: 'Configure 3DS',
	to: 'Recipient Address',
	tokenAddress: 'Token',
	assetAddress: 'Token',
	referenceFrom: 'Reference Mode',
	'amountMode fixed': 'Exact Amount',
	'referenceFrom data': 'From Data',
	maxAttempts: 'Maximum Attempts',
	maxTotalSeconds: 'Maximum Total Time (Seconds)',
	timeoutSeconds: 'Timeout per Attempt (Seconds)',
	type: 'Deliver Codes By',
	operations: 'Transaction Types',
	path: 'Endpoint Path',
	splitMovements: 'One Item per Transaction',
	binaryPropertyName: 'Put Output File in Field',
	itemPer: 'One Item Per',
	productRequestId: 'Product Request',
	cards_individuals: 'Cards for Individuals',
	testEvent: 'Test With',
	first: 'Sample of the First Event',
	real: 'Wait for a Real Event',
	cardIds: 'Card IDs',
	merchantIds: 'Merchant IDs',
	responseCode: 'Decline Code',
	'decision other': 'Other Code',
	ask: 'Ask the Workflow',
	'runWorkflowFor all': 'All Authorizations',
	'runWorkflowFor declined': 'Declined Authorizations',
	'runWorkflowFor none': 'No Authorizations',
};

const LABELS = labelsIn(PANELS);

it('each label has the words of its saved name, or is listed as a better one', () => {
	const others = LABELS.filter(
		({ name, label, list }) =>
			// The labels of events are in the golden text of the trigger.
			!['events', 'testEvent'].includes(list ?? '') &&
			wordsOf(label) !== wordsOf(name) &&
			![BETTER[`${list} ${name}`], BETTER[name]].includes(label),
	);
	expect(others).toEqual([]);
	expect(LABELS.length).toBeGreaterThan(200);
});

/** Words of actions that say more than the names. */
const MORE =
	/^(any|awaiting|card|changed|decision|endpoint|event|from|kyc|many|of|on|other|tokens?|to|transactions?|wallet|for)$/;

/** Actions that name their operation or event by other words. */
const OTHER_ACTIONS: Record<string, string> = {
	configure3ds: 'Configure 3DS for card',
	downloadStatement: 'Download card statement',
	getMissingRequirements: 'Get missing requirements of client',
};

it('each action names its operation and resource, or its event and product', () => {
	const others = LABELS.filter(({ name, action, resource = '' }) => {
		if (action === undefined) return false;
		const words = wordsOf(name)
			.replace(/^company activity /, '')
			.replace('get all', 'get many');
		const named = wordsOf(action).split(' ');
		const wanted = `${words} ${wordsOf(resource)}`.trim().split(' ');
		const means = (word: string, each: string) => each.startsWith(word.replace(/s$/, ''));
		const isNamed = wanted.every((word) => named.some((each) => means(word, each)));
		const saysMore = named.some(
			(each) => !wanted.some((word) => means(word, each)) && !MORE.test(each),
		);
		return (!isNamed || saysMore) && OTHER_ACTIONS[name] !== action;
	});
	expect(others).toEqual([]);
});

/** What the pages name besides the labels of this package: of n8n, of Slack and of the simulator's page. */
const NOT_OURS = new Set(
	[
		'After Decision · Aggregate · Allowed HTTP Request Domains · Always Output Data · Edit Fields · Specific Domains',
		'Capture Who Responded · Continue · Continue (using error output) · Custom API Call',
		'Data tables · Do not save · Error Workflow · Execute Sub-workflow · Execute step · Executions · Expression',
		'If · If Execution Is Missed · Import · From file · MCP Server Trigger · On Error · Publish',
		'Retry · Retry On Fail · Run once for each item · Stop · Tool',
		'Run the Most Recent Missed Execution · Save execution progress · Schedule Trigger',
		'Save successful production executions · Security · Send and Wait · Settings · Summarize',
		'Community nodes · Install · Stop Workflow · Trusted Publisher · Wait · Message · Test',
		'When Executed by Another Workflow · Workflow settings · Money and cards · Trouble',
		'Accept all data · Any Condition · Approval · Approve and Disapprove · Concatenate · Execute Once · Highlighted data',
		'Input data mode · New Line · Send and Wait for Response',
		// Beginnings of paragraphs, and titles.
		'Bare trigger · Before · Client list · End to end · Imported or generated workflows',
		"Key level · Lazy acquire · Public https address · Slack app · Today's balances · Weekly",
		'KYC clients old',
	].flatMap((line) => line.split(' · ')),
);

const PAGES = ['', 'docs', 'docs/workflows']
	.flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => join(folder, file)))
	.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');

/** Texts in italics of a page, without its generated parts and its code. */
const italicsIn = (page: string) =>
	[
		...readFileSync(join(ROOT, page), 'utf8')
			.replace(/<!-- (\w+): generated [\s\S]*?<!-- \/\1 -->|```[\s\S]*?```|`[^`]*`/g, '')
			.matchAll(
				/(?<![*\w])\*(?![*\s])([^*\n]+?)\*(?![*\w])|(?<![_\w])_(?![_\s])([^_\n]+?)_(?![_\w])/g,
			),
	].map(([, stars, lines]) => (stars ?? lines)!);

it.each(PAGES)('%s names in italics only labels that exist', (page) => {
	const workflows = WORKFLOW_FILES.map(readWorkflow);
	const nodes = workflows.flatMap((workflow) => workflow.nodes);
	const known = new Set([
		...LABELS.flatMap(({ label, action }) => [label, label.replace(/ \(\w+\)$/, ''), action]),
		// The product in front of the name of a resource goes without saying.
		...LABELS.map(({ label }) => label.replace(/^[\w ]+: /, '')),
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
