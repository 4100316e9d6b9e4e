import lodash from 'lodash';

import type { N8nAccess } from '../n8n/n8n.mts';
import { readWorkflow, WORKFLOW_FILES } from './workflowFiles.mts';

/** Replaces the rows of a data table, as a user does under *Data tables*; creates the table if it is missing. */
export async function writeTable(n8n: N8nAccess, name: string, rows: object[]): Promise<void> {
	const { rest } = n8n;
	let table = await find(n8n, name);
	if (table === undefined) {
		await rest('POST', await tables(n8n), { name, columns: columnsOf(name) });
		table = (await find(n8n, name))!;
	}
	await emptyTable(n8n, name);
	if (rows.length > 0) await rest('POST', `${table}/insert`, { data: rows, returnType: 'count' });
}

/** Columns of a table as the workflows make it. */
function columnsOf(name: string): unknown {
	const makes = WORKFLOW_FILES.flatMap((file) => readWorkflow(file).nodes).find(
		({ parameters }) => parameters.tableName === name,
	);
	if (makes === undefined) throw new Error(`No workflow makes the table ${name}`);
	return makes.parameters.columns.column;
}

export async function emptyTable(n8n: N8nAccess, name: string): Promise<void> {
	const table = await find(n8n, name);
	if (table === undefined) return;
	const everything = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
	await n8n.rest(
		'DELETE',
		`${table}/rows?filter=${encodeURIComponent(JSON.stringify(everything))}`,
	);
}

export async function setRow(
	n8n: N8nAccess,
	name: string,
	column: string,
	value: string,
	data: object,
): Promise<void> {
	const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
	await n8n.rest('PATCH', `${await find(n8n, name)}/rows`, { filter, data });
}

type Row = Record<string, unknown>;

export async function readTable(n8n: N8nAccess, name: string): Promise<Row[]> {
	return (await n8n.rest('GET', `${await find(n8n, name)}/rows?take=250`)).data;
}

/** REST path of a table; undefined if there is none with this name. */
async function find(n8n: N8nAccess, name: string): Promise<string | undefined> {
	const path = await tables(n8n);
	const { data } = await n8n.rest('GET', `${path}?take=100`);
	const table = lodash.find(data as Array<{ id: string; name: string }>, { name });
	return table && `${path}/${table.id}`;
}

async function tables({ rest }: N8nAccess): Promise<string> {
	const { id } = await rest('GET', '/rest/projects/personal');
	return `/rest/projects/${String(id)}/data-tables`;
}
