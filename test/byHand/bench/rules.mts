import { join } from 'node:path';
import type { INodeType, IWebhookFunctions } from 'n8n-workflow';

import { DEFAULT_WEBHOOK_KEY, sampleEvent } from '../../simulator/index.mts';
import type { Table } from '../measured.mts';
import { compiledNodes, earlierNodes, ROOT } from './earlierNodes.mts';

/** Last commit before a condition was a row of a table. */
const BEFORE = '2381a08a';

const ROUNDS = 15;
const DELIVERIES = 1_000;

/** Saved parameters of both triggers. */
const PARAMETERS: Record<string, unknown> = {
	events: ['cards.authorization'],
	rules: {
		rule: [
			{ name: 'No cash', decision: 'decline', conditions: { mccCodes: '6010-6012' } },
			{ name: 'No gambling', decision: 'decline', conditions: { merchantNames: 'casino, bet' } },
			{ name: 'At home', decision: 'decline', conditions: { merchantCountries: 'RUS, IRN' } },
			{ name: 'Card', decision: 'decline', conditions: { cardIds: 'card-1, card-2' } },
			{ name: 'Small', decision: 'approve', conditions: { amountTo: '1000', currencies: 'USD' } },
		],
	},
	options: { runWorkflowFor: 'none' },
};

/**
 * Measures the processor time that the trigger needs for an authorization that rules decide, before and now, in turns.
 * The time that n8n itself needs is left out.
 */
export async function rules(): Promise<Table[]> {
	const codes = { before: await triggerIn(earlierNodes(BEFORE)), now: await triggerIn(ROOT) };
	const turns = { before: [] as number[], now: [] as number[] };
	for (let round = -2; round < ROUNDS; round++)
		for (const name of round % 2 === 0
			? (['before', 'now'] as const)
			: (['now', 'before'] as const)) {
			const time = await processorTime(codes[name]);
			// The first rounds warm up the compiler.
			if (round >= 0) turns[name].push(time);
		}
	const rows = Object.entries(turns).map(([Code, times]) => {
		const sorted = times.toSorted((left, right) => left - right);
		const [lowest, median, highest] = [0, (ROUNDS - 1) / 2, ROUNDS - 1].map((at) =>
			sorted[at]!.toFixed(3),
		);
		return { Code, Median: `${median} ms`, Lowest: `${lowest} ms`, Highest: `${highest} ms` };
	});
	return [{ caption: `Processor time of an authorization, ${ROUNDS} rounds`, rows }];
}

async function triggerIn(folder: string): Promise<INodeType> {
	const file = join(compiledNodes(folder), 'nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.js');
	const { CardTreasuryTrigger } = (await import(file)) as {
		CardTreasuryTrigger: new () => INodeType;
	};
	return new CardTreasuryTrigger();
}

/** Milliseconds of processor time per authorization. */
async function processorTime(trigger: INodeType): Promise<number> {
	const before = process.cpuUsage();
	for (let count = 0; count < DELIVERIES; count++) await decide(trigger);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000 / DELIVERIES;
}

const EVENT = sampleEvent('cards.authorization');

async function decide(trigger: INodeType): Promise<void> {
	let body = '';
	const response = {
		statusCode: 0,
		setHeader: () => undefined,
		end: (text: string) => (body = text),
	};
	const headers = {
		'x-webhook-key': DEFAULT_WEBHOOK_KEY,
		'x-request-timestamp': String(Date.now()),
		'x-trace-id': 'trace',
	};
	const n8n = {
		getResponseObject: () => response,
		getRequestObject: () => ({ ip: '127.0.0.1' }),
		getNode: () => ({ id: 'node', name: 'Card Treasury Trigger', parameters: PARAMETERS }),
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowSettings: () => ({}),
		getExecutionId: () => undefined,
		getMode: () => 'webhook',
		getNodeParameter: (name: string, fallback: unknown) => PARAMETERS[name] ?? fallback,
		getHeaderData: () => headers,
		getBodyData: () => structuredClone(EVENT),
		getCredentials: async () => ({ webhookKey: DEFAULT_WEBHOOK_KEY }),
		logger: console,
	} as unknown as IWebhookFunctions;
	await trigger.webhook!.call(n8n);
	if (body !== '{"response_code":"00"}') throw new Error(`Decided otherwise: ${body}`);
}
