import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { BatchResult } from '../batch/batch';
import { InvalidFieldError } from '../errors';

/** n8n 2.41 keeps 512 characters, but logs an error above 255. */
const MAX_LENGTH = 255;

/** Sets the business keys by which n8n's list of executions can be filtered. Never fails the run. */
export function setBusinessKeys(
	n8n: IExecuteFunctions,
	{ prepared, results }: BatchResult<IBinaryData>,
): void {
	const first = prepared.find((work) => !(work instanceof InvalidFieldError));
	const traceIds = results.map((result) =>
		result.kind === 'done'
			? result.traceId
			: result.kind === 'failed' && result.failure.kind === 'request failure'
				? result.failure.traceId
				: undefined,
	);
	const keys = {
		...(first instanceof InvalidFieldError ? {} : first?.ids),
		trace_id: traceIds.reverse().find((traceId) => typeof traceId === 'string'),
	};
	for (const [name, value] of Object.entries(keys)) {
		if (typeof value !== 'string') continue;
		try {
			n8n.customData.set(name, value.slice(0, MAX_LENGTH));
		} catch {
			// Some runs have no custom data, for example as a tool.
		}
	}
}
