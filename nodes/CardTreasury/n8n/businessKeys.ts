import type { IBinaryData } from 'n8n-workflow';

import type { BatchResult } from '../batch/batch';
import { InvalidFieldError } from '../errors';

/** What the execution can be found by: the IDs of its first item, and the latest trace ID. */
export function businessKeys({
	prepared,
	results,
}: BatchResult<IBinaryData>): Record<string, unknown> {
	const first = prepared.find((work) => !(work instanceof InvalidFieldError));
	const traceIds = results.map((result) =>
		result.kind === 'done'
			? result.traceId
			: result.kind === 'failed' && result.failure.kind === 'request failure'
				? result.failure.traceId
				: undefined,
	);
	return {
		...(first instanceof InvalidFieldError ? {} : first?.ids),
		trace_id: traceIds.reverse().find((traceId) => typeof traceId === 'string'),
	};
}
