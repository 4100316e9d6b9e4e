import type { IExecuteFunctions } from 'n8n-workflow';

import { readHost, readReporter } from '../../../../nodes/CardTreasury/n8n/host.ts';
import { sendDecision } from '../../../../nodes/CardTreasury/n8n/respond.ts';
import { respond } from '../../../../nodes/CardTreasury/operations/authorization/respond.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

/** Execution context of n8n for *Respond*, with the flow data that the nodes of the execution share. */
function execution(answerBy?: number, refusals = 0) {
	const flow = answerBy === undefined ? {} : { cardAuthorization: { answerBy: at(answerBy) } };
	const sent: unknown[] = [];
	const hints: string[] = [];
	const itemsOf = async (
		decisions: string[],
		{
			mode = 'webhook',
			continueOnFail = false,
			summary,
		}: { mode?: string; continueOnFail?: boolean; summary?: string } = {},
	) => {
		const parameters = (name: string, item: number): unknown =>
			name === 'decision' ? decisions[item]!.split(' ')[0] : decisions[item]!.split(' ')[1];
		const n8n = {
			getInputData: () =>
				decisions.map((decided, index) => ({
					json: { decided, ...(summary !== undefined && { summary }) },
					...(index > 0 && { binary: { [`file ${index}`]: {} } }),
				})),
			getNodeParameter: parameters,
			getNode: () => ({ name: 'Respond', type: 'cardTreasury', typeVersion: 1, parameters: {} }),
			getMode: () => mode,
			getExecutionId: () => '1',
			getTimezone: () => 'UTC',
			getWorkflow: () => ({ id: 'workflow-1' }),
			getWorkflowDataProxy: () => ({ $runIndex: 0 }),
			getExecutionCancelSignal: () => undefined,
			getContext: () => flow,
			continueOnFail: () => continueOnFail,
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
			sendResponse: ({ body }: { body: { response_code: string } }) => {
				const sending = async () => {
					// A caller that does not await this ends before the response is sent.
					await new Promise((resolve) => setImmediate(resolve));
					if (refusals-- > 0) throw new Error('The connection is gone');
					sent.push(body.response_code);
				};
				const sends = sending();
				// Not waited for, it must fail the test, not the process.
				void sends.catch(() => undefined);
				return sends;
			},
		} as unknown as IExecuteFunctions;
		return await sendDecision(n8n, readHost(n8n, readReporter(n8n)), respond);
	};
	const run = async (...given: Parameters<typeof itemsOf>) =>
		(await itemsOf(...given)).map(({ json }) => json.decision ?? json.error);
	return { run, itemsOf, sent, hints };
}

const at = (ms: number) => new Date(ms).toISOString();

beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

it('an answer that all items agree on is sent once', async () => {
	const { run, sent, hints } = execution(NOW + 1_000);
	const decision = { response_code: '00' };
	expect(await run(['approve', 'approve'])).toEqual([decision, decision]);
	expect([sent, hints]).toEqual([['00'], []]);
});

it.each([
	[
		['approve', 'decline'],
		[{ response_code: '05' }, { response_code: '05' }],
	],
	[
		['approve', 'other 10'],
		[{ response_code: '05' }, { response_code: '05' }],
	],
])('items that disagree decline: %j', async (decisions, items) => {
	const { run, sent, hints } = execution(NOW + 1_000);
	expect(await run(decisions, { continueOnFail: true })).toEqual(items);
	expect(sent).toEqual(['05']);
	expect(hints).toEqual([expect.stringContaining('items disagree')]);
});

it('each item is passed on unchanged, with its files and the decision', async () => {
	const { itemsOf } = execution(NOW + 1_000);
	const decision = { response_code: '05' };
	expect(await itemsOf(['decline', 'other 10', 'decline'], { continueOnFail: true })).toEqual([
		{ json: { decided: 'decline', decision }, pairedItem: { item: 0 } },
		{
			json: expect.objectContaining({
				error: expect.stringContaining('which approves'),
				description: expect.stringMatching(/so the authorization is declined/),
				outcome: 'not_sent',
				decision,
			}),
			pairedItem: { item: 1 },
		},
		{ json: { decided: 'decline', decision }, binary: { 'file 2': {} }, pairedItem: { item: 2 } },
	]);
});

