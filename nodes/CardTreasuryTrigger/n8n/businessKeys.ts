import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../service/isObject';
import { CLIENT_STATUS } from '../events';

/** What the execution of an event can be found by. */
export function businessKeys(event: string, item: IDataObject): Record<string, unknown> {
	const data = isObject(item.data) ? item.data : {};
	const delivery = isObject(item.delivery) ? item.delivery : {};
	return {
		event,
		operation_id: item.operation_id,
		card_id: data.card_id,
		// Its data is the client itself (§2.8).
		client_id: event === CLIENT_STATUS ? data.id : data.client_id,
		trace_id: delivery.trace_id,
	};
}
