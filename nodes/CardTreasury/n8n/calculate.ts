import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InvalidFieldError, orInvalid } from '../../shared/fields/invalidField';
import { tellCalculation } from '../batch/outcome';
import type { Calculation } from '../operations/operation';
import type { Host } from './host';
import { callerOf, readItem } from './readItems';
import { errorOf, failedItem } from './render';

/** Calculates an output item for each input item. Reads no credential and sends nothing. */
export async function calculateAll(
	n8n: IExecuteFunctions,
	host: Host,
	operation: Calculation,
): Promise<INodeExecutionData[]> {
	// The environment does not matter here.
	const caller = callerOf(host, 'sandbox');
	const items: INodeExecutionData[] = [];
	for (const index of n8n.getInputData().keys()) {
		const item = await readItem(n8n, operation, index);
		const json = orInvalid(() => operation.calculate(item, caller));
		if (!(json instanceof InvalidFieldError))
			items.push({ json: json as IDataObject, pairedItem: { item: index } });
		else if (host.continueOnFail) {
			const told = tellCalculation(json, operation.nameOf(item, caller));
			items.push(failedItem(host, json, index, 'not_sent', told));
		} else throw errorOf(host, json, index, 'not_sent');
	}
	return items;
}
