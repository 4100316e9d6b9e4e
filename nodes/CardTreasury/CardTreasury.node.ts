import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { describe } from './description';
import { runAnswer } from './execution/runAnswer';
import { runService } from './execution/runService';
import { getDocumentMetadata, searchDocumentTypes } from './lists/documents';
import { searchProductRequests } from './lists/productRequests';
import { searchTokens } from './lists/tokens';
import { findOperation, RESOURCES } from './resources';

export class CardTreasury implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Treasury',
		name: 'cardTreasury',
		icon: { light: 'file:../icons/cardTreasury.svg', dark: 'file:../icons/cardTreasury.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Move treasury funds, manage cards and follow up KYC',
		defaults: { name: 'Card Treasury' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'cardTreasuryApi', required: true }],
		properties: describe(RESOURCES),
	};

	methods = {
		listSearch: { searchDocumentTypes, searchProductRequests, searchTokens },
		resourceMapping: { getDocumentMetadata },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0) as string;
		const name = this.getNodeParameter('operation', 0) as string;
		const operation = findOperation(resource, name);
		if (operation === undefined) {
			throw new NodeOperationError(
				this.getNode(),
				`There is no operation "${name}" for "${resource}"`,
				{
					description: 'Choose Resource and Operation from the lists.',
				},
			);
		}
		return [
			operation.kind === 'answer'
				? await runAnswer(this, operation)
				: await runService(this, operation),
		];
	}
}
