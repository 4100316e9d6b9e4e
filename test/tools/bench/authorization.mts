import type { ChainNode } from '../../harness/n8n/chain.mts';
import { DEFAULT_WEBHOOK_KEY, sampleEvent } from '../../simulator/index.mts';
import { respond } from '../../harness/n8n/scenario.mts';
import type { Benchmark, RunOptions } from './benchmark.mts';
import { climbChart } from './chart.mts';
import {
	bareTrigger,
	cardTreasuryTrigger,
	noOp,
	publishFlow,
	webhook,
	type Flow,
} from './flow.mts';
import { ENGINE_LABELS, ENGINES, withInstance, type Instance } from './instance.mts';
import {
	LADDER_TEXT,
	climb,
	climbTable,
	highestInTime,
	milliseconds,
	type Climb,
	type Climber,
} from './ladder.mts';

const RATES = [20, 40, 80, 100, 150, 200];

/** Card authorizations at rising rates: this trigger's two modes next to n8n's own nodes. */
export const authorization: Benchmark<Climb[]> = {
	name: 'authorization',
	title: 'Authorizations: how many can be answered in time',
	parts: ENGINES,
	async measure(engine, options) {
		return await withInstance(engine, async (instance) => await climbAll(instance, options));
	},
	present(measured) {
		const engines = ENGINES.flatMap((engine) =>
			measured[engine] ? [{ label: ENGINE_LABELS[engine]!, climbs: measured[engine] }] : [],
		);
		return {
			inShort: engines.map(({ label, climbs }) => inShort(label, climbs)).join(' '),
			text: [
				`A card authorization has to be answered in full within 1,200 ms, or the default of the card decides (§6.4). There are three ways to answer it: the trigger by its rules, with or without running the workflow; the workflow by *Respond*; and n8n's own nodes, a Webhook with header authentication, a Code node that decides, and Respond to Webhook. A bare trigger, which verifies and decides nothing, shows what n8n itself costs. The aim with a run for each is 100 per second; two processors on which a run costs n8n about 30 ms each miss it. ${LADDER_TEXT}`,
			],
			tables: [
				{
					caption:
						'Highest measured rate up to which at least 99 % were answered within 1,200 ms, and decided (not fallen back)',
					headings: ['Receiver', ...engines.map(({ label }) => label)],
					rows: CONTENDERS.map(({ label }) => [
						label,
						...engines.map(({ climbs }) =>
							rateText(climbs.find(({ contender }) => contender === label)),
						),
					]),
				},
				...engines.map(({ label, climbs }) => climbTable(`Authorizations, ${label}`, climbs)),
			],
			charts: engines.map(({ label, climbs }, index) => ({
				name: `benchmark-authorization-${ENGINES[index]}`,
				alternative: `p99 of the answer to an authorization over the rate, ${label}`,
				svg: climbChart(`p99 of the answer to an authorization (${label})`, climbs),
			})),
		};
	},
};

interface Contender {
	label: string;
	publish(instance: Instance): Promise<Flow>;
}

const RULES = {
	rule: [
		{ name: 'No cash', decision: 'decline', conditions: { mccCodes: '6010-6012' } },
		{
			name: 'Small',
			decision: 'approve',
			conditions: { amountTo: '1000', currencies: 'USD' },
		},
	],
};

/** The same decision in the Code node that a user would write. */
const CODE = `const { data } = $input.first().json.body;
const mcc = Number(data.merchant_data.mcc_code);
const cash = mcc >= 6010 && mcc <= 6012;
const small = Number(data.bill_amount) <= 1000 && data.bill_currency_code === 'USD';
return [{ json: { response_code: !cash && small ? '00' : '05' } }];`;

const EVENTS = ['cards.authorization'];

const byRules = (label: string, runWorkflowFor: 'none' | 'all'): Contender => ({
	label,
	publish: async ({ n8n, credential }) =>
		await publishFlow(
			n8n,
			cardTreasuryTrigger(credential, {
				events: EVENTS,
				rules: RULES,
				options: { runWorkflowFor },
			}),
			[[noOp]],
		),
});

const CONTENDERS: Contender[] = [
	{
		label: 'Bare trigger, decides nothing, no run',
		publish: async ({ n8n }) => await publishFlow(n8n, bareTrigger('answer'), [[noOp]]),
	},
	byRules('Rules, no run', 'none'),
	byRules('Rules, a run for each', 'all'),
	{
		label: 'Workflow with Respond',
		publish: async ({ n8n, credential }) =>
			await publishFlow(
				n8n,
				// The fallback is another code, so that an answer at the deadline does not pass for one of the workflow.
				cardTreasuryTrigger(credential, {
					events: EVENTS,
					authorizationDecision: 'workflow',
					deadlineMs: 1_150,
					fallbackDecision: 'other',
					fallbackResponseCode: '91',
				}),
				[[respond(credential) as ChainNode]],
			),
	},
	{
		label: 'n8n: Webhook → Code → Respond to Webhook',
		publish: async ({ n8n, headerKey }) =>
			await publishFlow(n8n, webhook(headerKey, 'responseNode'), [
				[
					{
						name: 'Decide',
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						parameters: { jsCode: CODE },
					},
					{
						name: 'Answer',
						type: 'n8n-nodes-base.respondToWebhook',
						typeVersion: 1.5,
						parameters: { respondWith: 'firstIncomingItem', options: {} },
					},
				],
			]),
	},
];

async function climbAll(instance: Instance, options: RunOptions): Promise<Climb[]> {
	const climbers: Climber[] = [];
	for (const { label, publish } of CONTENDERS) {
		const { url } = await publish(instance);
		const load = {
			url,
			webhookKey: DEFAULT_WEBHOOK_KEY,
			event: () => sampleEvent('cards.authorization'),
			pid: instance.n8n.pid,
			expected: '{"response_code":"00"}',
		};
		climbers.push({ contender: label, load });
	}
	return await climb(climbers, options.rates ?? RATES, options);
}

/** How many each way answers in time, and what one answer costs. */
function inShort(label: string, climbs: Climb[]): string {
	const [bare, rules, rulesAndRun, workflow, nodes] = CONTENDERS.map(({ label: name }) =>
		climbs.find(({ contender }) => contender === name),
	);
	const cpu = (found: Climb | undefined) => milliseconds(found?.figures[0]?.cpuMsPerEvent ?? null);
	return `With ${label}, n8n answers in time: by rules ${rateText(rules)}; by rules with a run for each ${rateText(rulesAndRun)}; by the workflow ${rateText(workflow)}; with n8n's own nodes ${rateText(nodes)}. At ${rules?.figures[0]?.ratePerSecond} per second, one answer by rules takes ${cpu(rules)} ms of processor time, and ${cpu(rulesAndRun)} ms with the run; a bare trigger takes ${cpu(bare)} ms, n8n's own nodes ${cpu(nodes)} ms.`;
}

function rateText(found: Climb | undefined): string {
	const rate = found && highestInTime(found);
	return rate === undefined ? `fewer than ${found?.figures[0]?.ratePerSecond}/s` : `${rate}/s`;
}
