import {
	DEFAULT_WEBHOOK_KEY,
	deliver,
	EVENT_NAMES,
	sampleEvent,
	type Attempt,
	type DeliverOptions,
	type EventEnvelope,
} from '../../simulator/index.mts';
import type { Reference } from './credentials.mts';
import { endedExecutions, outputsOf, type ExecutionRow } from './executions.mts';
import type { N8nAccess } from './n8n.mts';
import { noOp } from './nodes.mts';
import { publishWorkflow, type TriggerWorkflow } from './workflows.mts';

export const BY_WORKFLOW = { defaultDecision: 'ask' };

export const answered = (code: string) => ({
	status: 200,
	body: JSON.stringify({ response_code: code }),
});
export const OK = answered('OK');
/** Answer to what was asked if the workflow gave none. */
export const FALLBACK = answered('05');

/** Delivers once, with more time than the service gives: it counts what is answered, not when. */
export async function send(
	{ url }: Pick<TriggerWorkflow, 'url'>,
	event: unknown,
	options: Partial<DeliverOptions> = {},
): Promise<Attempt> {
	const { attempts } = await deliver(event, {
		...{ webhookKey: DEFAULT_WEBHOOK_KEY, attempts: 1, timeoutMs: 10_000 },
		...options,
		url,
	});
	return attempts[0]!;
}

/** Delivers as the service does, with a shorter deadline and shorter waits. */
export const persist = async ({ url }: Pick<TriggerWorkflow, 'url'>, event: unknown) =>
	await deliver(event, { url, webhookKey: DEFAULT_WEBHOOK_KEY, timeoutMs: 3_000, timeScale: 0.5 });

/** The same workflow at another base URL. */
export const at = (workflow: TriggerWorkflow, base: string): TriggerWorkflow => ({
	...workflow,
	url: workflow.url.replace(/^http:\/\/[^/]+/, base),
});

/** Sends all 17 events and two unknown ones, checks that each arrives on its own output only, and returns the executions. */
export async function expectOwnOutputs(
	n8n: N8nAccess,
	credential: Reference,
): Promise<ExecutionRow[]> {
	const events = [...EVENT_NAMES, 'other'].reverse();
	const workflow = await publishWorkflow(
		n8n,
		credential,
		{ events },
		events.map((name) => [noOp(name)]),
	);
	const sent: Array<{ output: string; event: EventEnvelope; issues?: unknown }> = [
		...EVENT_NAMES.map((name) => ({ output: name, event: sampleEvent(name) })),
		{ output: 'other', event: sampleEvent('cards.cleared', { event_type: 'expired' }) },
		// The document names four products (§6.2).
		{
			output: 'other',
			event: sampleEvent('cards.cleared', { product: 'cash' }),
			issues: [expect.stringMatching(/^product: /)],
		},
	];
	for (const { event } of sent) expect(await send(workflow, event)).toMatchObject({ status: 200 });
	const rows = await endedExecutions(n8n, workflow, sent.length);
	expect(rows).toHaveLength(sent.length);
	const ran = await Promise.all(
		rows.map(async ({ id }) => ({ id, outputs: (await outputsOf(n8n, id, 'Trigger'))! })),
	);
	for (const { output, event, issues } of sent) {
		// Not in the order of sending: the execution of an authorization is stored after the answer.
		const { id, outputs } = ran.find(
			({ outputs }) => outputs.flat()[0]?.operation_id === event.operation_id,
		)!;
		expect(outputs.map((items) => items.length)).toEqual(
			events.map((name) => Number(name === output)),
		);
		const [item] = outputs[events.indexOf(output)]!;
		expect(item).toMatchObject(event as object);
		expect(item!.delivery.schema_issues).toEqual(issues);
		expect(await outputsOf(n8n, id, output)).toHaveLength(1);
	}
	return rows;
}
