import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import {
	resolveWebhookDescriptionField,
	type ICheckProcessedOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type IWebhookFunctions,
	type IWorkflowSettings,
} from 'n8n-workflow';

import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { answerWith, type ExpressLikeResponse } from './expressLike.mts';

export const WEBHOOK_KEY = 'test-webhook-key';

/** Headers of an accepted delivery, and more. */
export const headersWith = (
	...more: Array<[name: string, value: string]>
): Array<[name: string, value: string]> => [
	['x-webhook-key', WEBHOOK_KEY],
	['content-type', 'application/json'],
	...more,
];

/** Stored execution: the items of the trigger, and the results of its run. */
export interface Execution {
	items: INodeExecutionData[];
	/** Per output of the trigger; undefined until it has run. */
	outputs?: INodeExecutionData[][];
	/** Business keys of the execution. */
	customData?: Record<string, string>;
	/** n8n's flow context, which the nodes of the execution share. */
	flow?: IDataObject;
	/** Failure of the run. */
	error?: Error;
}

type SendResponse = (answer: {
	body: unknown;
	headers?: Record<string, string>;
	statusCode?: number;
}) => void;

export interface HostOptions {
	parameters: INodeParameters;
	/** A parameter whose expression fails. */
	unreadable?: string;
	/** Error: n8n cannot read the credential. */
	credential?: IDataObject | Error;
	/** Called when the credential is read, or the webhook reads a parameter. */
	credentialRead?: () => void;
	parameterRead?: (name: string) => void;
	mode?: 'webhook' | 'manual';
	/** Settings tab of the trigger. */
	nodeSettings?: object;
	/** Settings of the workflow. */
	settings?: IWorkflowSettings;
	/** ID of the trigger's node; default a new one. A copied workflow has the same ID. */
	node?: string;
	workflowId?: string;
	/** Nodes after the trigger; the run ends with them, and fails if they throw. */
	workflow?: (outputs: INodeExecutionData[][], sendResponse: SendResponse) => Promise<void>;
	/** Called before an execution is stored; throws if n8n cannot store it. */
	store?: () => Promise<void>;
	/** Called before n8n's stored memory is written; throws if n8n cannot write it. */
	remember?: () => Promise<void>;
	/** n8n's database; shared by hosts before and after a restart. */
	memory?: Set<string>;
	/** State of the process; shared by hosts of one process. */
	trigger?: CardTreasuryTrigger;
	/** Address of the sender as n8n reports it. */
	sender?: string;
}

export type Host = Awaited<ReturnType<typeof startHost>>;

/**
 * Answers deliveries as n8n 2.41 does (its `webhook-helpers`), around the trigger: parse the body, `webhook()`, store
 * the execution, answer, run. Real sockets; n8n's database and engine are stood in for.
 */
