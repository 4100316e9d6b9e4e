import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { KnownRefusal, ServiceRequest } from '../operation';
import { FieldRefusal } from '../parameters/reader';
import { connect } from '../request/connection';
import { Lane } from '../request/lane';
import { SERVICE_RATE } from '../request/pacer';
import { deliverRequest, type Effort } from '../request/pipeline';

/** A person is waiting in front of the list. */
const EFFORT: Effort = {
	maxTries: 2,
	maxTotalMs: 15_000,
	requestsPerSecond: SERVICE_RATE,
	timeoutMs: 10_000,
};

/**
 * Reads a list from the service for the editor.
 * @throws NodeApiError, the only one of which n8n's editor shows message and description
 */
export async function load(
	n8n: ILoadOptionsFunctions,
	request: ServiceRequest,
	refusals: KnownRefusal[] = [],
): Promise<IDataObject[]> {
	const connection = await connect(n8n).catch((thrown: unknown) =>
		Promise.reject(
			thrown instanceof FieldRefusal ? cannotLoad(n8n, thrown.message, thrown.fix) : thrown,
		),
	);
	const traits = { answer: 'array' as const, effect: 'read' as const, level: 1 as const, refusals };
	const outcome = await deliverRequest(connection, traits, request, EFFORT, new Lane());
	if (outcome.ok === true) return outcome.answer.json as IDataObject[];
	// Without an execution nothing stops the request.
	const refusal =
		outcome.ok === false
			? outcome.refusal
			: { message: 'The list was not loaded', fix: 'Try again.', traceId: null };
	const trace = refusal.traceId === null ? '' : ` (Trace ID: ${refusal.traceId})`;
	throw cannotLoad(n8n, refusal.message, refusal.fix + trace);
}

/** Why a list stays empty, and what to do first. */
export function cannotLoad(
	n8n: ILoadOptionsFunctions,
	message: string,
	description: string,
): NodeApiError {
	return new NodeApiError(n8n.getNode(), {}, { message, description });
}

/** Another field of the node as the editor has it; empty when it is not filled in, or an expression without a value yet. */
export function currentText(n8n: ILoadOptionsFunctions, name: string): string {
	const field: unknown = n8n.getCurrentNodeParameter(name);
	const value =
		typeof field === 'object' && field !== null && 'value' in field ? field.value : field;
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	return text.startsWith('=') ? '' : text;
}

/** The entries in which every word of the filter occurs, in any letter case. */
export function filterByWords<Entry extends { name: string; value: string }>(
	entries: Entry[],
	filter = '',
): Entry[] {
	const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
	return entries.filter(({ name, value }) =>
		words.every((word) => `${name} ${value}`.toLowerCase().includes(word)),
	);
}
