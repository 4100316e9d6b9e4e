import type {
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

/**
 * Minimal trigger of a community node, which shows n8n's own cost in the benchmarks. `store` acknowledges after n8n has
 * stored the execution; `answer` acknowledges at once, without a run.
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