export async function startHost(options: HostOptions) {
	const trigger = options.trigger ?? new CardTreasuryTrigger();
	const webhook = trigger.description.webhooks![0]!;
	const memory = options.memory ?? new Set<string>();
	const node = options.node ?? randomUUID();
	const executions: Execution[] = [];
	/** Errors that n8n would have logged, and warnings in n8n's log. */
	const errors: unknown[] = [];
	const warnings: string[] = [];

	async function handle(request: IncomingMessage, response: ExpressLikeResponse) {
		try {
			const body = parseBody(request, await readAll(request));
			await deliver(request, response, body);
		} catch (error) {
			errors.push(error);
			response.status(500).json({ message: 'There was a problem executing the workflow' });
		}
	}

	async function deliver(
		request: IncomingMessage,
		response: ExpressLikeResponse,
		body: ParsedBody,
	) {
		if (!body.ok)
			return void response.status(422).json({ message: 'Failed to parse request body' });
		const mode = resolveWebhookDescriptionField(options, webhook, 'responseMode');
		if (!mode.resolved) throw new Error('The response mode needs the expression engine');

		const result = await trigger.webhook.call(webhookContext(request, response, body.value));
		let answered = result.noWebhookResponse === true;
		if (result.workflowData === undefined) {
			if (!answered)
				response.status(200).json(result.webhookResponse ?? { message: 'Webhook call received' });
			return;
		}
		await options.store?.();
		const execution: Execution = { items: result.workflowData[0] ?? [] };
		executions.push(execution);
		if (mode.value === 'onReceived' && !answered) {
			answered = true;
			response.status(200).json(result.webhookResponse);
		}
		const sendResponse: SendResponse = ({ body: text, headers = {}, statusCode = 200 }) => {
			if (answered || mode.value !== 'responseNode') return;
			answered = true;
			try {
				response.status(statusCode);
				response.setHeaders(new Map(Object.entries(headers)));
				response.setHeader('Content-Security-Policy', 'sandbox');
				response.json(text);
				process.nextTick(() => response.end());
			} catch (error) {
				errors.push(error);
			}
		};
		void run(execution, sendResponse).then(
			() => {
				if (!answered && mode.value === 'responseNode') response.status(200).json(undefined);
			},
			(error: Error) => {
				execution.error = error;
				if (!answered) response.status(500).json({ message: 'Error in workflow' });
			},
		);
	}

	async function run(execution: Execution, sendResponse: SendResponse) {
		execution.outputs = await trigger.execute.call(executeContext(execution, sendResponse));
		await options.workflow?.(execution.outputs, sendResponse);
	}

	const logger = {
		error: (line: string) => errors.push(line),
		warn: (line: string) => warnings.push(line),
		debug: () => undefined,
	};
	const shared = {
		getNode: () => ({
			id: node,
			name: 'Card Treasury Trigger',
			parameters: options.parameters,
			...options.nodeSettings,
		}),
		getWorkflow: () => ({ id: options.workflowId ?? 'workflow-1' }),
		getWorkflowSettings: () => options.settings ?? {},
		getExecutionId: () => undefined,
		getMode: () => options.mode ?? 'webhook',
	};

	function webhookContext(request: IncomingMessage, response: ExpressLikeResponse, body: unknown) {
		return {
			...shared,
			getNodeParameter: (name: string, fallback: unknown) => {
				options.parameterRead?.(name);
				if (name === options.unreadable) throw new Error(`The expression of ${name} fails`);
				return options.parameters[name] ?? fallback;
			},
			logger,
			async getCredentials() {
				options.credentialRead?.();
				if (options.credential instanceof Error) throw options.credential;
				return options.credential ?? { webhookKey: WEBHOOK_KEY };
			},
			getBodyData: () => body,
			getHeaderData: () => request.headers,
			getRequestObject: () => ({ ip: options.sender ?? request.socket.remoteAddress }),
			getResponseObject: () => response,
		} as unknown as IWebhookFunctions;
	}

	function executeContext(execution: Execution, sendResponse: SendResponse) {
		return {
			...shared,
			logger,
			getNodeParameter: (name: string, _item: number, fallback: unknown) =>
				options.parameters[name] ?? fallback,
			getInputData: () => execution.items,
			getContext: () => (execution.flow ??= {}),
			customData: {
				set(key: string, value: string) {
					(execution.customData ??= {})[key] = value;
				},
			},
			getChildNodes: () => [],
			addExecutionHints: () => undefined,
			sendResponse: async (answer: Parameters<SendResponse>[0]) => sendResponse(answer),
			helpers: {
				// Find, then update, as n8n's: two at a time would both find nothing.
				async checkProcessedAndRecord(
					keys: string[],
					_scope: string,
					{ maxEntries = 10_000 }: ICheckProcessedOptions,
				) {
					const known = new Set(memory);
					await new Promise((resolve) => setTimeout(resolve, 5));
					await options.remember?.();
					memory.clear();
					const all = [...new Set([...known, ...keys])];
					for (const each of all.slice(-maxEntries)) memory.add(each);
					return {
						new: keys.filter((key) => !known.has(key)),
						processed: keys.filter((key) => known.has(key)),
					};
				},
			},
		} as unknown as IExecuteFunctions;
	}

	const { url, close } = await answerWith(handle);
	/** Runs an execution again from the trigger, like a manual retry. */
	const retry = async (execution: Execution) =>
		await trigger.execute.call({
			...executeContext(execution, () => undefined),
			getMode: () => 'retry',
		} as IExecuteFunctions);
	return { url, executions, retry, errors, warnings, close };
}

type ParsedBody = { ok: true; value: unknown } | { ok: false };

function parseBody(request: IncomingMessage, raw: Buffer): ParsedBody {
	const type = request.headers['content-type'] ?? '';
	if (type.startsWith('text/plain')) return { ok: true, value: raw.toString() };
	if (!type.startsWith('application/json')) return { ok: true, value: undefined };
	if (raw.length === 0) return { ok: true, value: undefined };
	try {
		return { ok: true, value: JSON.parse(raw.toString().replace(/^\uFEFF/, '')) };
	} catch {
		return { ok: false };
	}
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const body = Buffer.concat(chunks);
	return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}
