import type { IDataObject } from 'n8n-workflow';

import type { OutputItem, ServiceAnswer } from '../operation';

/** The answer's object as one item, as it came. */
export function asItem(answer: ServiceAnswer): OutputItem[] {
	return [{ json: answer.json as IDataObject }];
}

/** The answer's list as items in the service's order, as they came. */
export function asList(answer: ServiceAnswer): IDataObject[] {
	return answer.json as IDataObject[];
}
