import { cardOf, RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { IDS, startSimulator, type Fault } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { emptyDatabase, runInCore, type CoreOptions } from './core.mts';
import { run } from './payments.mts';

useSimulator({ requestsPerSecond: 0 });

const transfer = transferOf('1');
const freeze = cardOf('freeze');
const read = cardOf('get');
const ramp = { resource: 'rampTransfer', operation: 'updateAmount', amount: '5' };
const statement = {
	resource: 'cardTransaction',
	operation: 'downloadStatement',
	cardId: IDS.activeCard,
	fromDate: '2026-01-01',
	toDate: '2026-01-02',
};
const withOptions = (parameters: object, options: object) => ({ ...parameters, options });

type Row = [
	name: string,
	parameters: CoreOptions['parameters'],
	fault: Fault | undefined,
	answer: { code: string | null; status: number | null; outcome: 'rejected' | 'unknown' },
	message: string,
	/** Advice. */
	fix: RegExp,
];
const rejected = (status: number, code: string | null) =>
	({ status, code, outcome: 'rejected' }) as const;
const unknown = (status: number | null, code: string | null = null) =>
	({ status, code, outcome: 'unknown' }) as const;

it.each<Row>([
	[
		'a redirect',
		read,
		{ kind: 'status', status: 302 },
		rejected(302, 'UNAVAILABLE'),
		'The service replied with a redirect, which is not followed (HTTP 302)',
		/Base URL/,
	],
	[
		'a ramp transfer that has moved on',
		{ ...ramp, rampTransferId: IDS.completedRamp },
		undefined,
		rejected(400, 'APP_ERROR'),
		'The amount can only be changed while the ramp transfer is PENDING',
		/nothing was changed/,
	],
	[
		'a key that was withdrawn',
		transfer,
		{ kind: '401' },
		rejected(401, 'AUTH'),
		'The API key was rejected (HTTP 401): Missing or invalid API key',
		/API Key in the credential.*It was not executed\..*pay under a new reference, such as INV-1-2\.$/s,
	],
	[
		'an unknown card',
		{ ...read, cardId: 'x' },
		undefined,
		rejected(404, 'NOT_FOUND'),
		'Card not found',
		/Card ID/,
	],
	[
		'an unknown wallet',
		{ ...transfer, walletId: 'x' },
		undefined,
		rejected(404, 'NOT_FOUND'),
		'Wallet not found',
		/Account ID and Wallet ID/,
	],
	[
		'an unknown client',
		{ resource: 'productRequest', operation: 'getAll', clientId: 'x' },
		undefined,
		rejected(404, 'NOT_FOUND'),
		'Client not found',
		/Client ID/,
	],
	[
		'an unknown ramp transfer',
		{ ...ramp, rampTransferId: 'x' },
		undefined,
		rejected(404, 'NOT_FOUND'),
		'Ramp transfer not found',
		/Ramp Transfer ID/,
	],
	[
		'the statement of an unknown card',
		{ ...statement, cardId: 'x' },
		undefined,
		rejected(412, 'VAL'),
		'Card not found',
		/Card ID/,
	],
	[
		'the search of an individual card',
		{ resource: 'cardTransaction', operation: 'search', cardId: IDS.activeCard },
		undefined,
		rejected(412, 'VAL'),
		'The card is not an enterprise card, or a transaction type is not available',
		/individual card/,
	],
	[
		'a page in place of a transfer',
		transfer,
		{ kind: 'html200' },
		unknown(200),
		'Outcome unknown. The service replied with HTTP 200, but not with a JSON object',
		/Base URL/,
	],
	[
		'a transfer without a body',
		transfer,
		{ kind: 'empty' },
		unknown(200),
		'Outcome unknown. The service replied with HTTP 200, but not with a JSON object',
		/The money may have left\./,
	],
	[
		'half a body',
		read,
		{ kind: 'not-json' },
		rejected(200, null),
		'The service replied with HTTP 200, but not with a JSON object',
		/Base URL/,
	],
	[
		'a page in place of a PDF',
		statement,
		{ kind: 'html200' },
		rejected(200, null),
		'The service replied with HTTP 200, but not with a PDF',
		/Base URL/,
	],
	[
		'no answer',
		withOptions(freeze, { maxAttempts: 1 }),
		{ kind: 'reset-after' },
		unknown(null, 'ECONNRESET'),
		'Outcome unknown. The service could not be reached, or closed the connection',
		/^It may have been executed\. Run it again: it sets the same value\./,
	],
	[
		'no answer in time',
		withOptions(freeze, { maxAttempts: 1, timeoutSeconds: 1 }),
		{ kind: 'slow-after', delayMs: 3_000 },
		unknown(null, 'ECONNABORTED'),
		'Outcome unknown. The service did not answer in time',
		/Timeout per Attempt/,
	],
])('%s has a message', async (_name, parameters, fault, answer, message, fix) => {
	const { code, status, outcome } = answer;
	const runOnce = async (more: Partial<CoreOptions>) => {
		simulator.reset();
		emptyDatabase();
		if (fault) simulator.faults.add(fault);
		return await run(parameters, more);
	};
	const { outputs } = await runOnce({ node: { onError: 'continueRegularOutput' } });
	const item = outputs[0]![0]!.json as Record<string, any>;
	expect(item).toMatchObject({
		summary: expect.stringMatching(/^(Not read|Rejected|May have been sent): /),
		error: message,
		description: expect.stringMatching(fix),
		code,
		http_status: status,
		trace_id: status === null ? null : expect.stringMatching(/^simulator-trace/),
		outcome,
		...(parameters.resource === 'wallet' && {
			status: null,
			transaction_hash: null,
			wallet_id: parameters.walletId,
			to: RECIPIENT,
			token_address: null,
			amount: '1',
			payment_reference: 'INV-1',
			idempotency_key: expect.any(String),
		}),
	});
	expect(`${item.error} ${item.description}`).not.toMatch(/undefined|null|\[object/);
	// Code, status and trace ID have fields of their own.
	expect(item.description).not.toMatch(/Code: |HTTP status: |Trace ID: /);
	const { error } = await runOnce({});
	expect(error?.message).toBe(message);
	// In the editor's error, these facts follow the advice.
	const facts = [
		code !== null && `Code: ${code}`,
		status !== null && `HTTP status: ${status}`,
		status !== null && 'Trace ID: simulator-trace',
	];
	for (const fact of facts.filter((text) => text !== false))
		expect(error?.description).toContain(fact);
});

it('an unreachable service is reported', async () => {
	const gone = await startSimulator();
	await gone.close();
	const { error } = await runInCore({
		baseUrl: gone.url,
		parameters: withOptions(transfer, { maxAttempts: 1 }),
	});
	expect(error?.message).toBe('The service could not be reached');
	expect(error?.description).toMatch(/It was not sent\.[^]*Code: ECONNREFUSED/);
});
