import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import { isObject } from '../../shared/isObject';
import type { Operation } from '../operations/operation';
import { FileReference, type Caller, type InputItem, type JsonObject } from '../request/input';
import type { Host } from './host';

/** Enough of a file to tell its format. */
const HEAD_BYTES = 48;

/** One item with the operation's parameters, expressions resolved. One that fails is kept as the reason. */
export function readItem(n8n: IExecuteFunctions, operation: Operation, index: number): InputItem {
	const labels = Object.entries(operation.fields).map(
		([name, { label }]) => [name, label] as const,
	);
	if (operation.kind === 'service') labels.push(['options', 'Options']);
	const { json = {}, binary } = n8n.getInputData()[index] ?? {};
	return {
		parameters: Object.fromEntries(
			labels.map(([name, label]) => [name, readParameter(n8n, name, label, index)]),
		),
		evaluate: (part) => n8n.evaluateExpression(part, index),
		file: async (field) => {
			const data = binary?.[field];
			return data === undefined ? undefined : await fileOf(n8n, index, field, data);
		},
		json: json as JsonObject,
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
		// Without a fallback n8n throws for a parameter that is hidden or was never saved.
		const value: unknown = n8n.getNodeParameter(name, index, null) ?? undefined;
		// n8n's own extraction of resource locators throws for parameters that are hidden.
		return isObject(value) && value.__rl === true ? value.value : value;
	} catch (thrown) {
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		return new InvalidFieldError(label, `could not be read: ${reason}`, 'Check its expression.');
	}
}

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
	const head = async () => {
		// Four characters of base64 are three bytes.
		if (id === undefined) return Buffer.from(data.data.slice(0, (HEAD_BYTES / 3) * 4), 'base64');
		const stream = await n8n.helpers.getBinaryStream(id, HEAD_BYTES);
		for await (const chunk of stream) return Buffer.from(chunk);
		return Buffer.alloc(0);
	};
	return new FileReference(
		field,
		size,
		head,
		async () => await n8n.helpers.getBinaryDataBuffer(index, field),
	);
}
