import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../service/isObject';
import type { ParameterReader } from '../parameters/reader';

/** Reads one item's parameters from n8n. */
export function n8nParameters(
	n8n: IExecuteFunctions,
	itemIndex: number,
	json: IDataObject,
): ParameterReader {
	const get = (path: string): unknown => {
		const [name = '', ...rest] = path.split('.');
		// Without a fallback n8n throws for a parameter that is hidden or was never saved.
		let value: unknown = n8n.getNodeParameter(name, itemIndex, null) ?? undefined;
		for (const part of rest) {
			if (typeof value !== 'object' || value === null) return undefined;
			value = (value as Record<string, unknown>)[part];
		}
		// A resource locator: n8n's own extraction throws for parameters that are hidden.
		return isObject(value) && value.__rl === true ? value.value : value;
	};
	return {
		get,
		file: async (field) => {
			const data = n8n.getInputData()[itemIndex]?.binary?.[field];
			if (data === undefined) return undefined;
			return {
				bytes: await n8n.helpers.getBinaryDataBuffer(itemIndex, field),
				fileName: data.fileName,
			};
		},
		timezone: n8n.getTimezone(),
		isTool: isTool(n8n),
		json,
	};
}

/** Agents reach a node as a tool on two roads: as a node type of its own, or through the tool's context. */
export function isTool(n8n: IExecuteFunctions): boolean {
	return n8n.getNode().type.endsWith('Tool') || n8n.isToolExecution?.() === true;
}
