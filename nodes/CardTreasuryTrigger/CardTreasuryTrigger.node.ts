import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { processClock } from '../shared/clock';
import { CREDENTIAL_TYPE } from '../shared/credential';
import { AUTHORIZATION_CLAIMS, createClaims, EVENT_CLAIMS } from './delivery/claims';
import { createLogLimit } from './delivery/logLimit';
import { createWebhookKeys } from './delivery/verify';
import {
	ACTIVATION_MESSAGE,
	OUTPUTS,
	PROPERTIES,
	SUBTITLE,
	TRIGGER_PANEL,
	WEBHOOKS,
} from './n8n/description';
import { emit } from './n8n/emit';
import { publish } from './n8n/publish';
import { receive } from './n8n/receive';
import { createRecordKey } from './n8n/recordKey';

export class CardTreasuryTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Card Treasury Trigger',
		name: 'cardTreasuryTrigger',
		icon: { light: 'file:../icons/cardTreasury.svg', dark: 'file:../icons/cardTreasury.dark.svg' },
		group: ['trigger'],
		// Not version 1, because n8n then evaluates an expression on every delivery (`options.binaryData`).
		version: 2,
		subtitle: SUBTITLE,
		description:
			// n8n also shows this text for the action node, because both nodes share one entry of the search.
			'Treasury transfers, cards, ramps and KYC. The trigger starts the workflow on their events, and decides card authorizations.',
		defaults: { name: 'Card Treasury Trigger' },
		inputs: [],
		outputs: OUTPUTS,
		credentials: [{ name: CREDENTIAL_TYPE, required: true }],
		webhooks: WEBHOOKS,
		eventTriggerDescription: 'Waiting for an event on the test URL of this trigger',
		activationMessage: ACTIVATION_MESSAGE,
		triggerPanel: TRIGGER_PANEL,
		// A trigger cannot be a tool, but older lint rules require the property.
		usableAsTool: undefined,
		properties: PROPERTIES,
	};

	webhookMethods = {
		default: {
			// Returns false, so that n8n calls `create`. Nothing is registered at the service, but `create` checks the
			// settings.
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await publish(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	webhook: (this: IWebhookFunctions) => Promise<IWebhookResponseData>;

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

	/** Assigns the methods here, where a closure holds the state: n8n calls them with its own context as `this`. */
	constructor() {
		const state = {
			eventClaims: createClaims(EVENT_CLAIMS),
			authorizationClaims: createClaims(AUTHORIZATION_CLAIMS),
			webhookKeys: createWebhookKeys(),
			logLimit: createLogLimit(),
		};
		const recordKey = createRecordKey(processClock.wait);
		this.webhook = async function () {
			return await receive(this, state);
		};
		this.execute = async function () {
			return await emit(this, recordKey);
		};
	}
}
