import type { IExecuteFunctions } from 'n8n-workflow';

import type { Setup } from './history.mts';
import type { Host, SentOptions } from './host.mts';
import { Deliberate } from './incidents.mts';
import { parametersFor, type Item } from './parameters.mts';

/** Data that n8n stores with an execution. Only JSON survives. */
export interface ExecutionData {
	/** Keyed by `flow`, or by `node:` and the node's name. */
	contexts: Record<string, Record<string, unknown>>;
	/** Start of the first execution, kept by its retries. */
	establishedAt: number;
	/** Set in a sub-workflow. A crash loses it, and the retry gets another start. */
	source?: 'integrated' | 'retry';
	/** Number of runs per node. */
	counts: Record<string, number>;
	/** Index of the next step. */
	step: number;
	/** True after the failure that `breaksAt` asks for. */
	broken: boolean;
	/** Run of the upstream node; undefined before it has run. */
	made?: string;
	/** Try of the node. */
	attempt?: string;
}

/** One execute() of the node. */
export interface NodeRun {
	/** Undefined behind the MCP Server Trigger. */
	executionId: string | undefined;
	data: ExecutionData;
	mode: 'trigger' | 'integrated' | 'retry' | 'manual';
	nodeName: string;
	setup: Setup;
	isTool: boolean;
	items: Item[];
	runIndex: number;
}

/** Name of the node's row of notes. */
export const nodeIdOf = ({ nodeName, setup }: Pick<NodeRun, 'nodeName' | 'setup'>) =>
	`${nodeName}${setup.copied === undefined ? '' : `-copy-${setup.copied}`}`;

/** n8n as the action node sees it. Has only the functions that the node calls, so that a new call is noticed. */
export function fakeN8n(run: NodeRun, host: Host): IExecuteFunctions {
	const { setup, items, data, nodeName } = run;
	const parameters = items.map((item) => parametersFor(setup, item, data));
	const node = {
		id: nodeIdOf(run),
		name: nodeName,
		type: run.isTool ? 'cardTreasuryTool' : 'cardTreasury',
		typeVersion: 1,
		position: [0, 0],
		parameters: { ...parameters[0], paymentReference: '={{ $json.reference }}' },
		...(setup.continueOnFail && { onError: 'continueRegularOutput' }),
	};
	const n8n = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
		getExecutionId: () => run.executionId,
		getMode: () => run.mode,
		getTimezone: () => 'UTC',
		continueOnFail: () => setup.continueOnFail === true,
		getWorkflowSettings: () => ({}),
		getExecutionCancelSignal: () => host.incidents.stop.signal,
		getExecutionContext: () => ({
			version: 1,
			establishedAt: data.establishedAt,
			source: data.source ?? 'trigger',
			triggerNode: { name: 'Start', type: 'start' },
		}),
		getContext: (scope: string) =>
			(data.contexts[scope === 'flow' ? 'flow' : `node:${nodeName}`] ??= {}),
		getWorkflowDataProxy: () => ({ $runIndex: run.runIndex }),
		getInputData: () => items.map((item) => ({ json: { ...item } })),
		getInputSourceData: () => ({ previousNode: 'Start' }),
		getNodeParameter: (name: string, index: number, fallback?: unknown) =>
			parameters[index]?.[name] ?? fallback,
		evaluateExpression: (_part: string, index: number) => parameters[index]?.paymentReference,
		getCredentials: async () =>
			await host.incidents.call(() => {
				if (host.incidents.given.noCredential)
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
				// The company has no tokens that a recipient could be.
				if (options.url.endsWith('/mpc/tokens/list'))
					return { statusCode: 200, headers: {}, body: Buffer.from('[]') };
				return await host.request(options, apiKey);
			},
			checkProcessedAndRecord: async (
				entries: string[],
				_scope: string,
				{ maxEntries }: { maxEntries?: number },
			) => await host.record(entries, maxEntries),
			removeProcessed: async (entries: string[]) => await host.forget(entries),
			getProcessedDataCount: async () => await host.count(),
		},
	};
	return n8n as unknown as IExecuteFunctions;
}
