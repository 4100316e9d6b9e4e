import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { CardTreasuryTrigger } from '../../../../nodes/CardTreasuryTrigger/CardTreasuryTrigger.node.ts';
import { sampleEvent } from '../../../simulator/index.mts';
import { useFakeTimers, useRealTimers } from '../../shared/fakeTimers.mts';

interface Stored {
	parameters: INodeParameters;
	/** As `webhook()` handed them over. */
	items: IDataObject[];
	mode?: string;
	/** Nodes behind the trigger. */
	behind?: Array<{ type?: string; disabled?: boolean; parameters?: INodeParameters }>;
	/** Recorded keys that n8n's database already had. */
	known?: string[];
	/** It does not answer. */
	hangs?: boolean;
}

/** The trigger as the first node of an execution that n8n has stored. */
async function emit({ parameters, items, mode = 'webhook', ...more }: Stored) {
	const { behind = [], known = [], hangs = false } = more;
	const hints: Array<{ message: string; type?: string; location?: string }> = [];
	const answers: object[] = [];
	const recorded: string[][] = [];
	const flow: IDataObject = {};
	const asked: unknown[] = [];
	const n8n = {
		getNode: () => ({ id: 'node-1', name: 'Card Treasury Trigger', parameters }),
		getWorkflow: () => ({ id: 'workflow-1' }),
		getMode: () => mode,
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			parameters[name] ?? fallback,
		getInputData: () => items.map((json) => ({ json })),
		getContext: () => flow,
		customData: { set: () => undefined },
		getChildNodes: (...given: unknown[]) => {
			asked.push(given);
			return behind.map((node, n) => ({ name: `Node ${n}`, type: 'x', ...node }));
		},
		getParentNodes: () => behind.map((_, n) => ({ name: `Node ${n}` })),
		addExecutionHints: (...given: typeof hints) => hints.push(...given),
		sendResponse: async (answer: object) => answers.push(answer),
		helpers: {
			checkProcessedAndRecord: async (keys: string[]) => {
				recorded.push(keys);
				if (hangs) await new Promise(() => undefined);
				return { new: keys.filter((key) => !known.includes(key)), processed: [] };
			},
		},
	} as unknown as IExecuteFunctions;
	const outputs = await new CardTreasuryTrigger().execute.call(n8n);
	return { outputs: outputs.map(numbers), hints, answers, recorded, flow, asked };
}

const numbers = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.n);
const stored = (name: string, n: number, delivery: IDataObject = { key: `key-${n}` }) => ({
	...sampleEvent(name),
	n,
	delivery,
});

const BY_WORKFLOW = {
	events: ['cards.cleared', 'cards.authorization', 'other'],
	defaultDecision: 'ask',
};

it('each of several items is put on its own output', async () => {
	const names = ['cards.refund', 'cards.cleared', 'treasury.transfer', 'cards.cleared'];
	const { outputs, recorded } = await emit({
		parameters: { events: ['cards.cleared', 'other', 'cards.refund', 'cards.cleared'] },
		items: names.map((name, n) => stored(name, n)),
	});
	expect(outputs).toEqual([[1, 3], [2], [0]]);
	expect(recorded).toEqual([['key-0'], ['key-1'], ['key-2'], ['key-3']]);
});

it('an event that is not chosen has no output', async () => {
	const parameters = { events: ['cards.cleared'] };
	expect((await emit({ parameters, items: [stored('cards.refund', 1)] })).outputs).toEqual([[]]);
});

describe('memory of events', () => {
	const parameters = { events: ['cards.cleared'] };
	const items = [stored('cards.cleared', 1)];
	const known = ['key-1'];

	it.each<[string, Partial<Stored>, number]>([
		['a delivery', {}, 1],
		['a retry', { mode: 'retry' }, 0],
		['a test run', { mode: 'manual' }, 0],
		['a run by another workflow', { mode: 'integrated' }, 0],
		[
			'duplicates that are not to be ignored',
			{ parameters: { ...parameters, options: { ignoreDuplicates: false } } },
			0,
		],
		[
			'duplicates that are to be ignored',
			{ parameters: { ...parameters, options: { ignoreDuplicates: true } } },
			1,
		],
		['an item without a key', { items: [stored('cards.cleared', 1, {})] }, 0],
		['an item without facts', { items: [{ ...sampleEvent('cards.cleared'), n: 1 }] }, 0],
	])('the memory is used as expected for %s: %#', async (_, more, times) => {
		const asked = await emit({ parameters, items, known, ...more });
		expect(asked.recorded).toHaveLength(times);
		expect(asked.outputs).toEqual([times === 1 ? [] : [1]]);
	});

	it('a memory that does not answer fails the execution, and no longer delays later events', async () => {
		useFakeTimers();
		try {
			const failed = expect(emit({ parameters, items, hangs: true })).rejects.toMatchObject({
				message: "Duplicate check failed: n8n's database did not respond",
				description: expect.stringContaining('Retry this execution'),
			});
			await jest.advanceTimersByTimeAsync(20_000);
			await failed;
		} finally {
			useRealTimers();
		}
	});
});

