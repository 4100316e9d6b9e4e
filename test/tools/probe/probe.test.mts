import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lodash from 'lodash';

import { EVENT_NAMES } from '../../simulator/description.mts';
import { sampleEvent, type EventOverrides } from '../../simulator/events.mts';
import { API_KEYS, IDS, type Fault } from '../../simulator/index.mts';
import { simulator, useSimulator } from '../../simulator/useSimulator.mts';
import { probe } from './probe.mts';
import { ROWS } from './rows.mts';

useSimulator({ requestsPerSecond: 0 });

const folder = mkdtempSync(join(tmpdir(), 'card-treasury-probe-'));
const [out, file] = [join(folder, 'table.md'), join(folder, 'events.json')];
afterAll(() => rmSync(folder, { recursive: true }));

const KEYS = lodash.mapKeys(API_KEYS, (_key, level) => `PROBE_KEY_${level}`);
const ALL = `URL --client ${IDS.client} --card ${IDS.activeCard} --enterprise-card ${IDS.enterpriseCard} --account ${IDS.account} --wallet ${IDS.wallet} --detail-path /cards/transactions/${IDS.enterpriseCard}/operations/${IDS.purchase}`;

/** Runs the probe. @returns its exit code and output, and result and values of a line of the table */
async function run(line: string, env: object = KEYS, url = simulator.url) {
	const printed: string[] = [];
	const argv = `${line} --out ${out}`.replace('URL', `--base-url ${url}`).split(' ');
	const code = await probe(argv, env as NodeJS.ProcessEnv, (text) => printed.push(text), 0);
	const output = printed.join('\n');
	const cells = [...output.matchAll(/^\| (.*) \| (.*) \| (.*) \|$/gm)];
	const lineOf = (part: string) => cells.find(([, what]) => what!.includes(part))?.slice(2);
	return { code, output, lineOf };
}

const TRACED = { 'X-Trace-Id': 't' };
const delivery = (name: string, overrides: EventOverrides = {}, headers: object = TRACED) => ({
	...{ headers, body: sampleEvent(name, overrides) },
});
const isFrozen = () => simulator.state.card(IDS.activeCard).frozen;

