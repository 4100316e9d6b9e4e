import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { CardTreasury } from '../../../../nodes/CardTreasury/CardTreasury.node.ts';
import { Notes } from '../../../harness/notes.mts';

type Contexts = Record<'flow' | 'node', IDataObject>;

/** A run of the node as n8n starts it. */
export interface Run {
	resource: string;
	operation: string;
	/** Resolved parameters: one object for all items, or one for each item. */
	parameters?: IDataObject | IDataObject[];
	/** Binary data: one object for all items, or one for each item. */
	binary?: Record<string, IBinaryData> | Array<Record<string, IBinaryData>>;
	/** Default 1. */
	items?: number;
	mode?: WorkflowExecuteMode;
	node?: Partial<INode>;
	workflowName?: string;
	continueOnFail?: boolean;
	/** Answer to the request with this number, counted from 0. Throws for a failed attempt. */
	answer?: (count: number, options: IHttpRequestOptions) => unknown;
	/** Signal that the Stop button aborts. */
	signal?: AbortSignal;
	/** A node class of its own; default that of all runs. */
	nodeType?: CardTreasury;
	/** Null: there is no execution. */
	executionId?: string | null;
	/** Null: the workflow is not saved. */
	workflowId?: string | null;
	/** False in n8n's own Agents. */
	hasContext?: boolean;
	engineType?: 'v1' | 'v2';
	/** Null: n8n's Engine 2.0 gives none. */
	context?: { establishedAt: number } | null;
	credential?: IDataObject;
	/** Called before each call of n8n with its name. Throws to make the call fail. */
	onCall?: (name: string) => void;
}

const NODE_TYPE = new CardTreasury();

/** One execution of n8n's, whose runs share its contexts; n8n's engine and its network are stood in for. */
export class N8nExecution {
	readonly sent: IHttpRequestOptions[] = [];
	readonly customData: IDataObject = {};
	readonly hints: NodeExecutionHint[] = [];
	/** n8n keeps one for the execution, and one for each of its nodes. */
	private readonly flow: IDataObject = {};
	private readonly nodes: Record<string, IDataObject> = {};

	/** @param notes in n8n's database, shared with other executions */
	constructor(private readonly notes = new Notes()) {}

	async run(run: Run) {
		const type = run.nodeType ?? NODE_TYPE;
		const [items = []] = await type.execute.call(observed(this.context(run), run.onCall));
		return items;
	}

	private context(run: Run): IExecuteFunctions {
		const {
			resource,
			operation,
			parameters = {},
			items = Array.isArray(parameters) ? parameters.length : 1,
			mode = 'trigger',
			executionId = '7',
			context = { establishedAt: 1_000 },
		} = run;
		const of = (index: number): IDataObject => ({
			resource,
			operation,
			...(Array.isArray(parameters) ? parameters[index] : parameters),
		});
		const filesOf = (index: number) => (Array.isArray(run.binary) ? run.binary[index] : run.binary);
		const node = {
			name: 'Card Treasury',
			type: 'n8n-nodes-card-treasury.cardTreasury',
			typeVersion: 1,
			id: 'node-1',
			position: [0, 0],
			parameters: of(0),
			...run.node,
		} as INode;
		const contexts: Contexts = { flow: this.flow, node: (this.nodes[node.name] ??= {}) };
		return Object.assign(Object.create(null), {
			getNode: () => node,
			getWorkflow: () => ({
				id: run.workflowId === null ? undefined : 'workflow-1',
				name: run.workflowName ?? 'Payments',
			}),
			getInstanceId: () => 'instance-1',
			getExecutionId: () => executionId ?? undefined,
			getExecutionContext: () => context ?? undefined,
			getWorkflowSettings: () => ({ engineType: run.engineType }),
			getExecutionCancelSignal: () => run.signal,
			getContext: (name: keyof Contexts) => {
				if (run.hasContext === false) throw new Error('There is no execution data');
				return contexts[name];
			},
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			getMode: () => mode,
			getTimezone: () => 'America/New_York',
			continueOnFail: () => run.continueOnFail ?? false,
			getInputData: () =>
				Array.from({ length: items }, (_, index) => {
					const binary = filesOf(index);
					return { json: { item: index }, ...(binary && { binary }) };
				}),
			getNodeParameter: (name: string, index: number, fallback: unknown) =>
				of(index)[name] ?? fallback,
			getCredentials: async () => ({
				environment: 'sandbox',
				baseUrl: 'https://api.example.com',
				apiKey: 'k',
				...run.credential,
			}),
			addExecutionHints: (...hints: NodeExecutionHint[]) => this.hints.push(...hints),
			customData: { set: (name: string, value: string) => (this.customData[name] = value) },
			logger: { debug: () => undefined },
			helpers: {
				getBinaryDataBuffer: async (index: number, field: string) =>
					Buffer.from(filesOf(index)?.[field]?.data ?? '', 'base64'),
				prepareBinaryData: async (bytes: Buffer, fileName: string, mimeType: string) => ({
					data: bytes.toString('base64'),
					fileName,
					mimeType,
				}),
				checkProcessedAndRecord: async (keys: string[]) => this.notes.record(node.id, keys),
				removeProcessed: async (keys: string[]) => this.notes.remove(node.id, keys),
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) => {
					// The company has no tokens that a recipient could be.
					if (operation === 'transfer' && options.url.endsWith('/mpc/tokens/list'))
						return { statusCode: 200, headers: {}, body: Buffer.from('[]') };
					const count = this.sent.push(options) - 1;
					const body = run.answer?.(count, options) ?? {};
					return {
						statusCode: 200,
						headers: { 'X-Trace-Id': `trace-${count}` },
						body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
					};
				},
			},
		});
	}
}

/** Returns the context with each of its functions observed, those of its helpers included. */
function observed(context: IExecuteFunctions, onCall: Run['onCall']): IExecuteFunctions {
	if (onCall === undefined) return context;
	const observe = <Part extends object>(part: Part): Part =>
		Object.assign(
			Object.create(null),
			Object.fromEntries(
				Object.entries(part).map(([name, value]: [string, unknown]) => [
					name,
					typeof value === 'function'
						? (...given: unknown[]): unknown => {
								onCall(name);
								return value(...given);
							}
						: value,
				]),
			),
		);
	return {
		...observe(context),
		helpers: observe(context.helpers),
		customData: observe(context.customData),
	};
}
