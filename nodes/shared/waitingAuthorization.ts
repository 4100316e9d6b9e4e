import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** Authorization that waits for this execution. All nodes of the execution share this object. */
interface WaitingAuthorization {
	/** Deadline of the answer, in ISO 8601. */
	answerBy?: string;
	/** Code that an `authorization: respond` operation has sent. */
	sent?: string;
}

/** Returns the waiting authorization from the execution data, because nodes in between could drop it from the item. */
export function waitingAuthorization(n8n: Pick<IExecuteFunctions, 'getContext'>) {
	const context: IDataObject & { cardAuthorization?: WaitingAuthorization } =
		n8n.getContext('flow');
	return (context.cardAuthorization ??= {});
}
