import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { FailedOutcome, GoodOutcome, Problem } from '../../shared/problem';

/** End of an item. Its items lack `outcome` and `summary`, which the end of the run adds. */
export type Result = Good | Failed;

interface Good {
	outcome: GoodOutcome;
	items: IDataObject[];
	binary?: IBinaryKeyData;
	problem?: undefined;
}

/** Failed item. The problem ends the run, unless n8n shall continue. */
interface Failed {
	outcome: FailedOutcome;
	/** Item of the write, with what is known of it. */
	items: IDataObject[];
	binary?: undefined;
	problem: Problem;
}

/** Writes that a run has sent, by `ref` of a payment. Plain JSON. Kept by n8n in a retry, lost in a crash. */
export interface Journal {
	/** True once a part was looked up and may have been sent. False after a kill, which has lost the rest, too. */
	began?: boolean;
	sent: Record<string, Sent>;
}

/** Attempt that this run has made. */
export interface Sent extends Pick<Good, 'items' | 'binary'> {
	fingerprint: string;
	outcome: Exclude<Result['outcome'], 'not_sent'>;
	what?: string;
	/** Problem of the attempt, which Retry On Fail would hide. */
	problem?: Pick<Problem, 'message' | 'facts'>;
}

export const failed = (problem: Problem, items: IDataObject[] = []): Failed => ({
	outcome: problem.outcome,
	items,
	problem,
});
