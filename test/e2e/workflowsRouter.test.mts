import { moveToMember } from '../harness/n8n/member.mts';
import {
	createCredential,
	createWorkflow,
	eventually,
	executions,
	keys,
	publish,
	type TriggerWorkflow,
} from '../harness/n8n/scenario.mts';
import { emptyTable, readTable } from '../harness/workflows/dataTables.mts';
import {
	alarm,
	breakNode,
	faultsOf,
	mendAndRetry,
	OPERATIONS,
} from '../harness/workflows/faults.mts';
import { importWorkflow } from '../harness/workflows/imported.mts';
import { harness, useWorkflows } from '../harness/workflows/useWorkflows.mts';
import { readWorkflow, withWorkflows } from '../harness/workflows/workflowFiles.mts';
import { onlyAlarms } from '../harness/workflows/workflowHarness.mts';
import { sampleEvent } from '../simulator/index.mts';

const FILE = 'event-router.json';
const UNTAKEN = 'Events that nobody takes';

useWorkflows();

let router: TriggerWorkflow;
let status: TriggerWorkflow;

beforeAll(async () => {
	status = await harness.open('kyc-status-changed.json');
	router = await harness.openRouter({ 'KYC status changed': status });
});

beforeEach(async () => await emptyTable(harness.scenario.n8n, UNTAKEN));

let sent = 0;
const event = (
	name: 'company_activity.client_status' | 'cards.cleared' | 'cards.refund' | 'cards.reversal',
) => sampleEvent(name, { operation_id: `router-${sent++}` });

const told = () => harness.told('#kyc');
const untaken = () =>
	harness.smtp.mails.filter(({ subject }) => subject.includes('taken by no workflow'));

describe('Event router', () => {
	it('passes an event that is delivered twice on once', async () => {
		const changed = event('company_activity.client_status');
		for (const copy of [changed, changed]) await harness.send(router, copy);
		await eventually(async () => told().length > 0);
		await harness.ended(status, 1);
		expect(told()).toHaveLength(1);
	});

	it('reports by email the first event of each type without a workflow', async () => {
		for (const name of ['cards.cleared', 'cards.cleared', 'cards.refund'] as const) {
			await harness.send(router, event(name));
			await harness.ended(router, 1);
		}
		expect(untaken().map(({ to, subject }) => [to, subject])).toEqual([
			[OPERATIONS, 'Events of the type cleared are taken by no workflow'],
			[OPERATIONS, 'Events of the type refund are taken by no workflow'],
		]);
		const rows = await readTable(harness.scenario.n8n, UNTAKEN);
		expect(rows.map(({ type }) => type)).toEqual(['cards.cleared', 'cards.refund']);
	});

	it('reports each new type once when many events of two types arrive together', async () => {
		const names = ['cards.refund', 'cards.reversal'] as const;
		const burst = Array.from({ length: 10 }, () => names.map((name) => event(name))).flat();
		await Promise.all(burst.map(async (one) => await harness.send(router, one)));
		await harness.ended(router, burst.length);
		expect(
			untaken()
				.map(({ subject }) => subject)
				.sort(),
		).toEqual([
			'Events of the type refund are taken by no workflow',
			'Events of the type reversal are taken by no workflow',
		]);
	});

	it('has the webhook URL of its file after it is imported and saved', async () => {
		const { n8n } = harness.scenario;
		const file = readWorkflow(FILE);
		const trigger = file.nodes.find(({ name }) => name === 'Company webhook')!;
		const imported = await importWorkflow(n8n, withWorkflows(file, {}));
		expect(imported.url).toBe(`${n8n.url}/webhook/${trigger.webhookId}/webhook`);
	});

	it('reports an event that could not be passed on; a retry passes it on', async () => {
		const { n8n } = harness.scenario;
		await n8n.rest('POST', `/rest/workflows/${status.id}/deactivate`, {});
		await harness.send(router, event('company_activity.client_status'));
		const mail = await alarm(harness, FILE, 'KYC status changed');
		const failed = (await executions(n8n, router)).findLast(({ status: end }) => end === 'error')!;
		expect(mail.text).toContain(`/executions/${failed.id}`);
		await publish(n8n, status);
		await mendAndRetry(harness, router);
		await eventually(async () => told().length > 0);
		expect(told()).toHaveLength(1);
	});

	it('reports, as the error workflow of another workflow, an event lost because the credential is not shared', async () => {
		const { n8n } = harness.scenario;
		const credential = await createCredential(n8n, keys());
		const workflow = await createWorkflow(n8n, credential, { events: ['cards.cleared'] });
		// The workflow moves before its first run, because n8n caches the owner.
		await moveToMember(n8n, workflow.id);
		const errors = await harness.open(FILE, onlyAlarms);
		const { versionId } = await n8n.rest('PATCH', `/rest/workflows/${workflow.id}`, {
			settings: { errorWorkflow: errors.id },
		});
		await publish(n8n, { id: workflow.id, versionId: String(versionId) });
		await harness.send(workflow, sampleEvent('cards.cleared'));
		const mail = await eventually(async () => harness.smtp.mails[0]);
		expect(mail.text).toContain('does not have access to the credential');
		expect(mail.text).toContain('n8n has erased the event: share the credential');
	});

	it.each(faultsOf(FILE))(
		'$name fails $fault ($kind): the event is reported once',
		async ({ name, fault, node, kind }) => {
			// Operations get both mails.
			const isMail = name === 'Email: nobody takes it';
			let left = fault === 'once' ? 1 : Infinity;
			if (isMail) harness.smtp.refuse = () => left-- > 0;
			else breakNode(harness, node, fault);
			await harness.send(router, event('cards.cleared'));
			if (kind === 'stops') {
				if (isMail)
					await eventually(async () => {
						const last = (await executions(harness.scenario.n8n, router)).at(-1);
						return last?.mode === 'error' && last.status === 'error';
					});
				else await alarm(harness, FILE, name);
				await mendAndRetry(harness, router);
			}
			await eventually(async () => untaken().length > 0);
			await harness.ended(router, 1);
			expect(untaken()).toHaveLength(1);
			expect(await readTable(harness.scenario.n8n, UNTAKEN)).toHaveLength(1);
		},
	);
});
