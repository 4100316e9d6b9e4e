import type { Item } from '../../../nodes/CardTreasury/run/item.ts';
import { REFUSALS } from '../../../nodes/CardTreasury/run/refusals.ts';
import { report } from '../../../nodes/CardTreasury/run/report.ts';
import { failed } from '../../../nodes/CardTreasury/run/result.ts';
import { sendAll } from '../../../nodes/CardTreasury/run/send.ts';
import { readAttempt, type Attempt } from '../../../nodes/CardTreasury/service/attempt.ts';
import { createSend } from '../../../nodes/CardTreasury/service/client.ts';
import { RateLimiter } from '../../../nodes/CardTreasury/service/limiter.ts';
import { Problem } from '../../../nodes/shared/problem.ts';
import { OTHER_RECIPIENT } from '../../harness/fixtures.mts';
import * as the from '../CardTreasury/run/items.mts';
import { hostOf, operationOf } from '../reading.mts';

/** Texts that a user of the action reads. If a change of them is meant: `npx jest -c test/jest.config.json -u golden`. */
const golden = (lines: unknown[]) => expect(lines.join('\n')).toMatchSnapshot();

const bytes = async () => await Promise.resolve(Buffer.alloc(1));
const tokenAddress = { address: OTHER_RECIPIENT.toLowerCase(), name: 'USDC on ETHEREUM' };
const document = { clientId: 'cl-1', productRequestId: 'pr-1', documentType: 'passport' };
const files = { frontImageField: { type: 'image/png', size: '12 kB', bytes }, metadata: {} };
type Row = [name: string, values: object];
const TRANSFER: Row = ['wallet: transfer', the.valuesOf('100.5', 'INV-7', { tokenAddress })];
const DOCUMENT: Row = ['productRequest: submitDocument', { ...document, ...files }];
/** Other settings have the words of Update Amount, and summaries in the samples. */
const OPERATIONS: Row[] = [
	TRANSFER,
	['rampTransfer: updateAmount', { rampTransferId: 'ramp-1', amount: '7' }],
	DOCUMENT,
	['endpoint: request', { method: 'POST', path: '/x', jsonBody: '{}' }],
	['card: get', { cardId: 'card-1', simplify: true }],
];

const reply = (status: number, body: unknown, type = 'application/json'): Attempt => ({
	status,
	headers: { 'x-trace-id': 't-1', 'content-type': type },
	body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const problem = (status: number, code = 'VAL') => reply(status, { code, message: 'No <funds>' });
const page = reply(200, '<html>', 'text/html');

/** Only for the operations that look at them. */
const SPECIAL: Record<string, RegExp> = { FAILED: /transfer$|Amount$/, 'in part': /Document$/ };
const ATTEMPTS: Record<string, Attempt> = {
	done: reply(200, { status: 'SUCCESS', transaction_hash: '0xab' }),
	'not described': reply(200, { note: 'Maybe <later>' }),
	FAILED: reply(200, { status: 'FAILED', transaction_hash: '0xab' }),
	'in part': reply(200, { rejected_items: [{ reason: 'blurred' }, { reason: 'expired' }] }),
	302: problem(302, 'WARNING'),
	400: problem(400),
	401: problem(401, 'AUTH'),
	404: problem(404, 'NOT_FOUND'),
	409: problem(409),
	503: problem(503),
	'no reply': { code: 'ECONNRESET' },
	unreachable: { code: 'ECONNREFUSED' },
};

/** n8n whose database knows a payment, or nothing. */
function n8nOf(isKnown: boolean) {
	// The first call has a run, and ref and open of a payment. The second one has paid and failed.
	const checkProcessedAndRecord = async (names: string[]) =>
		await Promise.resolve({ processed: isKnown ? [names.at(-2)] : [] });
	return hostOf({}, {}, { helpers: { checkProcessedAndRecord } }).n8n;
}

const execution = the.executionOf({ n8n: n8nOf(false), continueOnFail: true });

/** What n8n shows of an item. The summary of a refusal ends with its error and description. */
async function shown(name: string, item: Item) {
	const [output] = await report(execution, operationOf(name), [item]);
	const { summary = '', outcome, error, description } = output!.json;
	expect(String(summary).length).toBeLessThanOrEqual(300);
	return { outcome, description, summary: String(summary), error: String(error) };
}

/** Summary of a request that ends as given. */
async function told([name, values]: Row, attempt: Attempt, isKnown = false) {
	const operation = operationOf(name);
	const send = createSend(async () => await Promise.resolve(attempt), new RateLimiter());
	const service = the.serviceOf(send);
	const run = the.runOf({ ...execution, n8n: n8nOf(isKnown), operation, service });
	const [item] = the.prepared([values], run);
	const sent = sendAll([item!], run);
	await jest.advanceTimersByTimeAsync(200_000);
	await sent;
	return (await shown(name, item!)).summary;
}

beforeEach(() => jest.useFakeTimers());

it('summaries of each operation', async () => {
	const lines: string[] = [];
	for (const [name, values] of OPERATIONS) {
		lines.push(`# ${name}`);
		for (const [how, attempt] of Object.entries(ATTEMPTS))
			if (SPECIAL[how]?.test(name) ?? true)
				lines.push(`${how}: ${await told([name, values], attempt)}`);
		lines.push(`dry run: ${await told([name, { ...values, dryRun: true }], ATTEMPTS.done!)}`);
	}
	golden(lines);
});

it('refusals of a payment and a document', async () => {
	const lines: string[] = [];
	for (const [name, values] of [TRANSFER, DOCUMENT]) {
		const refused = async (why: string, of: object, problem: Problem) => {
			const item = { ...the.itemOf(0, of), result: failed(problem) };
			const { summary, outcome, error, description } = await shown(name, item);
			lines.push(`${why}: ${summary}`);
			const [, mayBeSent, message] = /^(May have been sent: )?(.*)$/.exec(error)!;
			expect(mayBeSent !== undefined).toBe(outcome === 'unknown');
			const end = `. ${message}. ${String(description)}`;
			expect(summary.slice(-end.length)).toBe(end);
		};
		const known = await told([name, values], ATTEMPTS.done!, true);
		lines.push(`# ${name}`, `known: ${known}`);
		for (const [why, refusal] of Object.entries(REFUSALS)) {
			// A document is never FAILED.
			if (name !== TRANSFER[0] && why === 'FAILED') continue;
			const failure = { message: 'The service failed (HTTP 503)', facts: {} };
			const before = why === 'open' ? { problem: failure } : undefined;
			await refused(why, values, refusal(name === TRANSFER[0] ? 'INV-7' : undefined, before));
		}
		await refused('unreadable', {}, new Problem('Amount is "x"', 'Use digits.'));
	}
	golden(lines);
});

it('statuses and codes that no operation knows better', () => {
	const codes = ['CERT_HAS_EXPIRED', 'ERR_INVALID_URL'].map((code) => ({ code }));
	const attempts = [...[403, 429, 600].map((status) => problem(status)), page, ...codes];
	golden(
		attempts.map((attempt) => {
			const read = readAttempt(attempt, { effect: 'read', level: 2 });
			return 'problem' in read ? `${read.problem.message}: ${read.problem.fix}` : 'a reply';
		}),
	);
});
