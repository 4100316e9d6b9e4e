import { addedSentences, answeredMessages } from './answered.mts';
import { credentialMessages, credentialTestMessages } from './credential.mts';
import { executionMessages } from './editor.mts';
import { enteredMessages } from './entered.mts';
import type { Message } from './message.mts';
import { batchDescriptions, hintMessages, runMessages } from './run.mts';
import { issueMessages, publishingMessages, replyMessages } from './trigger.mts';

export interface Table {
	heading: string;
	columns: [string, string];
	rows: Array<[string, string]>;
}

const ADVICE: Table['columns'] = ['Message', 'What to do'];

/** Every message that the nodes and the credential can be made to give, in the order of the page. */
export async function messageTables(): Promise<Table[]> {
	const table = (heading: string, messages: Message[]): Table => ({
		heading,
		columns: ADVICE,
		rows: rowsOf(messages),
	});
	return [
		table('Action node: what you entered', await enteredMessages()),
		table('Action node: what the service answered', answeredMessages()),
		{
			heading: 'Action node: what a message adds',
			columns: ['When', 'What follows'],
			rows: addedSentences(),
		},
		table('Action node: the run', await runMessages()),
		{
			heading: 'Action node: what became of the other items',
			columns: ['When', 'What follows'],
			rows: await batchDescriptions(),
		},
		table('Action node: hints and notices', await hintMessages()),
		table('Credential', [...(await credentialMessages()), ...credentialTestMessages()]),
		table('Trigger: publishing, and rules', await publishingMessages()),
		table('Trigger: its executions', await executionMessages()),
		{
			heading: 'Trigger: what the sender is told',
			columns: ['Message', 'HTTP status'],
			rows: rowsOf(await replyMessages()),
		},
		table('Trigger: `delivery.schema_issues`', issueMessages()),
	];
}

export async function messagePage(): Promise<string> {
	return (await messageTables()).map(tableText).join('\n\n');
}

/** Without a second column where no row has anything in it. */
function tableText({ heading, columns, rows }: Table): string {
	const width = rows.some(([, second]) => second !== '') ? 2 : 1;
	const line = (cells: string[]) => `| ${cells.slice(0, width).join(' | ')} |`;
	return [
		`### ${heading}`,
		'',
		line(columns),
		`|${'---|'.repeat(width)}`,
		...rows.map((cells) => line(cells.map(cellOf))),
	].join('\n');
}

/** Each message once, where it comes first; one that several fields give, with *Field* for their names. */
export function rowsOf(messages: Message[]): Array<[string, string]> {
	const groups = new Map<string, Message[]>();
	for (const message of messages) {
		const key = keyOf(message);
		groups.set(key, [...(groups.get(key) ?? []), message]);
	}
	return [...groups.values()].map((group): [string, string] => {
		const [first = { text: '', fix: '' }] = group;
		const fields = new Set(group.map(({ field }) => field));
		const { text, fix } = fields.size > 1 ? forAnyField(first) : first;
		return [text, fix];
	});
}

/** The same for messages that differ only in the field, or in the value that was entered. */
function keyOf(message: Message): string {
	const { text, fix } = forAnyField(message);
	const anyValue = text.replace(/"[^"]*"/g, '""').replace(/^data\.[\w.]+: /, 'data: ');
	return JSON.stringify([anyValue, fix]);
}

function forAnyField({ text, fix, field }: Message): Message {
	if (field === undefined) return { text, fix };
	return { text: text.replace(field, '*Field*'), fix: fix.replaceAll(field, '*Field*') };
}

function cellOf(text: string): string {
	return (text || '–').replaceAll('|', '\\|').replaceAll('__', '\\_\\_').replaceAll('\n', '<br>');
}
