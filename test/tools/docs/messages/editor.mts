import type { IDataObject, IExecuteFunctions, IHookFunctions } from 'n8n-workflow';

import { activate } from '../../../../nodes/CardTreasuryTrigger/n8n/activate.ts';
import { emit } from '../../../../nodes/CardTreasuryTrigger/n8n/emit.ts';
import { sampleEvent } from '../../../simulator/index.mts';
import { inTurn, textOnly, thrownBy, type Message } from './message.mts';

const EVENT = 'cards.authorization';
const reading = (parameters: IDataObject) => (name: string, fallback: unknown) =>
	parameters[name] ?? fallback;

const NODE = { id: 'node-1', name: 'Card Treasury Trigger', type: 'x', parameters: {} };

/** What the trigger's own checks say: its key, its settings in n8n, and what a test run begins with. */
export async function hookMessages(): Promise<Message[]> {
	const inEditor = { mode: 'manual' };
	const hooks: Hook[] = [
		{ credential: {} },
		{ node: { retryOnFail: true } },
		{ node: { alwaysOutputData: true } },
		{ node: { onError: 'continueRegularOutput' } },
		{ ...inEditor, parameters: { testEvent: 'cards.cleared' } },
		{ ...inEditor, parameters: { options: { sampleChanges: '[]' } } },
		{ ...inEditor, testUrl: 'http://n8n.example.com/webhook-test/1/webhook' },
	];
	return await inTurn(
		hooks,
		async (hook) => await thrownBy(async () => await activate(hookOf(hook))),
	);
}

interface Hook {
	credential?: IDataObject;
	node?: object;
	mode?: string;
	parameters?: IDataObject;
	testUrl?: string;
}

const hookOf = ({
	credential = { webhookKey: 'key-1' },
	node = {},
	mode = 'trigger',
	parameters = {},
	testUrl = 'https://n8n.example.com/webhook-test/1/webhook',
}: Hook): IHookFunctions =>
	Object.assign(Object.create(null), {
		getCredentials: async () => credential,
		getNode: () => ({ ...NODE, ...node }),
		getMode: () => mode,
		getWorkflowSettings: () => ({}),
		getNodeWebhookUrl: () => testUrl,
		getNodeParameter: reading({ events: [EVENT], ...parameters }),
	});

const SMALL = { name: 'Small purchases', decision: 'approve', conditions: { amountTo: '100' } };
const GAMBLING = { name: 'No gambling', decision: 'decline' };

/** Rules that a person tries with a sample: what decides it, and what is told of the others. */
const TRIED_RULES: IDataObject[][] = [
	[],
	[SMALL, { ...GAMBLING, conditions: { mccCodes: '7995' } }],
	[SMALL, { ...GAMBLING, conditions: { currencies: 'EUR' } }],
	[{ ...SMALL, conditions: {} }],
	[{ ...GAMBLING, conditions: { channels: 'POS' } }],
];

/** A sample with a change in the right place, and one in the wrong. */
function triedPurchase(): IDataObject {
	const { data, ...envelope } = sampleEvent(EVENT);
	const { channel: _missing, ...purchase } = data;
	const gambling = { ...(purchase.merchant_data as object), mcc_code: '7995' };
	return {
		...envelope,
		operation_id: 'sample-1',
		data: { ...purchase, bill_amount: '20.00', merchant_data: gambling, mcc_code: '7995' },
		decision: {},
	} as IDataObject;
}

/** What a test run or an execution of the trigger says in the editor. */
export async function executionMessages(): Promise<Message[]> {
	const hints: Message[] = [];
	const n8n = (mode: string, parameters: IDataObject, event: IDataObject): IExecuteFunctions =>
		Object.assign(Object.create(null), {
			getMode: () => mode,
			getNode: () => NODE,
			getWorkflow: () => ({ id: 'workflow-1' }),
			getNodeParameter: (name: string, _item: number, fallback: unknown) =>
				reading(parameters)(name, fallback),
			getInputData: () => [{ json: { ...event, delivery: { key: 'key-1' } } }],
			getContext: () => ({}),
			sendResponse: async () => undefined,
			customData: { set: () => undefined },
			getChildNodes: () => [],
			addExecutionHints: ({ message }: { message: string }) => hints.push(textOnly(message)),
		});
	const byWorkflow = { events: [EVENT], authorizationDecision: 'workflow' };
	const cleared: IDataObject = { ...sampleEvent('cards.cleared') };
	await emit(n8n('manual', byWorkflow, cleared), async () => 'unknown');
	for (const rule of TRIED_RULES) {
		const parameters = { events: [EVENT], rules: { rule } };
		await emit(n8n('manual', parameters, triedPurchase()), async () => 'unknown');
	}
	return [
		...hints,
		...(await thrownBy(
			async () => await emit(n8n('webhook', byWorkflow, cleared), async () => 'unknown'),
		)),
	];
}
