import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import { isObject } from '../../shared/isObject';
import type { ItemField } from '../operations/itemFields';
import type { Operation } from '../operations/operation';
import { FileReference, type Caller, type InputItem, type JsonObject } from '../request/input';
import type { Host } from './host';

/** Number of bytes needed to detect the format of a file. */
const HEAD_BYTES = 48;

/** Reads one item with the parameters of the operation. If an expression fails, the error is stored as the value. */
export async function readItem(
	n8n: IExecuteFunctions,
	operation: Operation,
	index: number,
): Promise<InputItem> {
	const labels = Object.entries(operation.fields).map(
		([name, { label }]) => [name, label] as const,
	);
	if (operation.kind !== 'response') labels.push(['options', 'Options']);
	const { json = {}, binary } = n8n.getInputData()[index] ?? {};
	const parameters: Record<string, unknown> = Object.fromEntries(
		labels.map(([name, label]) => [name, readParameter(n8n, name, label, index)]),
	);
	const files = new Map<unknown, FileReference | InvalidFieldError>();
	for (const [name, { label, namesFile }] of Object.entries<ItemField<unknown>>(operation.fields)) {
		const field = namesFile ? parameters[name] : undefined;
		const data = typeof field === 'string' ? binary?.[field] : undefined;
		if (data) {
			const others = [...files.values()].filter((file) => file instanceof FileReference);
			const open = async () => await sameAs(others, await fileOf(n8n, index, String(field), data));
			files.set(field, await open().catch(unreadable(label)));
		}
	}
	return {
		parameters,
		evaluate: (part) => n8n.evaluateExpression(part, index),
		file: (field) => {
			const file = files.get(field);
			if (file instanceof InvalidFieldError) throw file;
			return file;
		},
		json: json as JsonObject,
		isEmpty: Object.keys(json).length === 0 && binary === undefined,
	};
}

export function callerOf(host: Host, environment: Caller['environment']): Caller {
	const { isTool, isAssistant, hasExecution, startedAt, timezone, node } = host;
	return {
		isTool,
		isAssistant,
		hasExecution,
		...(startedAt !== undefined && { startedAt }),
		environment,
		timezone,
		rawParameters: node.parameters as Caller['rawParameters'],
	};
}

function readParameter(
	n8n: IExecuteFunctions,
	name: string,
	label: string,
	index: number,
): unknown {
	try {
		// The fallback keeps n8n from throwing for a parameter that is hidden or was never saved.
		const value: unknown = n8n.getNodeParameter(name, index, null) ?? undefined;
		// Resource locators are reduced here, because n8n's own extraction throws for hidden parameters.
		return isObject(value) && value.__rl === true ? value.value : value;
	} catch (thrown) {
		return unreadable(label, 'Check its expression.')(thrown);
	}
}

const unreadable =
	(label: string, fix = 'Check where the file comes from.') =>
	(thrown: unknown): InvalidFieldError => {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		return new InvalidFieldError(label, `could not be read: ${reason}`, fix);
	};

async function fileOf(
	n8n: IExecuteFunctions,
	index: number,
	field: string,
	data: IBinaryData,
): Promise<FileReference> {
	const { id } = data;
	const size =
		id === undefined
			? Buffer.byteLength(data.data, 'base64')
			: (data.bytes ?? (await n8n.helpers.getBinaryMetadata(id)).fileSize);
	return new FileReference(
		field,
		size,
		await headOf(n8n, data),
		async () => await n8n.helpers.getBinaryDataBuffer(index, field),
		undefined,
		id ?? data.data,
	);
}

/**
 * Returns the file, under the name of an earlier one with the same content: one image can be uploaded twice. A PDF may
 * hold both sides of a document.
 */
async function sameAs(others: FileReference[], file: FileReference): Promise<FileReference> {
	if (file.head.includes('%PDF-')) return file;
	for (const other of others) {
		if (other.stored === file.stored) return file;
		if (other.size !== file.size || !other.head.equals(file.head)) continue;
		if ((await other.bytes()).equals(await file.bytes())) return file.storedAs(other.stored);
	}
	return file;
}

async function headOf(n8n: IExecuteFunctions, { id, data }: IBinaryData): Promise<Buffer> {
	// Four characters of base64 hold three bytes.
	if (id === undefined) return Buffer.from(data.slice(0, (HEAD_BYTES / 3) * 4), 'base64');
	const stream = await n8n.helpers.getBinaryStream(id, HEAD_BYTES);
	for await (const chunk of stream) return Buffer.from(chunk);
	return Buffer.alloc(0);
}
