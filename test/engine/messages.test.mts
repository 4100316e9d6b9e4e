import { cardOf, RECIPIENT, transferOf } from '../harness/fixtures.mts';
import { IDS, startSimulator, type Fault } from '../simulator/index.mts';
import { simulator, useSimulator } from '../simulator/useSimulator.mts';
import { runInCore, type CoreOptions } from './core.mts';

useSimulator({ requestsPerSecond: 0 });

const transfer = transferOf('1');

/** Facts that a failed transfer shows besides the reason. */
const aboutTransfer = {
	status: null,
	transaction_hash: null,
	to: RECIPIENT,
	token_address: null,
	amount: '1',
	idempotency_key: expect.any(String),
};
const card = cardOf('freeze');
const read = cardOf('get');
const statement = {
	resource: 'cardTransaction',
	operation: 'downloadStatement',
	cardId: 'unknown',
	fromDate: '2026-01-01',
	toDate: '2026-01-02',
};
const once = { options: { maxAttempts: 1 } };

interface Case {
	parameters: CoreOptions['parameters'];
	fault?: Fault;
	apiKey?: string;
	message: RegExp;
	/** Advice. */
	fix: RegExp;
	code: string | null;
	status: number | null;
	/** True if the service may have executed it. */
	outcome: 'rejected' | 'unknown';
	/** True without a trace ID or an answer. */
	noTrace?: true;
}

const CASES: Record<string, Case> = {
	'302 that is no WARNING': {
		parameters: {
			resource: 'endpoint',
			operation: 'request',
			method: 'GET',
			path: '/mpc/tokens/list',
		},
		fault: { kind: 'status', status: 302 },
		message: /^The service replied with a redirect, which is not followed \(HTTP 302\)$/,
		fix: /Base URL/,
		code: 'UNAVAILABLE',
		status: 302,
		outcome: 'rejected',
	},
	'400 APP_ERROR': {
		parameters: {
			resource: 'rampTransfer',
			operation: 'updateAmount',
			rampTransferId: IDS.completedRamp,
			amount: '5',
		},
		message: /only be changed while the ramp transfer is PENDING/,
		fix: /nothing was changed/,
		code: 'APP_ERROR',
		status: 400,
		outcome: 'rejected',
	},
	'401 AUTH': {
		parameters: transfer,
		apiKey: 'test-wrong-key',
		message: /^The API key was rejected \(HTTP 401\): Missing or invalid API key$/,
		fix: /API Key in the credential.*It was not executed\./s,
		code: 'AUTH',
		status: 401,
		outcome: 'rejected',
	},
	'403': {
		parameters: card,
		fault: { kind: 'status', status: 403 },
		message: /^The API key is not allowed to do this \(HTTP 403\): Switched on in the simulator$/,
		fix: /permissions, the level and the IP allowlist/,
		code: 'UNAVAILABLE',
		status: 403,
		outcome: 'rejected',
	},
	'404 NOT_FOUND, card': {
		parameters: { ...read, cardId: 'x' },
		message: /^Card not found$/,
		fix: /Card ID/,
		code: 'NOT_FOUND',
		status: 404,
		outcome: 'rejected',
	},
	'404 NOT_FOUND, wallet': {
		parameters: { ...transfer, walletId: 'x' },
		message: /^Wallet not found$/,
		fix: /Account ID and Wallet ID/,
		code: 'NOT_FOUND',
		status: 404,
		outcome: 'rejected',
	},
	'404 NOT_FOUND, client': {
		parameters: { resource: 'productRequest', operation: 'getAll', clientId: 'x' },
		message: /^Client not found$/,
		fix: /Client ID/,
		code: 'NOT_FOUND',
		status: 404,
		outcome: 'rejected',
	},
	'404 NOT_FOUND, ramp': {
		parameters: {
			resource: 'rampTransfer',
			operation: 'updateAmount',
			rampTransferId: 'x',
			amount: '5',
		},
		message: /^Ramp transfer not found$/,
		fix: /Ramp Transfer ID/,
		code: 'NOT_FOUND',
		status: 404,
		outcome: 'rejected',
	},
	'412 VAL, statement': {
		parameters: statement,
		message: /^Card not found$/,
		fix: /Card ID/,
		code: 'VAL',
		status: 412,
		outcome: 'rejected',
	},
	'412 VAL, version 2': {
		parameters: { resource: 'cardTransaction', operation: 'search', cardId: IDS.activeCard },
		message: /not an enterprise card/,
		fix: /individual card/,
		code: 'VAL',
		status: 412,
		outcome: 'rejected',
	},
	'418, which nobody documents': {
		parameters: card,
		fault: { kind: 'status', status: 418 },
		message: /^Outcome unknown\. The service did not complete the request \(HTTP 418\)$/,
		fix: /The service replied: "Switched on in the simulator"\. The outcome is unknown: it may have been executed\./,
		code: 'UNAVAILABLE',
		status: 418,
		outcome: 'unknown',
	},
	'429': {
		parameters: { ...card, options: { maxTotalSeconds: 1 } },
		fault: { kind: '429', retryAfter: 2 },
		message: /^The service is receiving more than 15 requests per second \(HTTP 429\)$/,
		fix: /^Lower Requests per Second in the options.*It was not executed\.$/m,
		code: null,
		status: 429,
		outcome: 'rejected',
	},
	'500 on a write with a key': {
		parameters: transfer,
		fault: { kind: 'status', status: 500 },
		message: /^Outcome unknown\. The service failed \(HTTP 500\)$/,
		fix: /The outcome is unknown: it may have been executed\. Send it again only with the idempotency key below.*Idempotency key: [0-9a-f-]{36}$/s,
		code: 'UNAVAILABLE',
		status: 500,
		outcome: 'unknown',
	},
	'500 on a write without': {
		parameters: { resource: 'endpoint', operation: 'request', method: 'POST', path: '/unknown' },
		fault: { kind: 'status', status: 500 },
		message: /^Outcome unknown\. The service failed \(HTTP 500\)$/,
		fix: /The outcome is unknown: it may have been executed\. Ask the provider, quoting the trace ID, before you send it again\./,
		code: 'UNAVAILABLE',
		status: 500,
		outcome: 'unknown',
	},
	'502 as HTML': {
		parameters: { ...read, ...once },
		fault: { kind: 'html502' },
		message: /^The service is not available at the moment \(HTTP 502\)$/,
		fix: /^Wait until it is available again\.$/m,
		code: null,
		status: 502,
		outcome: 'rejected',
	},
	'200 as HTML': {
		parameters: transfer,
		fault: { kind: 'html200' },
		message: /not with a JSON object/,
		fix: /^The reply did not come from the service\. Check the Base URL\. The outcome is unknown: it may have been executed\./,
		code: null,
		status: 200,
		outcome: 'unknown',
	},
	'200 without a body': {
		parameters: transfer,
		fault: { kind: 'empty' },
		message: /not with a JSON object/,
		fix: /The outcome is unknown: it may have been executed\./,
		code: null,
		status: 200,
		outcome: 'unknown',
	},
	'200 with half a body': {
		parameters: read,
		fault: { kind: 'not-json' },
		message: /not with a JSON object/,
		fix: /Base URL/,
		code: null,
		status: 200,
		outcome: 'rejected',
	},
	'200 with HTML for a PDF': {
		parameters: { ...statement, cardId: IDS.activeCard },
		fault: { kind: 'html200' },
		message: /not with a PDF/,
		fix: /Base URL/,
		code: null,
		status: 200,
		outcome: 'rejected',
	},
	'no answer': {
		parameters: { ...card, ...once },
		fault: { kind: 'reset-after' },
		message: /^Outcome unknown\. The service could not be reached, or closed the connection$/,
		fix: /The outcome is unknown: it may have been executed\./,
		code: 'ECONNRESET',
		status: null,
		outcome: 'unknown',
		noTrace: true,
	},
	'no answer in time': {
		parameters: { ...card, options: { maxAttempts: 1, timeoutSeconds: 1 } },
		fault: { kind: 'slow-after', delayMs: 3_000 },
		message: /^Outcome unknown\. The service did not answer in time$/,
		fix: /Timeout per Attempt.*The outcome is unknown: it may have been executed\./,
		code: 'ECONNABORTED',
		status: null,
		outcome: 'unknown',
		noTrace: true,
	},
};

