import type { IExecuteFunctions } from 'n8n-workflow';

import type { Setup } from './history.mts';
import { Deliberate, type Incidents } from './incidents.mts';
import type { Item } from './parameters.mts';
import { parametersFor, rawParameters } from './parameters.mts';

/** What n8n stores of an execution: only JSON survives. */
export interface ExecutionData {
	/** By `flow`, or `node:` and the node's name. */
	contexts: Record<string, Record<string, unknown>>;
	/** When the execution was first started; its retries keep it. */
	establishedAt: number;
	/** Of a sub-workflow: the execution that has called it. */
	parentExecutionId?: string;
	/** The mode in which the context was made: a crash loses that of a call, and its retry makes it anew. */
	source?: 'integrated' | 'retry';
	/** How often each node has run. */
	counts: Record<string, number>;
	/** What is to be run next. */
	step: number;
	/** What was to break once has broken. */
	broken: boolean;
}

/** One execute() of the node. */
export interface NodeRun {
	/** Undefined behind the MCP Server Trigger. */
	executionId: string | undefined;
	data: ExecutionData;
	mode: 'trigger' | 'integrated' | 'retry';
	nodeName: string;
	setup: Setup;
	isTool: boolean;
	items: Item[];
	runIndex: number;
}

/** What stands outside the execution. */
export interface Host {
	incidents: Incidents;
	date(): number;
	/** As n8n's database has it now. */
	credential(): Record<string, unknown>;
	apiKey(): string;
	/** @throws as n8n's helper does when there is no answer */
	request(
		options: SentOptions,
		apiKey: string,
	): Promise<{ statusCode: number; headers: object; body: Buffer }>;
	record(nodeId: string, entries: string[], options: { maxEntries?: number }): Promise<unknown>;
	forget(nodeId: string, entries: string[]): Promise<void>;
}

export interface SentOptions {
	method: string;
	url: string;
	headers: Record<string, string>;
	body?: string;
	timeout: number;
}

/** n8n as the action node sees it: what it calls there, and nothing else, so that a new call is noticed. */
export function fakeN8n(run: NodeRun, host: Host): IExecuteFunctions {
	const { setup, items, data, nodeName } = run;
	const nodeId = `${nodeName}${setup.copied === undefined ? '' : `-copy-${setup.copied}`}`;
	const moment = () => ({ ...run, date: host.date() });
	const node = {
		id: nodeId,
		name: nodeName,
		type: run.isTool ? 'cardTreasuryTool' : 'cardTreasury',
		typeVersion: 1,
		position: [0, 0],
		parameters: items[0] === undefined ? {} : rawParameters(setup, items[0], moment()),
		...(setup.continueOnFail && { onError: 'continueRegularOutput' }),
	};
	// Made once per item and moment: the node asks for each by its name.
	let made: { index: number; date: number; values: Record<string, unknown> } | undefined;
	const parameters = (index: number) => {
		const item = items[index];
		const date = host.date();
		if (item === undefined) return {};
		if (made?.index !== index || made.date !== date) {
			made = { index, date, values: parametersFor(setup, item, moment()) };
		}
		return made.values;
	};
	const n8n = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
		getInstanceId: () => 'instance',
		getExecutionId: () => run.executionId,
		getMode: () => run.mode,
		getTimezone: () => 'UTC',
		continueOnFail: () => setup.continueOnFail === true,
		getExecutionCancelSignal: () => host.incidents.stop.signal,
		getExecutionContext: () => ({
			version: 1,
			establishedAt: data.establishedAt,
			...(data.parentExecutionId && { parentExecutionId: data.parentExecutionId }),
			source: data.source ?? 'trigger',
			triggerNode: { name: 'Start', type: 'start' },
		}),
		getContext: (scope: string) =>
			(data.contexts[scope === 'flow' ? 'flow' : `node:${nodeName}`] ??= {}),
		getWorkflowDataProxy: () => ({
			$runIndex: run.runIndex,
			$items: () => [{ json: { batch: items[0]?.batch ?? 0 } }],
		}),
		getInputData: () => items.map((item) => ({ json: { ...item } })),
		getInputSourceData: () => ({ previousNode: 'Start' }),
		getNodeParameter: (name: string, index: number, fallback?: unknown) => {
			const found = parameters(index)[name];
			return found === undefined ? fallback : found;
		},
		getCredentials: async () =>
			await host.incidents.call(() => {
				if (host.incidents.credentialFails)
					throw new Deliberate('Credentials could not be decrypted');
				return host.credential();
			}, true),
		addExecutionHints: () => {},
		customData: { set: () => {} },
		logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
		helpers: {
			httpRequestWithAuthentication: async (
				_type: string,
				options: SentOptions,
				given?: { credentialsDecrypted?: { data?: { apiKey?: string } } },
			) => {
				// Without it, n8n reads the credential from its database again for each request.
				const { apiKey = host.apiKey() } = given?.credentialsDecrypted?.data ?? {};
				return await host.request(options, apiKey);
			},
			checkProcessedAndRecord: async (
				entries: string[],
				_scope: string,
				options: { maxEntries?: number },
			) => await host.record(nodeId, entries, options),
			removeProcessed: async (entries: string[]) => await host.forget(nodeId, entries),
			prepareBinaryData: async () => await Promise.reject(new Error('There are no files')),
		},
	};
	return n8n as unknown as IExecuteFunctions;
}
