import type { IExecuteFunctions } from 'n8n-workflow';

import { executionOf } from '../../../../nodes/CardTreasury/n8n/execution.ts';

/** What n8n gives a node of its execution, and keeps in `flow` for all of them. */
function n8n(flow: object = {}, changes: object = {}): IExecuteFunctions {
	return {
		getExecutionContext: () => ({ establishedAt: 1_000 }),
		getExecutionId: () => '7',
		getNode: () => ({ name: 'Pay', type: 'n8n-nodes-card-treasury.cardTreasury' }),
		getWorkflow: () => ({ id: 'workflow-1' }),
		getInstanceId: () => 'instance-1',
		getContext: () => flow,
		getWorkflowDataProxy: () => ({ $runIndex: 2 }),
		getMode: () => 'trigger',
		continueOnFail: () => false,
		...changes,
	} as never;
}

const IDENTITY = {
	instanceId: 'instance-1',
	workflowId: 'workflow-1',
	node: 'Pay',
	root: '7@1000',
	round: 2,
};

it('an execution is told by its instance, workflow, node, first try and round', () => {
	const { identity, note } = executionOf(n8n());
	expect(identity).toEqual(IDENTITY);
	expect(note).toEqual({ begun: {}, origins: ['1000'], start: 1_000, root: '7@1000' });
});

it('of a sub-workflow is found by its caller alone where a crash has lost when it began', () => {
	const context = { establishedAt: 1_000, parentExecutionId: '3' };
	const noteOf = (source: string) =>
		executionOf(n8n({}, { getExecutionContext: () => ({ ...context, source }) })).note;
	const known = { origins: ['1000', 'sub 3'], start: 1_000 };
	expect(noteOf('integrated')).toEqual({ begun: {}, root: '7@1000', ...known });
	expect(noteOf('retry')).toEqual({ begun: {}, root: '7@1000', origins: ['sub 3'] });
});

it('of an n8n that keeps no moment has none', () => {
	const { note } = executionOf(n8n({}, { getExecutionContext: undefined }));
	expect(note).toEqual({ begun: {}, origins: ['0'], start: undefined, root: '7@' });
});

it('its retry goes on under the identity of the first try, as n8n kept it', () => {
	const flow = {};
	executionOf(n8n(flow));
	const retry = executionOf(n8n(flow, { getExecutionId: () => '8', getMode: () => 'retry' }));
	expect(retry).toMatchObject({ identity: IDENTITY, isRetry: true });
	const other = executionOf(n8n({}, { getExecutionId: () => '8' }));
	expect(other).toMatchObject({ identity: { ...IDENTITY, root: '8@1000' }, isRetry: false });
});

it('what was sent is known to the same node of the execution, and to no other execution', () => {
	const flow = {};
	const { journal } = executionOf(n8n(flow));
	const place = journal.itemPlace(0);
	journal.record(place, {
		fingerprint: 'f',
		outcome: 'accepted',
		target: 't',
		sentAt: 1,
		key: 'k',
		subject: {},
		amount: undefined,
	});
	expect(executionOf(n8n(flow)).journal.find(place)).toMatchObject({ outcome: 'accepted' });
	expect(executionOf(n8n()).journal.find(place)).toBeUndefined();
});

it('what has begun is kept with the execution', () => {
	const flow = {};
	const { begun } = executionOf(n8n(flow)).note;
	expect(executionOf(n8n(flow)).note.begun).toBe(begun);
});

it('without an execution there is no first try, nothing is kept, and nothing of it is asked for', () => {
	const refuse = () => {
		throw new Error('There is no execution');
	};
	const without = (changes: object = {}) =>
		executionOf(
			n8n(undefined, {
				getExecutionId: () => undefined,
				getContext: refuse,
				getWorkflowDataProxy: refuse,
				...changes,
			}),
		);
	const { root: _, ...identity } = IDENTITY;
	expect(without()).toMatchObject({ recovery: 'copied key', note: { start: 1_000 } });
	expect(without().identity).toEqual({ ...identity, round: 0 });
	expect(Object.keys(without().identity)).not.toContain('root');
	expect(without({ getExecutionContext: () => undefined }).note.start).toBeUndefined();
	expect(without({ getExecutionContext: undefined }).note.start).toBeUndefined();
	expect(without({ getWorkflow: () => ({}) }).identity.workflowId).toBe('');
});

it('an n8n that does not tell the start of an execution has its ID alone', () => {
	const { identity } = executionOf(n8n({}, { getExecutionContext: () => undefined }));
	expect(identity.root).toBe('7@');
});

it.each([
	[{}, 'retry'],
	[{ continueOnFail: () => true }, 'copied key'],
	[{ getMode: () => 'integrated' }, 'copied key'],
	[{ isToolExecution: () => true }, 'tool call'],
	[{ getNode: () => ({ name: 'Pay', type: 'a.cardTreasuryTool' }) }, 'tool call'],
])('with %j a derived key is sent again by: %s', (changes, recovery) => {
	expect(executionOf(n8n({}, changes)).recovery).toBe(recovery);
});
