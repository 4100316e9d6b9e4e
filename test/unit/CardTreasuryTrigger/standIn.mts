import { createServer, ServerResponse } from 'node:http';
import lodash from 'lodash';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { listen } from '../../simulator/listen.mts';

export const WEBHOOK_KEY = 'test-webhook-key';

/** Facts and calls of n8n. */
export interface Facts {
	parameters?: IDataObject;
	/** Settings tab of the trigger, and other properties of the node. */
	node?: object;
	workflowId?: string;
	settings?: object;
	mode?: string;
	activation?: string;
	credential?: () => Promise<object>;
	headers?: IDataObject;
	body?: unknown;
	response?: object;
	items?: IDataObject[];
	/** Nodes behind the trigger, each before the next. */
	behind?: Array<{ name: string; type?: string; parameters?: IDataObject; disabled?: boolean }>;
	/** n8n's stored keys. */
	record?: (keys: string[], scope: string, options: object) => Promise<{ processed: string[] }>;
	httpRequest?: (request: IDataObject) => Promise<unknown>;
}

/**
 * Stand-in for the contexts that n8n passes to a webhook, a hook and an execution, in one object. It holds what the
 * trigger calls, because these tests are about the trigger's own decisions: `test/e2e` runs it in the real n8n.
 */
export function standIn(facts: Facts) {
	const { parameters = {}, behind = [], headers = {}, body, items = [] } = facts;
	const log: string[] = [];
	const answers: object[] = [];
	const flow: IDataObject = {};
	const customData: Record<string, string> = {};
	const line = (level: string) => (text: string) => log.push(`${level}: ${text}`);
	const n8n = {
		getNode: () => ({ id: 'node-1', name: 'Trigger', parameters, ...facts.node }),
		getWorkflow: () => ({ id: facts.workflowId ?? 'workflow-1' }),
		getWorkflowSettings: () => facts.settings ?? {},
		getExecutionId: () => undefined,
		getMode: () => facts.mode ?? 'webhook',
		getActivationMode: () => facts.activation ?? 'activate',
		// The fallback is the last argument in each context.
		getNodeParameter: (name: string, ...rest: unknown[]) => {
			const value = parameters[name] ?? rest.at(-1);
			if (value instanceof Error) throw value;
			return value;
		},
		getCredentials: facts.credential ?? (async () => ({ webhookKey: WEBHOOK_KEY })),
		getHeaderData: () => headers,
		getBodyData: () => body,
		getResponseObject: () => facts.response,
		getNodeWebhookUrl: (name: string) => `https://n8n.example.com/webhook-test/${name}`,
		getChildNodes: () => behind.map((node) => ({ type: 'x', ...node })),
		getParentNodes: (name: string) => lodash.takeWhile(behind, (node) => node.name !== name),
		getInputData: () => items.map((json) => ({ json })),
		getContext: () => flow,
		customData: { set: (name: string, value: string) => (customData[name] = value) },
		sendResponse: async (answer: object) => answers.push(answer),
		logger: { warn: line('warn'), error: line('error'), debug: line('debug') },
		helpers: {
			httpRequest: facts.httpRequest,
			checkProcessedAndRecord: facts.record ?? (async () => ({ processed: [] })),
		},
	} as unknown as IWebhookFunctions & IHookFunctions & IExecuteFunctions;
	return { n8n, log, answers, flow, customData };
}

/** Node's response with the methods of Express by which n8n answers. */
export class ExpressResponse extends ServerResponse {
	status(code: number) {
		this.statusCode = code;
		return this;
	}

	json(body?: unknown) {
		this.setHeader('Content-Type', 'application/json; charset=utf-8');
		return this.send(JSON.stringify(body));
	}

	send(body?: unknown) {
		this.end(body);
		return this;
	}
}

/** Returns what a sender receives from `handle`, over a real connection. */
export async function received(handle: (response: ExpressResponse) => unknown) {
	const server = createServer({ ServerResponse: ExpressResponse as never }, (_, response) => {
		void handle(response as unknown as ExpressResponse);
	});
	const { url, close } = await listen(server);
	try {
		const answer = await fetch(url);
		const type = answer.headers.get('content-type');
		return { status: answer.status, type, text: await answer.text() };
	} finally {
		await close();
	}
}
