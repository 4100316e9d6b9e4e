import type { IExecuteFunctions } from 'n8n-workflow';

import type { Repetition } from '../request/refusal';
import { isTool } from './n8nParameters';

/** How the user of this run can have a derived key sent again. */
export function repetitionOf(n8n: IExecuteFunctions): Repetition {
	if (isTool(n8n)) return 'tool call';
	// An execution that goes on ends well, and n8n retries only failed ones; one of a sub-workflow is begun anew
	// by each call, also by that of a retried parent.
	return n8n.continueOnFail() || n8n.getMode() === 'integrated' ? 'copied key' : 'retry';
}
