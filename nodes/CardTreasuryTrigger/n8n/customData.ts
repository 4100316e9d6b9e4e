import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../service/isObject';
import { CLIENT_STATUS } from '../events';

/** n8n 2.41 keeps 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets the business keys by which n8n's list of executions can be filtered. */
export function setCustomData(n8n: IExecuteFunctions, event: string, item: IDataObject): void {
	const data = isObject(item.data) ? item.data : {};
	const delivery = isObject(item.delivery) ? item.delivery : {};
	const values = {
		event,
		operation_id: item.operation_id,
		card_id: data.card_id,
		// Its data is the client itself (§2.8).
		client_id: event === CLIENT_STATUS ? data.id : data.client_id,
		trace_id: delivery.trace_id,
	};
	for (const [key, value] of Object.entries(values)) {
		if (typeof value !== 'string' || value === '') continue;
		try {
			n8n.customData.set(key, value.slice(0, MAX_LENGTH));
		} catch (thrown) {
			// The event matters more than how its execution is found.
			n8n.logger.debug(`Custom execution data ${key} was not set: ${String(thrown)}`);
		}
	}
}
