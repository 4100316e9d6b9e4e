import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { answerBy, decisionAnswer } from '../../service/authorizationAnswer';
import { InvalidFieldError, orInvalid } from '../errors';
import type { ResponseOperation } from '../operation';
import { readCaller, readItems } from './read';
import { errorOf, failedItem } from './render';

/** Answers the authorization that waits for this execution. There is one, so only the first item's answer counts. */
export async function respond(
	n8n: IExecuteFunctions,
	operation: ResponseOperation,
): Promise<INodeExecutionData[]> {
	// No environment guard applies here, and reading the credential would take time from the deadline (§6.4).
	const caller = readCaller(n8n, 'sandbox');
	const input = n8n.getInputData();
	const output: INodeExecutionData[] = [];
	for (const [index, item] of readItems(n8n, operation).entries()) {
		const code = await orInvalid(async () => await operation.responseCode(item, caller));
		if (code instanceof InvalidFieldError) {
			if (!n8n.continueOnFail()) throw errorOf(n8n, code, index, 'not_sent');
			output.push(failedItem(n8n, code, index, 'not_sent'));
			continue;
		}
		if (index === 0) await n8n.sendResponse(decisionAnswer(code));
		const json = input[index]?.json ?? {};
		const notice = index === 0 ? lateness(json) : undefined;
		if (notice)
			n8n.addExecutionHints({ message: notice.message, type: 'warning', location: 'outputPane' });
		const decision: IDataObject = { response_code: code, ...notice?.facts };
		const binary = input[index]?.binary;
		output.push({
			json: { ...json, decision },
			...(binary && { binary }),
			pairedItem: { item: index },
		});
	}
	return output;
}

/** Why this answer decides nothing, when it does not. */
export function lateness(json: IDataObject): { message: string; facts: IDataObject } | undefined {
	const deadline = answerBy(json);
	if (deadline === undefined) {
		return {
			message: 'No authorization was waiting, so nothing was answered.',
			facts: { nothing_waiting: true },
		};
	}
	if (Date.now() <= deadline) return undefined;
	return {
		message: 'This answer came after the deadline: the card network has been answered without it.',
		facts: { too_late: true },
	};
}
