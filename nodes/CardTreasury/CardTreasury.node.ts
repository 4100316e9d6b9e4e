import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../shared/credential';
import { describeNode, editorMethods, subtitleOf } from './n8n/panel';
import { createProcessState, run } from './n8n/run';
import { RESOURCES } from './operations';

export class CardTreasury implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Treasury',
		name: 'cardTreasury',
		icon: { light: 'file:../icons/cardTreasury.svg', dark: 'file:../icons/cardTreasury.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: subtitleOf(RESOURCES),
		description: 'Move treasury funds, manage cards and track KYC',
		defaults: { name: 'Card Treasury' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL_TYPE, required: true }],
		properties: describeNode(RESOURCES),
	};

	methods: INodeType['methods'];

	// Assigned in the constructor, where a closure holds the state: n8n calls `execute` with its own context as `this`.
	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	constructor() {
		const state = createProcessState();
		this.methods = editorMethods(RESOURCES, state);
		this.execute = async function () {
			return [await run(this, state)];
		};
	}
}
