import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { answerBy, decisionAnswer } from '../../service/authorizationAnswer';
import type { AnswerOperation } from '../operation';
import { FieldRefusal } from '../parameters/reader';
import { n8nParameters } from './n8nParameters';
import { failedItem, inputError } from './report';

/** Answers the authorization that waits for this execution. There is one, so only the first item's answer counts. */
export async function runAnswer(
	n8n: IExecuteFunctions,
	operation: AnswerOperation,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const [itemIndex, { json, binary }] of n8n.getInputData().entries()) {
		const code = read(() => operation.responseCode(n8nParameters(n8n, itemIndex, json)));
		if (code instanceof FieldRefusal) {
			const error = inputError(n8n, code, itemIndex);
			if (!n8n.continueOnFail()) throw error;
			output.push(
				failedItem(error, {}, itemIndex, n8n.getNode().onError === 'continueErrorOutput'),
			);
			continue;
		}
		const deadline = answerBy(json);
		const tooLate = deadline !== undefined && Date.now() > deadline;
		if (itemIndex === 0) await n8n.sendResponse(decisionAnswer(code));
		const decision = { response_code: code, ...(tooLate ? { too_late: true } : {}) };
		output.push({
			json: { ...json, decision },
			...(binary ? { binary } : {}),
			pairedItem: { item: itemIndex },
		});
		if (tooLate) {
			n8n.addExecutionHints({
				message:
					'This answer came after the deadline: the card network has been answered without it.',
				type: 'warning',
				location: 'outputPane',
			});
		}
	}
	return output;
}

function read(work: () => string): string | FieldRefusal {
	try {
		return work();
	} catch (thrown) {
		if (thrown instanceof FieldRefusal) return thrown;
		return new FieldRefusal('Decision', 'could not be read', 'Check the expressions of this node.');
	}
}