describe('summary', () => {
	const PURCHASE = ': 52.35 USD at Coffee & Books with card card-1';
	const summaryOf = async (
		{ itemsOf }: ReturnType<typeof execution>,
		decisions: string[],
		summary = `Waiting for a decision${PURCHASE}`,
	) => (await itemsOf(decisions, { summary })).map(({ json }) => json.summary);

	it.each([
		[['approve'], 'Approved (00)'],
		[['decline'], 'Declined (05)'],
		[['other 51'], 'Declined (51)'],
		[['approve', 'decline'], 'Declined (05)'],
	])('after %j it says %s', async (decisions, news) => {
		const summaries = await summaryOf(execution(NOW + 1_000), decisions);
		expect(summaries).toEqual(decisions.map(() => `${news}${PURCHASE}`));
	});

	it('the summary says what was sent before, and why nothing was sent', async () => {
		const answering = execution(NOW + 1_000);
		await answering.run(['decline']);
		expect(await summaryOf(answering, ['approve'])).toEqual([`Declined (05)${PURCHASE}`]);
		expect(await summaryOf(execution(NOW), ['approve'])).toEqual([
			`Answered too late, so the fallback applies${PURCHASE}`,
		]);
		expect(await summaryOf(execution(), ['approve'])).toEqual([
			`Not answered, because nothing was waiting${PURCHASE}`,
		]);
	});

	it('the summary has at most 200 characters', async () => {
		const long = `Waiting for a decision: ${'x'.repeat(176)}`;
		const [summary] = await summaryOf(execution(NOW), ['approve'], long);
		expect(summary).toHaveLength(200);
	});

	it.each(['Please look at this', ''])('a summary of the user stays: %j', async (own) => {
		expect(await summaryOf(execution(NOW + 1_000), ['approve'], own)).toEqual([own]);
	});
});

it('an invalid item sends nothing', async () => {
	const { run, itemsOf, sent } = execution(NOW + 1_000);
	await expect(run(['approve', 'other 10'])).rejects.toThrow('Response Code is 10, which approves');
	for (const { json } of await itemsOf(['other', 'other 85'], { continueOnFail: true }))
		expect(json).toMatchObject({ description: expect.stringContaining('Nothing was sent.') });
	expect(sent).toEqual([]);
});

it('a second answer, as in a loop, reports the code that was sent', async () => {
	const { run, sent, hints } = execution(NOW + 1_000);
	await run(['decline']);
	expect(await run(['approve'])).toEqual([{ response_code: '05', answered_before: true }]);
	expect([sent, hints]).toEqual([['05'], [expect.stringContaining('with 05 before')]]);
});

it.each([
	[50, ['00'], { response_code: '00' }, []],
	[
		49,
		[],
		{ response_code: '00', too_late: true },
		[expect.stringContaining('too late, so it was not sent')],
	],
])('an answer %d ms before the deadline sends %j', async (left, codes, decision, warnings) => {
	const { run, sent, hints } = execution(NOW + left);
	expect(await run(['approve'])).toEqual([decision]);
	expect([sent, hints]).toEqual([codes, warnings]);
});

it('an answer that n8n rejects fails, and Retry On Fail sends it', async () => {
	const { run, sent, hints } = execution(NOW + 1_000, 1);
	await expect(run(['approve'])).rejects.toThrow('The connection is gone');
	expect(sent).toEqual([]);
	expect(await run(['approve'])).toEqual([{ response_code: '00' }]);
	expect([sent, hints]).toEqual([['00'], []]);
});

it('the output states that no authorization waits', async () => {
	const { run, sent, hints } = execution();
	expect(await run(['approve'])).toEqual([{ response_code: '00', nothing_waiting: true }]);
	expect([sent, hints]).toEqual([[], [expect.stringContaining('No authorization was waiting')]]);
});

it('an answer in a sub-workflow fails, because n8n sends nothing from there', async () => {
	const { run, sent } = execution(NOW + 1_000);
	const mode = 'integrated';
	await expect(run(['approve'], { mode })).rejects.toThrow('cannot answer from a sub-workflow');
	expect(await run(['approve'], { mode, continueOnFail: true })).toEqual([
		expect.stringContaining('cannot answer from a sub-workflow'),
	]);
	expect(sent).toEqual([]);
});
