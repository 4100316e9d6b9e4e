import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InvalidFieldError } from '../../shared/fields/invalidField';
import { isObject } from '../../shared/isObject';
import type { Operation } from '../operations/operation';
import { FileReference, type Caller, type InputItem, type JsonObject } from '../request/input';

/** Enough of a file to tell its format. */
const HEAD_BYTES = 48;

/** All items with the operation's parameters, expressions resolved. One that fails is kept as the reason. */
export function readItems(n8n: IExecuteFunctions, operation: Operation): InputItem[] {
	const labels = Object.entries(operation.fields).map(
		([name, { label }]) => [name, label] as const,
	);
	if (operation.kind === 'service') labels.push(['options', 'Options']);
	return n8n.getInputData().map(({ json, binary }, index) => ({
		parameters: Object.fromEntries(
			labels.map(([name, label]) => [name, readParameter(n8n, name, label, index)]),
		),
		evaluate: (part) => n8n.evaluateExpression(part, index),
		file: async (field) => {
			const data = binary?.[field];
			return data === undefined ? undefined : await fileOf(n8n, index, field, data);
		},
		json: json as JsonObject,
	}));
}

/** n8n runs a node as an agent's tool in two ways: as a node type of its own, or through the tool's context. */
export function isTool(n8n: IExecuteFunctions): boolean {
	return n8n.getNode().type.endsWith('Tool') || n8n.isToolExecution?.() === true;
}

/**
 * To run a node alone, n8n's AI assistant makes a workflow of it that is deleted afterwards, together with its execution
 * (n8n 2.41). Only the name of that workflow tells it from a node that a person runs alone in the editor.
 */
function isAssistant(n8n: IExecuteFunctions): boolean {
	return (
		n8n.getMode() === 'manual' && n8n.getWorkflow().name === `Execute node ${n8n.getNode().type}`
	);
}

export function readCaller(n8n: IExecuteFunctions, environment: Caller['environment']): Caller {
	const byAssistant = isAssistant(n8n);
	const hasExecution = n8n.getExecutionId() !== undefined && !byAssistant;
	const startedAt = hasExecution ? n8n.getExecutionContext?.()?.establishedAt : undefined;
	return {
		isTool: isTool(n8n) || byAssistant,
		isAssistant: byAssistant,
		hasExecution,
		...(startedAt !== undefined && { startedAt }),
		environment,
		timezone: n8n.getTimezone(),
		rawParameters: n8n.getNode().parameters as Caller['rawParameters'],
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
