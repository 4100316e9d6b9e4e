import { IDS, startSimulator, type Fault, type Simulator } from '../simulator/index.mts';
import { runInCore, type CoreOptions } from './core.mts';

let simulator: Simulator;

beforeAll(async () => {
	simulator = await startSimulator({ requestsPerSecond: 0 });
});
afterAll(async () => await simulator.close());
beforeEach(() => simulator.reset());

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const transfer = {
	resource: 'wallet',
	operation: 'transfer',
	accountId: IDS.account,
	tokenAddress: { __rl: true, mode: 'list', value: 'native' },
	walletId: IDS.wallet,
	to: TO,
	amount: '1',
};
const card = { resource: 'card', operation: 'freeze', cardId: IDS.activeCard };
const read = { resource: 'card', operation: 'get', cardId: IDS.activeCard };
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
	/** What to do. */
	fix: RegExp;
	code: string | null;
	status: number | null;
	/** Set when the answer carried none, or there was no answer. */
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
		message: /redirect \(302\)/,
		fix: /Base URL/,
		code: 'UNAVAILABLE',
		status: 302,
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
	},
	'401 AUTH': {
		parameters: transfer,
		apiKey: 'test-wrong-key',
		message: /did not accept the API key/,
		fix: /level 2 or higher.*Nothing was carried out/s,
		code: 'AUTH',
		status: 401,
	},
	'403': {
		parameters: card,
		fault: { kind: 'status', status: 403 },
		message: /not allowed/,
		fix: /permissions, the level and the IP allowlist/,
		code: 'UNAVAILABLE',
		status: 403,
	},
	'404 NOT_FOUND, card': {
		parameters: { ...read, cardId: 'x' },
		message: /does not know this card/,
		fix: /Card ID/,
		code: 'NOT_FOUND',
		status: 404,
	},
	'404 NOT_FOUND, wallet': {
		parameters: { ...transfer, walletId: 'x' },
		message: /does not know this wallet/,
		fix: /Account ID and Wallet ID/,
		code: 'NOT_FOUND',
		status: 404,
	},
	'404 NOT_FOUND, client': {
		parameters: { resource: 'productRequest', operation: 'getAll', clientId: 'x' },
		message: /does not know this client/,
		fix: /Client ID/,
		code: 'NOT_FOUND',
		status: 404,
	},
	'404 NOT_FOUND, ramp': {
		parameters: {
			resource: 'rampTransfer',
			operation: 'updateAmount',
			rampTransferId: 'x',
			amount: '5',
		},
		message: /does not know this ramp transfer/,
		fix: /Ramp Transfer ID/,
		code: 'NOT_FOUND',
		status: 404,
	},
	'412 VAL, statement': {
		parameters: statement,
		message: /does not know this card/,
		fix: /Card ID/,
		code: 'VAL',
		status: 412,
	},
	'412 VAL, version 2': {
		parameters: { resource: 'cardTransaction', operation: 'search', cardId: IDS.activeCard },
		message: /Version 2 .* does not cover/,
		fix: /enterprise cards only/,
		code: 'VAL',
		status: 412,
	},
	'418, which nobody documents': {
		parameters: card,
		fault: { kind: 'status', status: 418 },
		message: /refused the request \(HTTP 418\)/,
		fix: /Switched on in the simulator.*not known whether/s,
		code: 'UNAVAILABLE',
		status: 418,
	},
	'429': {
		parameters: { ...read, ...once },
		fault: { kind: '429' },
		message: /more than 15 requests per second/,
		fix: /Requests per Second/,
		code: null,
		status: 429,
	},
	'500 on a write with a key': {
		parameters: transfer,
		fault: { kind: 'status', status: 500 },
		message: /not available/,
		fix: /only with the idempotency key below.*Idempotency key: [0-9a-f-]{36}$/s,
		code: 'UNAVAILABLE',
		status: 500,
	},
	'500 on a write without': {
		parameters: { resource: 'endpoint', operation: 'request', method: 'POST', path: '/unknown' },
		fault: { kind: 'status', status: 500 },
		message: /not available/,
		fix: /Check in the company portal before you send it again/,
		code: 'UNAVAILABLE',
		status: 500,
	},
	'502 as HTML': {
		parameters: { ...read, ...once },
		fault: { kind: 'html502' },
		message: /not available/,
		fix: /not JSON/,
		code: null,
		status: 502,
	},
	'200 as HTML': {
		parameters: transfer,
		fault: { kind: 'html200' },
		message: /not with a JSON object/,
		fix: /proxy or login page.*probably carried out/s,
		code: null,
		status: 200,
	},
	'200 without a body': {
		parameters: transfer,
		fault: { kind: 'empty' },
		message: /not with a JSON object/,
		fix: /probably carried out/,
		code: null,
		status: 200,
	},
	'200 with half a body': {
		parameters: read,
		fault: { kind: 'not-json' },
		message: /not with a JSON object/,
		fix: /Base URL/,
		code: null,
		status: 200,
	},
	'200 with HTML for a PDF': {
		parameters: { ...statement, cardId: IDS.activeCard },
		fault: { kind: 'html200' },
		message: /not with a PDF/,
		fix: /Base URL/,
		code: null,
		status: 200,
	},
	'no answer': {
		parameters: { ...card, ...once },
		fault: { kind: 'reset-after' },
		message: /could not be reached/,
		fix: /not known whether/,
		code: 'ECONNRESET',
		status: null,
		noTrace: true,
	},
	'no answer in time': {
		parameters: { ...card, options: { maxAttempts: 1, timeoutSeconds: 1 } },
		fault: { kind: 'slow-after', delayMs: 3_000 },
		message: /did not answer in time/,
		fix: /not known whether/,
		code: 'ECONNABORTED',
		status: null,
		noTrace: true,
	},
};

it.each(Object.entries(CASES))(
	'%s',
	async (_name, { parameters, fault, apiKey, message, fix, code, status, noTrace }) => {
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
		});
		expect(`${item.error} ${item.description}`).not.toMatch(/undefined|null|\[object/);
		// The three facts stand in what the editor shows, too.
		for (const fact of [code, status, item.trace_id]) {
			if (fact !== null) expect(item.description).toContain(String(fact));
		}
		expect(item.error).toContain('[Item 0]');
	},
);

it('the answer of a service that is not there', async () => {
	const gone = await startSimulator();
	await gone.close();
	const { error } = await runInCore({ baseUrl: gone.url, parameters: { ...transfer, ...once } });
	expect(error?.message).toMatch(/could not be reached/);
	expect(error?.description).toMatch(/Nothing was carried out[^]*ECONNREFUSED/);
});