describe('authorization', () => {
	const decision = { outcome: 'asked', answer_by: '2026-11-21T10:00:01.000Z' };

	it('an authorization uses no memory, is not answered here, and stores its deadline', async () => {
		const items = [{ ...stored('cards.authorization', 1), decision }];
		const { outputs, answers, recorded, flow } = await emit({ parameters: BY_WORKFLOW, items });
		expect([outputs, answers, recorded]).toEqual([[[], [1], []], [], []]);
		expect(flow).toEqual({ cardAuthorization: { answerBy: decision.answer_by } });
	});

	it('an authorization that does not wait for an answer stores no deadline', async () => {
		const items = [stored('cards.authorization', 1), { ...stored('cards.cleared', 2), decision }];
		const parameters = { events: ['cards.authorization', 'cards.cleared'] };
		const { flow, answers } = await emit({ parameters, items });
		expect([flow, answers]).toEqual([{}, []]);
	});
});

it.each([
	['webhook', BY_WORKFLOW, 1],
	['manual', BY_WORKFLOW, 1],
	['retry', BY_WORKFLOW, 0],
	['webhook', { ...BY_WORKFLOW, defaultDecision: 'approve' }, 0],
	['webhook', { ...BY_WORKFLOW, defaultDecision: '', rules: '={{ $vars.rules }}' }, 1],
	['webhook', { ...BY_WORKFLOW, events: ['cards.cleared'] }, 0],
])(
	'in the mode %s, with %j, the trigger acknowledges an event %d times',
	async (mode, parameters, times) => {
		const items = [stored('cards.cleared', 1)];
		const { answers } = await emit({ parameters, items, mode });
		expect(answers).toEqual(
			Array(times).fill({ body: { response_code: 'OK' }, headers: {}, statusCode: 200 }),
		);
	},
);

describe('test run in the editor', () => {
	const respond = { resource: 'authorization', operation: 'respond' };
	const MISSING = [
		{
			message: expect.stringMatching(/^No node answers/),
			type: 'warning',
			location: 'outputPane',
		},
	];

	it.each<[string, Partial<Stored>, unknown[]]>([
		['with nothing behind', {}, MISSING],
		['with a node that answers', { behind: [{ parameters: respond }] }, []],
		[
			'with a question to a person before the answer',
			{ behind: [{ parameters: { operation: 'sendAndWait' } }, { parameters: respond }] },
			[{ ...MISSING[0], message: expect.stringContaining('"Node 0" waits before') }],
		],
		[
			'with one that is switched off',
			{ behind: [{ disabled: true, parameters: respond }] },
			MISSING,
		],
		[
			'with another operation',
			{ behind: [{ parameters: { ...respond, operation: 'get' } }] },
			MISSING,
		],
		['by rules', { parameters: { ...BY_WORKFLOW, defaultDecision: 'decline' } }, []],
		['once published', { mode: 'webhook' }, []],
	])('a test run %s shows the expected warnings: %#', async (_, more, expected) => {
		const items = [stored('cards.cleared', 1)];
		const { hints, asked } = await emit({
			parameters: BY_WORKFLOW,
			items,
			mode: 'manual',
			...more,
		});
		expect(hints).toEqual(expected);
		for (const given of asked)
			expect(given).toEqual(['Card Treasury Trigger', { includeNodeParameters: true }]);
	});

	const decided = { ...stored('cards.authorization', 1), decision: { response_code: '05' } };
	const RULES = {
		events: ['cards.authorization'],
		rules: { rule: [{ name: 'small', decision: 'approve', conditions: { amountTo: '60' } }] },
		defaultDecision: 'decline',
	};
	it.each<[string, Partial<Stored>, string[]]>([
		['by a rule', {}, ['This purchase is approved (00) by the rule "small".']],
		['nothing once published', { mode: 'webhook' }, []],
		['nothing where nothing was decided', { items: [stored('cards.authorization', 1)] }, []],
		['nothing without data', { items: [{ ...decided, data: null }] }, []],
	])('a hint explains the decision: %s', async (_, more, expected) => {
		const { hints } = await emit({ parameters: RULES, items: [decided], mode: 'manual', ...more });
		expect(hints).toEqual(expected.map((message) => ({ message, location: 'outputPane' })));
	});

	const sample = (changes: object, trace_id: unknown = 'sample-1') => {
		const event = sampleEvent('cards.authorization');
		return { ...event, delivery: { trace_id }, data: { ...event.data, ...changes } } as IDataObject;
	};
	const ADDED =
		'Sample Changes added fields that the sample does not have: mcc_code (the sample has merchant_data.mcc_code), color. Correct their names, or put them where the sample has them.';
	it.each<[string, Partial<Stored>, string[]]>([
		['is named in a hint', { items: [sample({ mcc_code: '7995', color: 'red' })] }, [ADDED]],
		['is not named in a real event', { items: [sample({ mcc_code: '7995' }, 'trace-1')] }, []],
		['is not named once published', { mode: 'webhook', items: [sample({ color: 'red' })] }, []],
		[
			'is none in an event that is not documented',
			{ items: [{ ...sample({ color: 'red' }), event_type: 'new' }] },
			[],
		],
	])('an added field %s', async (_, more, expected) => {
		const { hints } = await emit({ parameters: RULES, items: [], mode: 'manual', ...more });
		expect(hints.map(({ message }) => message)).toEqual(expected);
	});
});
