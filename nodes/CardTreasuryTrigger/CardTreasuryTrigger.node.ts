import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/credential';
import { activate } from './activate';
import { CLAIM_LIMITS, createClaims } from './duplicates/claims';
import { emit } from './emit';
import { OUTPUTS } from './panel/outputs';
import { TRIGGER_PANEL } from './panel/triggerPanel';
import { PROPERTIES } from './panel/properties';
import { receive, type ProcessMemory } from './receive';
import { WEBHOOKS } from './panel/webhooks';

/** Duplicates and keys seen by this process. */
const memory: ProcessMemory = { claims: createClaims(CLAIM_LIMITS), keys: new Map() };

export class CardTreasuryTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Treasury Trigger',
		name: 'cardTreasuryTrigger',
		icon: { light: 'file:../icons/cardTreasury.svg', dark: 'file:../icons/cardTreasury.dark.svg' },
		group: ['trigger'],
		// From the start: of version 1 n8n evaluates an expression on every delivery (`options.binaryData`).
		version: 2,
		subtitle:
			'={{ ((count) => count === 1 ? "1 event" : count + " events")(($parameter["events"] || []).length) }}',
		description:
			'Starts the workflow on card, treasury, ramp and KYC events, and decides card authorizations',
		defaults: { name: 'Card Treasury Trigger' },
		inputs: [],
		outputs: OUTPUTS,
		credentials: [{ name: CREDENTIAL_TYPE, required: true }],
		webhooks: WEBHOOKS,
		eventTriggerDescription: 'Waiting for an event on the test URL of this trigger',
		triggerPanel: TRIGGER_PANEL,
		// A trigger is no tool; older lint rules ask for the property all the same.
		usableAsTool: undefined,
		properties: PROPERTIES,
	};

	webhookMethods = {
		default: {
			// Nothing is registered at the service, so nothing exists there: n8n goes on to `create`, which checks.
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await activate(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, memory);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await emit(this);
	}
}
