import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

/**
 * The least that a trigger of a community node can do with a delivery: what n8n itself costs, for the benchmarks to
 * measure against. `store` is acknowledged after n8n has stored the execution; `answer` at once, without a run.
 */
export class BareTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 2,
		description: 'Does the least that a trigger can do',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		// Never read: n8n checks, before each execution, the credentials that a workflow names.
		credentials: [{ name: 'httpHeaderAuth', required: false }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: '',
			},
		],
		properties: [{ displayName: 'Mode', name: 'mode', type: 'string', default: 'store' }],
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const mode = this.getNodeParameter('mode');
		if (mode === 'store')
			return {
				webhookResponse: { response_code: 'OK' },
				workflowData: [[{ json: this.getBodyData() }]],
			};
		const response = this.getResponseObject();
		response.setHeader('Content-Type', 'application/json; charset=utf-8');
		response.end('{"response_code":"00"}');
		return { noWebhookResponse: true };
	}
}
