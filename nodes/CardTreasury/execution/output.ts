import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { FieldRefusal } from '../parameters/reader';
import type { Refusal } from '../request/refusal';
import { stateOfBatch, type ItemState } from './batchState';
import { isReady, type Entry } from './prepare';
import { failedItem, inputError, serviceError } from './report';
import type { Result } from './sendAll';

/** An item's result as the items that go on; none where nothing was sent. */
export async function outputOf(
	n8n: IExecuteFunctions,
	result: Result,
	index: number,
): Promise<INodeExecutionData[]> {
	if (result.ok === 'not sent') return [];
	const pairedItem = { item: index };
	if (result.ok === false) {
		const { refusal } = result;
		const facts: Partial<Refusal> = refusal instanceof FieldRefusal ? {} : refusal;
		return [
			failedItem(
				errorOf(n8n, result, index),
				facts,
				index,
				n8n.getNode().onError === 'continueErrorOutput',
			),
		];
	}
	return await Promise.all(
		result.items.map(async ({ json, file }) => {
			if (file === undefined) return { json, pairedItem };
			const data = await n8n.helpers.prepareBinaryData(file.bytes, file.fileName, file.mimeType);
			return { json, binary: { [file.property]: data }, pairedItem };
		}),
	);
}

/** For what is wrong with every item: the credential, or the execution itself. */
export async function refuseAll(
	n8n: IExecuteFunctions,
	refusal: FieldRefusal,
): Promise<INodeExecutionData[]> {
	if (!n8n.continueOnFail()) throw inputError(n8n, refusal, 0);
	const refused = n8n
		.getInputData()
		.map(async (_, index) => await outputOf(n8n, { ok: false, refusal, tries: 0 }, index));
	return (await Promise.all(refused)).flat();
}

/** The refusal that ends the run, together with what became of the other items. */
export function withBatch(results: Result[], place: number, prepared: Entry[]): Result | undefined {
	const [result, entry] = [results[place], prepared[place]];
	if (result?.ok !== false || result.refusal instanceof FieldRefusal || !entry || !isReady(entry))
		return result;
	const { effect, repetition = 'copied key' } = entry.traits;
	const states = results.map(({ ok, ...rest }): ItemState => {
		if (ok === true) return 'carried out';
		if (ok === 'not sent') return 'not sent';
		return 'refusal' in rest && 'mayHaveHappened' in rest.refusal && rest.refusal.mayHaveHappened
			? 'may have been carried out'
			: 'refused';
	});
	return {
		...result,
		refusal: {
			...result.refusal,
			fix: result.refusal.fix + stateOfBatch(states, effect, repetition),
		},
	};
}

/** A failed item's result as the error that ends the run. */
export function errorOf(
	n8n: IExecuteFunctions,
	result: Result | undefined,
	index: number,
): NodeApiError | NodeOperationError {
	const refusal = result?.ok === false ? result.refusal : undefined;
	if (refusal instanceof FieldRefusal)
		return inputError(n8n, refusal, index, result?.ok === false && result.tries > 0);
	return serviceError(
		n8n,
		refusal ?? { message: 'The item was not sent', fix: '', traceId: null },
		index,
	);
}