it('finds the simulator as it is described, and prints nothing personal', async () => {
	simulator.faults.add(...after(4, 'tokens', { kind: '429' }));
	const failed = delivery('virtual_wallets.withdraw', { status: 'failed' });
	const events = [...EVENT_NAMES.map((name) => delivery(name)), failed];
	writeFileSync(file, JSON.stringify(events));
	const { code, output, lineOf } = await run(`${ALL} --write --events ${file}`);
	const asRead = [...EVENT_NAMES, ...Object.keys(ROWS)];
	expect(asRead.map((part) => [part, lineOf(part)?.[0]])).toEqual(
		asRead.map((part) => [part, 'as read']),
	);
	expect([code, output]).toEqual([0, expect.not.stringContaining('differs')]);
	expect(output).toMatch(/^# Probe of 127\.0\.0\.1:\d+, \d{4}-\d\d-\d\d\n/);
	expect(readFileSync(out, 'utf8')).toBe(output);
	expect(output).not.toMatch(/souza|\bana\b|@|0x[^`]|api-key|ca4d0000|\bcl-|wal-|4001|482913/i);
	const effects = simulator.ledger.map(({ operation }) => operation);
	expect(effects).toEqual(['card.freeze', 'card.unfreeze', 'card.unfreeze']);
	expect(isFrozen()).toBe(false);
});

/** Fault for a request to a path after the first `count`. */
function after(count: number, path: string, fault: Omit<Fault, 'match'>): Fault[] {
	const none: Fault = { kind: 'slow-before', delayMs: 0, times: count, match: { path } };
	return [...(count > 0 ? [none] : []), { ...fault, match: { path } }];
}
const differ = (set: Record<string, unknown>, status?: number) => ({
	...{ kind: 'differ' as const, set, status },
});
const CARD = `individual-cards/${IDS.activeCard}$`;
const FROZEN = differ({ status: 'FROZEN' });
const SEARCH = `${IDS.enterpriseCard}/search`;
const DOCUMENT = '0.missing_requirements.documents.0.valid_documents.0';

it.each<[part: string, came: string, faults: Fault[]]>([
	['idempotency key remembered', 'FROZEN', after(4, CARD, FROZEN)],
	['a 4xx mean', 'FROZEN', after(1, CARD, FROZEN)],
	['kept under its key', '400', after(1, 'frozen$', differ({}, 400))],
	['statuses and codes', '418 NOT_FOUND', after(0, 'feed/products', differ({}, 418))],
	['429 say how long', '120', after(4, 'tokens', { kind: '429', retryAfter: 120 })],
	['Which level do', 'level 1: 500', after(2, SEARCH, differ({}, 500))],
	['forms of addresses', '(string)', after(0, 'tokens', differ({ '0.address': 'Ana' }))],
	['`BLOCKED` a value', 'LOST', after(0, CARD, differ({ status: 'LOST' }))],
	['after freezing', 'ACTIVE', after(2, CARD, differ({ status: 'ACTIVE' }))],
	['transaction detail', '404', after(0, '/operations/', differ({}, 404))],
	['several `operations`', '412', after(0, SEARCH, differ({}, 412))],
	['both dates', '200', after(1, `${IDS.activeCard}/pdf`, differ({}, 200))],
	['`data_type`s', '(string)', after(0, 'products$', differ({ [`${DOCUMENT}.data_type`]: 'Ana' }))],
	[
		'`require_image`',
		'false',
		after(0, 'products$', differ({ [`${DOCUMENT}.require_image`]: false })),
	],
	['§4.1 ', '200/symbol must be string', after(0, 'tokens', differ({ '0.symbol': 5 }))],
	['§4.3 ', '200/status must be equal', after(0, 'products$', differ({ '0.status': 'Ana' }))],
	['§4.5 ', 'transfer of 0: 200', after(0, '/transfer$', differ({}, 200))],
	['§4.6 ', 'card: 503', after(0, CARD, { kind: 'status', status: 503 })],
	['§4.7 ', 'additional properties: id', after(1, 'frozen$', differ({ id: 'Ana' }))],
	['§4.9 ', '200 without X-Trace-Id', after(0, 'pdf', { kind: 'proxy', status: 200 })],
	['§4.11 ', '/total_elements must be', after(0, SEARCH, differ({ total_elements: 'Ana' }))],
	['§4.12 ', '/operation must be', after(0, '/operations/', differ({ operation: 'Ana' }))],
])('%s: sees %s', async (part, came, faults) => {
	simulator.faults.add(...faults);
	const { code, lineOf, output } = await run(`${ALL} --write`);
	expect([code, lineOf(part)]).toEqual([1, ['differs', expect.stringContaining(came)]]);
	expect([output, isFrozen()]).toEqual([expect.not.stringContaining('Ana'), false]);
});

const authorization = (data: object) => [delivery('cards.authorization', { data: { ...data } })];
const transferOf = (amount: string) =>
	delivery('treasury.transfer', { operation_id: 'Ana', data: { amount } });

type Recorded = [part: string, came: string, deliveries: object[]];
const empty = (name: string): Recorded => [
	...([name, '/data must have'] as const),
	[{ ...sampleEvent(name), data: {} }],
];

it.each<Recorded>([
	[
		'statuses does a client',
		'(string)',
		[delivery('company_activity.client_status', { data: { status: 'Ana ?' } })],
	],
	['delivery signed', 'x-signature', [delivery('cards.refund', {}, { 'X-Signature': 'Ana' })]],
	['form do countries', '(string)', authorization({ merchant_data: { country: 'Ana' } })],
	['form do countries', '(string)', authorization({ bill_amount: '-5000.1' })],
	['`operation_id` alone', 'key_of_another', [transferOf('1'), transferOf('2')]],
	['statuses come with', 'lost', [delivery('cards.refund', { status: 'lost' })]],
	[
		'`reason`',
		'(object)',
		[delivery('virtual_wallets.withdraw', { data: { reason: { of: 'Ana' } } })],
	],
	['carry `X-Trace-Id`', 'without', [delivery('cards.refund', {}, { 'X-Webhook-Key': 'Ana' })]],
	['other events', '/product must be', [{ ...sampleEvent('cards.refund'), product: 'Ana' }]],
	...EVENT_NAMES.map(empty),
])('%s: sees %s in recorded events', async (part, came, deliveries) => {
	writeFileSync(file, deliveries.map((each) => JSON.stringify(each)).join('\n'));
	const { code, lineOf, output } = await run(`--events ${file}`);
	expect([code, lineOf(part)]).toEqual([1, ['differs', expect.stringContaining(came)]]);
	expect(output).not.toContain('Ana');
	expect(simulator.requests).toEqual([]);
});

it('sends no write without --write, and none for a card that is not active', async () => {
	expect((await run(ALL)).code).toBe(0);
	await run(`URL --card ${IDS.blockedCard} --write`);
	expect(simulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('unfreezes the card although the connection breaks in between', async () => {
	simulator.faults.add(...after(1, 'frozen$', { kind: 'reset-after' }));
	const { code, lineOf } = await run(`${ALL} --write`);
	expect([code, lineOf('§4.7 ')]).toEqual([1, ['differs', expect.stringContaining('freeze: ')]]);
	expect(isFrozen()).toBe(false);
});

it.each<[line: string, said: string, env?: object, url?: string]>([
	['URL', 'The key of level 2 is wrong (401)', { PROBE_KEY_2: 'test-api-key-wrong' }],
	['URL', 'The service does not answer: ECONNREFUSED', KEYS, 'http://127.0.0.1:2'],
	['URL', 'Put an API key into PROBE_KEY_1', {}],
	['URL', 'api.example.com does not look like a test', KEYS, 'https://api.example.com'],
	['URL', 'latest.example.com does not look like', KEYS, 'https://latest.example.com'],
	['URL', 'https address', KEYS, 'http://sandbox.example.com'],
	['URL test-api-key-level-3', 'npm run probe --'],
	['--write', 'npm run probe --'],
])('%s ends with "%s"', async (line, said, env = KEYS, url = simulator.url) => {
	const { code, output } = await run(line, env, url);
	expect([code, output]).toEqual([2, expect.stringContaining(said)]);
	expect(output).not.toContain('test-api-key');
	expect(simulator.requests.filter(({ apiKeyLevel }) => apiKeyLevel)).toEqual([]);
});
