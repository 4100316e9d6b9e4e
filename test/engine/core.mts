import lodash from 'lodash';
import { LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import { DataDeduplicationService } from 'n8n-core/dist/data-deduplication-service.js';
import {
	createRunExecutionData,
	Workflow,
	type IDataDeduplicator,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
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
import { Notes } from '../harness/notes.mts';

/** One instance for all runs of the process, as in n8n. */
const NODE_TYPE = new CardTreasury();

/** Notes in n8n's database. */
export let notes = new Notes();
export const emptyDatabase = () => void (notes = new Notes());

/** Stand-in for n8n's service, which needs n8n's database. Registered with the engine as n8n does. */
const deduplicator: IDataDeduplicator = {
	checkProcessedAndRecord: async (items, _scope, { node }, { maxEntries }) => {
		await readRow(node!.id);
		return notes.record(node!.id, items.map(String), maxEntries);
	},
	removeProcessed: async (items, _scope, { node }) => {
		await readRow(node!.id);
		notes.remove(node!.id, items.map(String));
	},
	clearAllProcessedItems: async () => {},
	getProcessedDataCount: async () => 0,
};
/** n8n reads the row and writes it back later, so the changes of a call in between are lost. */
async function readRow(row: string) {
	const read = notes.of(row);
	await new Promise((resolve) => setImmediate(resolve));
	notes.restore(row, read);
}
void DataDeduplicationService.init(deduplicator);

/** The same object with other members. */
export const overriding = <Of extends object>(of: Of, members: object): Of =>
	Object.create(of, Object.getOwnPropertyDescriptors(members)) as Of;

/** Returns the items of a run, instead of the nodes before. */
const source = (items: INodeExecutionData[]) => ({
	description: { inputs: [], outputs: ['main'], properties: [] },
	execute: async () => await Promise.resolve([items]),
});

export interface CoreRun {
	run: IRun;
	/** Items of the node, per output. */
	outputs: INodeExecutionData[][];
	error?: { message: string; description?: string | null };
	/** Texts that the editor shows next to the items. */
	hints: string[];
}

interface Host {
	baseUrl: string;
	apiKey?: string;
	credential?: IDataObject;
	/** Null where n8n has none, as behind the MCP Server Trigger. */
	executionId?: string | null;
	/** True if `WEBHOOK_URL` of n8n has no scheme, and the node directly follows a webhook or schedule. */
	noScheme?: true;
	/** Receives the replies of `sendResponse`. */
	onResponse?: (response: unknown) => void;
}

export interface CoreOptions extends Host {
	parameters: IDataObject;
	items?: INodeExecutionData[];
	node?: Partial<INode>;
	/** Failed run that n8n's manual retry continues. */
	retryOf?: CoreRun;
	/** Crashed run to start again. n8n has kept only its start. */
	crashed?: CoreRun;
	/** Number of runs of the node, as in a loop. Default one. */
	rounds?: number;
	/** Default `trigger`, or `retry` with `retryOf` or `crashed`. A sub-workflow runs in `integrated`. */
	mode?: WorkflowExecuteMode;
	/** Data that an earlier node has left in the execution. */
	flow?: IDataObject;
	/** Changes the context that n8n passes to the node. */
	wrap?: (n8n: IExecuteFunctions) => IExecuteFunctions;
	/** Receives the function of the Stop button. */
	onStart?: (stop: () => void) => void;
}

let executions = 0;

/** Runs the action node in the real n8n-core, with its engine, contexts and request helpers. */
export async function runInCore(options: CoreOptions): Promise<CoreRun> {
	const { wrap = (n8n) => n8n } = options;
	const before = source(options.items ?? [{ json: {} }]);
	const wrapped = overriding(NODE_TYPE, {
		async execute(this: IExecuteFunctions) {
			return await NODE_TYPE.execute.call(wrap(this));
		},
	});
	const node = nodeOf(options.parameters, { name: 'Card Treasury', ...options.node });
	const next = { node: node.name, type: 'main' as const, index: 0 };
	const workflow = new Workflow({
		id: 'workflow-1',
		nodes: [{ ...nodeOf({}), id: 'source', name: 'Source', type: 'source' }, node],
		connections: { Source: { main: [Array(options.rounds ?? 1).fill(next)] } },
		active: false,
		nodeTypes: typesOf((type) => (type === 'source' ? before : wrapped) as INodeType),
		settings: { timezone: 'America/New_York' },
	});
	const { retryOf, crashed, mode = (retryOf ?? crashed) ? 'retry' : 'trigger' } = options;
	const data = retryOf
		? retryData(retryOf.run.data, workflow, node.name)
		: newRunData(workflow.getNode('Source')!, mode, options);
	// A retry has an ID of its own.
	const executionId = String(++executions);
	const engine = new WorkflowExecute(hostOf({ executionId, ...options }), mode, data);
	const running = engine.processRunExecutionData(workflow);
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

/** Loads a list or a mapper's fields as the editor does, with n8n-core's own context. */
export async function loadInCore(
	method: string,
	{ parameters, filter, ...options }: Host & { parameters: IDataObject; filter?: string },
): Promise<INodeListSearchResult & ResourceMapperFields> {
	const node = nodeOf(parameters);
	const nodeTypes = typesOf(() => NODE_TYPE);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additionalData = { ...hostOf(options), currentNodeParameters: node.parameters };
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	const list = NODE_TYPE.methods?.listSearch?.[method];
	const mapper = NODE_TYPE.methods?.resourceMapping?.[method];
	const loaded = list ? await list.call(context, filter) : await mapper?.call(context);
	return { results: [], fields: [], ...loaded };
}

const nodeOf = (parameters: IDataObject, more: Partial<INode> = {}): INode => ({
	id: 'node-1',
	name: 'Temp-Node',
	type: 'cardTreasury',
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
	credentials: { cardTreasuryApi: { id: '1', name: 'test' } },
	...more,
});

const typesOf = (typeOf: (type: string) => INodeType): INodeTypes => ({
	getByName: typeOf,
	getByNameAndVersion: typeOf,
	getKnownTypes: () => ({}),
});

/** Data that n8n stores before an execution starts. */
function newRunData(
	startNode: INode,
	mode: WorkflowExecuteMode,
	{ crashed, flow = {} }: CoreOptions,
): IRunExecutionData {
	const { establishedAt = Date.now() } = crashed?.run.data.executionData?.runtimeData ?? {};
	return createRunExecutionData({
		executionData: {
			contextData: { flow },
			nodeExecutionStack: [{ node: startNode, data: { main: [[{ json: {} }]] }, source: null }],
			runtimeData: { version: 1, establishedAt, source: mode },
		},
	});
}

/** Changes that n8n's execution service makes to the stored data before a retry with the saved workflow. */
function retryData(
	failed: IRunExecutionData,
	workflow: Workflow,
	failedNode: string,
): IRunExecutionData {
	const stored = JSON.parse(JSON.stringify(failed)) as IRunExecutionData;
	for (const next of stored.executionData?.nodeExecutionStack ?? [])
		next.node = workflow.getNode(next.node.name)!;
	delete stored.resultData.error;
	stored.resultData.runData[failedNode]?.pop();
	return stored;
}

/** Parts of n8n that this package uses around a node. */
function hostOf(options: Host): IWorkflowExecuteAdditionalData {
	// Read again each time, as n8n does.
	const credential = (): IDataObject => ({
		baseUrl: options.baseUrl,
		apiKey: options.apiKey ?? 'test-api-key-level-3',
		webhookKey: '',
		...options.credential,
	});
	return {
		...(options.executionId && { executionId: options.executionId }),
		instanceBaseUrl: 'http://127.0.0.1/',
		formWaitingBaseUrl: 'http://127.0.0.1/form',
		webhookWaitingBaseUrl: `${options.noScheme ? '' : 'http://'}127.0.0.1/waiting`,
		variables: {},
		hooks: {
			runHook: async (name: string, [response]: unknown[]) => {
				if (name === 'sendResponse') options.onResponse?.(response);
			},
			addHandler: () => {},
		},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => credential(),
			getCredentialsProperties: () => new CardTreasuryApi().properties,
			preAuthentication: async () => undefined,
			// The credential's own block, resolved by n8n's expressions.
			authenticate: async (
				$credentials: IDataObject,
				_type: string,
				request: IHttpRequestOptions,
				workflow: Workflow,
				node: INode,
			) => {
				const { headers = {} } = new CardTreasuryApi().authenticate.properties;
				const resolved = lodash.mapValues(headers, (value) =>
					workflow.expression.getSimpleParameterValue(node, String(value), 'internal', {
						$credentials,
					}),
				);
				return { ...request, headers: { ...request.headers, ...resolved } };
			},
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}