/** Run again without Continue On Fail. */
async function runAgain(options: CoreOptions, fault?: Fault) {
	simulator.reset();
	if (fault) simulator.faults.add(fault);
	return await runInCore(options);
}

it.each(Object.entries(CASES))(
	'%s',
	async (_name, { parameters, fault, apiKey, message, fix, code, status, outcome, noTrace }) => {
		if (fault) simulator.faults.add(fault);
		const options: CoreOptions = { baseUrl: simulator.url, parameters, ...(apiKey && { apiKey }) };
		const { outputs } = await runInCore({ ...options, node: { onError: 'continueRegularOutput' } });
		const item = outputs[0]![0]!.json as Record<string, any>;
		expect(item).toEqual({
			error: expect.stringMatching(message),
			description: expect.stringMatching(fix),
			code,
			http_status: status,
			trace_id: noTrace ? null : expect.stringMatching(/^simulator-trace/),
			outcome,
			...(parameters.resource === 'wallet' && { ...aboutTransfer, wallet_id: parameters.walletId }),
		});
		expect(`${item.error} ${item.description}`).not.toMatch(/undefined|null|\[object/);
		// They have their own fields, so that rows stay short.
		expect(item.description).not.toMatch(/Code: |HTTP status: |Trace ID: /);
		const { error } = await runAgain(options, fault);
		// In the editor's error, they follow the advice.
		for (const fact of [code && `Code: ${code}`, status && `HTTP status: ${status}`]) {
			if (fact !== null) expect(error?.description).toContain(fact);
		}
		if (!noTrace) expect(error?.description).toMatch(/Trace ID: simulator-trace/);
	},
);

it('an unreachable service is reported', async () => {
	const gone = await startSimulator();
	await gone.close();
	const { error } = await runInCore({ baseUrl: gone.url, parameters: { ...transfer, ...once } });
	expect(error?.message).toMatch(/^The service could not be reached$/);
	expect(error?.description).toMatch(/It was not sent\.[^]*Code: ECONNREFUSED/);
});
