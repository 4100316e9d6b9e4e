import { LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type ResourceMapperFields,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CardTreasuryApi } from '../../credentials/CardTreasuryApi.credentials.ts';
import { CardTreasury } from '../../nodes/CardTreasury/CardTreasury.node.ts';

/** Gives the items of a run; stands for whatever comes before the node. */
const source = (items: INodeExecutionData[]): INodeType => ({
	description: {
		displayName: 'Source',
		name: 'source',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	execute: async () => [items],
});

export interface CoreRun {
	run: IRun;
	/** The node's items, per output. */
	outputs: INodeExecutionData[][];
	error?: { message: string; description?: string | null };
	/** Texts that the editor shows beside the items. */
	hints: string[];
}

export interface CoreOptions {
	baseUrl: string;
	apiKey?: string;
	credential?: IDataObject;
	parameters: IDataObject;
	items?: INodeExecutionData[];
	node?: Partial<INode>;
	executionId?: string;
	/** From a failed run: continues it as n8n's manual retry does. */
	retryOf?: IRunExecutionData;
	/** How often the items reach the node, as rounds of a loop do; default once. */
	rounds?: number;
	/** Default `trigger`; `integrated` is what a sub-workflow runs in. */
	mode?: WorkflowExecuteMode;
	/** Is given what the Stop button does. */
	onStart?: (stop: () => void) => void;
}

/** Runs the action node in the real n8n-core: its engine, its contexts and its request helpers. */
export async function runInCore(options: CoreOptions): Promise<CoreRun> {
	const before = source(options.items ?? [{ json: {} }]);
	const node: INode = {
		id: 'node-1',
		name: 'Card Treasury',
		type: 'cardTreasury',
		typeVersion: 1,
		position: [0, 0],
		parameters: options.parameters as INode['parameters'],
		credentials: { cardTreasuryApi: { id: '1', name: 'test' } },
		...options.node,
	};
	const nodeTypes: INodeTypes = {
		getByName: (type) => (type === 'source' ? before : new CardTreasury()),
		getByNameAndVersion: (type) => (type === 'source' ? before : new CardTreasury()),
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: 'workflow-1',
		nodes: [
			{
				id: 'source',
				name: 'Source',
				type: 'source',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			node,
		],
		connections: {
			Source: {
				main: [
					Array.from({ length: options.rounds ?? 1 }, () => ({
						node: node.name,
						type: 'main',
						index: 0,
					})),
				],
			},
		},
		active: false,
		nodeTypes,
		settings: { timezone: 'America/New_York' },
	});
	const additionalData = hostOf(options);
	const resumed = options.retryOf === undefined ? undefined : retryData(options.retryOf, node.name);
	const engine = new WorkflowExecute(
		additionalData,
		options.mode ?? 'trigger',
		resumed ?? createRunExecutionData(),
	);
	const running = resumed
		? engine.processRunExecutionData(workflow)
		: engine.run({ workflow, startNode: workflow.getNode('Source')! });
	options.onStart?.(() => running.cancel());
	const run = await running;
	const task = run.data.resultData.runData[node.name]?.at(-1);
	const error = run.data.resultData.error;
	return {
		run,
		hints: (task?.hints ?? []).map(({ message }) => message),
		outputs: (task?.data?.main ?? []).map((items) => items ?? []),
		...(error ? { error: { message: error.message, description: error.description } } : {}),
	};
}

/** Loads a list or the fields of a mapper as the editor does, with n8n-core's own context. */
export async function loadInCore(
	method: 'getDocumentMetadata' | 'searchDocumentTypes' | 'searchProductRequests' | 'searchTokens',
	{
		parameters,
		filter,
		...options
	}: Pick<CoreOptions, 'apiKey' | 'baseUrl' | 'credential' | 'parameters'> & { filter?: string },
): Promise<INodeListSearchResult & ResourceMapperFields> {
	const type = new CardTreasury();
	const node: INode = {
		id: 'node-1',
		name: 'Temp-Node',
		type: 'cardTreasury',
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
		credentials: { cardTreasuryApi: { id: '1', name: 'test' } },
	};
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = { ...hostOf(options), currentNodeParameters: node.parameters };
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	const methods: Record<string, (this: unknown, filter?: string) => Promise<unknown>> = {
		...type.methods.listSearch,
		...type.methods.resourceMapping,
	} as never;
	return (await methods[method]!.call(context, filter)) as INodeListSearchResult &
		ResourceMapperFields;
}

/** What n8n's execution service does to the stored data before a manual retry. */
function retryData(failed: IRunExecutionData, failedNode: string): IRunExecutionData {
	const stored = JSON.parse(JSON.stringify(failed)) as IRunExecutionData;
	delete stored.resultData.error;
	stored.resultData.runData[failedNode]?.pop();
	return stored;
}

/** What n8n surrounds a node with, as far as this pack uses it. */
function hostOf(
	options: Pick<CoreOptions, 'apiKey' | 'baseUrl' | 'credential' | 'executionId'>,
): IWorkflowExecuteAdditionalData {
	const executionId = options.executionId ?? '1';
	const credential: IDataObject = {
		baseUrl: options.baseUrl,
		apiKey: options.apiKey ?? 'test-api-key-level-3',
		webhookKey: '',
		...options.credential,
	};
	return {
		executionId,
		instanceBaseUrl: 'http://127.0.0.1/',
		restApiUrl: '',
		formWaitingBaseUrl: 'http://127.0.0.1/form',
		webhookBaseUrl: '',
		webhookTestBaseUrl: '',
		webhookWaitingBaseUrl: 'http://127.0.0.1/waiting',
		currentNodeParameters: undefined,
		executionTimeoutTimestamp: undefined,
		variables: {},
		hooks: { runHook: async () => {}, addHandler: () => {} },
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => credential,
			getCredentialsProperties: () => new CardTreasuryApi().properties,
			preAuthentication: async () => undefined,
			authenticate: async (
				data: IDataObject,
				_type: string,
				request: { headers?: IDataObject },
			) => ({
				...request,
				headers: { ...request.headers, 'x-api-key': data.apiKey },
			}),
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}
