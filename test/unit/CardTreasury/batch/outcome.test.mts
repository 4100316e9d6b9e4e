import fc from 'fast-check';

import { successItem, tellFailure } from '../../../../nodes/CardTreasury/batch/outcome.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';
import type { ServiceOperation } from '../../../../nodes/CardTreasury/operations/operation.ts';
import type { ItemOutcome } from '../../../../nodes/CardTreasury/operations/work.ts';
import type { RequestResult } from '../../../../nodes/CardTreasury/request/client.ts';
import type { Outcome } from '../../../../nodes/CardTreasury/request/errors.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { expectHarmless, outside } from '../../../harness/outside.mts';
import { RECIPIENT, TOKEN } from '../operations/guarded.mts';
import type { Item } from '../operations/reading.mts';
import { answered, documentOf, Execution, failed, TO, transferOf, type Ended } from './batches.mts';

/** Words with which the summary of an outcome begins. */
const BEGINS: Record<ItemOutcome, string> = {
	done: 'Sent: ',
	pending: 'Pending: ',
	already_sent: 'Already sent: ',
	nothing_to_send: 'Nothing to send: ',
	dry_run: 'Dry run: ',
	failed: 'Failed: ',
	rejected: 'Rejected: ',
	unknown: 'May have been sent: ',
	not_sent: 'Not sent: ',
	accepted: 'Accepted: ',
};
const GOOD = ['done', 'pending', 'already_sent', 'nothing_to_send', 'dry_run'] as const;
const BAD = ['failed', 'rejected', 'unknown', 'not_sent', 'accepted'] as const;

const writes = RESOURCES.flatMap(({ value, operations }) =>
	operations.flatMap(([name, operation]) =>
		operation.kind === 'service' && operation.effect !== 'read'
			? [[`${value}: ${name}`, operation] as const]
			: [],
	),
);

/** Any item of any operation, with texts from outside in each field. */
const anyFields = (operation: ServiceOperation) =>
	fc.dictionary(
		fc.constantFrom(
			...Object.keys(operation.output),
			'method',
			'path',
			'answer',
			'payment_reference',
			'summary',
			'symbol',
			'outcome',
			'repeated',
		),
		fc.oneof(
			outside,
			fc.constant(null),
			fc.boolean(),
			fc.integer(),
			fc.record({ message: outside }),
		),
	);

function expectSummary(summary: unknown, outcome: ItemOutcome): void {
	expect(summary).toEqual(expect.stringContaining(BEGINS[outcome]));
	const text = String(summary);
	expect(text.startsWith(BEGINS[outcome])).toBe(true);
	expect(text.length).toBeLessThanOrEqual(200);
	expect(text.length).toBeGreaterThan(BEGINS[outcome].length);
	expectHarmless(text);
}

describe.each(writes)('summary of %s', (_, operation) => {
	const batch = { operation, service: {}, caller: {} } as unknown as Ended['batch'];
	const work = (subject: object) => ({ profile: { effect: 'keyed write' }, subject });

	it.each(GOOD)('the summary is one harmless line for any text from outside: %s', (outcome) => {
		fc.assert(
			fc.property(anyFields(operation), anyFields(operation), (item, subject) => {
				const row = { index: 0, work: work(subject), result: { kind: 'done' } };
				const json = successItem({ ...item, outcome }, row as never, batch);
				expect(Object.keys(json).slice(0, 2)).toEqual(['outcome', 'summary']);
				expect(json.outcome).toBe(outcome);
				expectSummary(json.summary, outcome);
				for (const field of Object.keys(operation.output)) expect(json).toHaveProperty(field);
			}),
			// Found once: an abbreviated address ended in half a character.
			{ numRuns: 50, examples: [[{ amount: 0 }, { token_address: '¡𐀀𐀀𐀀𐀀𐀀 𐀀' }]] },
		);
	});

	it.each<Outcome>([...BAD])('the summary is one harmless line for any failure: %s', (outcome) => {
		fc.assert(
			fc.property(
				anyFields(operation),
				outside,
				outside,
				fc.boolean(),
				(subject, message, fix, isInput) => {
					const failure = isInput
						? new InvalidFieldError('Amount', message, fix)
						: { kind: 'request failure' as const, message, fix, traceId: null, outcome };
					const result = { kind: 'failed', failure, outcome, subject };
					const told = tellFailure(
						failure,
						outcome,
						operation,
						{ index: 0, work: work({}), result } as never,
						batch,
					);
					expectSummary(told.summary, outcome);
					for (const field of Object.keys(operation.output))
						expect(told.fields).toHaveProperty(field);
				},
			),
			{ numRuns: 50 },
		);
	});
});

describe('phrase that names a write', () => {
	const CARD = { card_id: 'c-1' };
	const POST = { method: 'POST', path: '/x', payment_reference: 'INV-1' };
	/** Operation, its fields, the phrase, and the phrase if nothing is known. */
	const PHRASES: Array<[name: string, fields: object, phrase: string, ifUnknown: string]> = [
		['card: freeze', CARD, 'freeze of card c-1', 'freeze of a card'],
		['card: unfreeze', CARD, 'unfreeze of card c-1', 'unfreeze of a card'],
		['card: unblock', CARD, 'unblock of card c-1', 'unblock of a card'],
		[
			'card: configure3ds',
			{ ...CARD, type: 'sms' },
			'3DS codes by sms of card c-1',
			'3DS codes of a card',
		],
		['endpoint: request', POST, 'POST /x as INV-1', 'this request'],
		[
			'endpoint: request',
			{ method: 'POST', path: '/x'.repeat(60) },
			`POST ${'/x'.repeat(39)}/…`,
			'this request',
		],
		[
			'productRequest: submitDocument',
			{ document_type: 'passport', product_request_id: 'p-1', client_id: 'k-1' },
			'document passport for product request p-1 of client k-1',
			'document',
		],
		[
			'rampTransfer: updateAmount',
			{ id: 'r-1', amount: '5' },
			'amount 5 of ramp transfer r-1',
			'amount of ramp transfer ?',
		],
		[
			'wallet: transfer',
			{ payment_reference: 'INV-1', amount: '5', wallet_id: 'w-1', to: 'TX', token_address: null },
			'INV-1, 5 of the native coin from w-1 to TX',
			'this transfer',
		],
		[
			'wallet: transfer',
			{ amount: '5', to: 'TX', token_address: TOKEN, symbol: 'USDC' },
			`5 USDC (${TOKEN.slice(0, 6)}…${TOKEN.slice(-4)}) to TX`,
			'this transfer',
		],
	];

	it.each(PHRASES)(
		'%s with %j is called "%s", and without fields "%s"',
		(name, fields, ...phrases) => {
			const [, operation] = writes.find(([each]) => each === name)!;
			expect([operation.names(fields as never)[0], operation.names({})[0]]).toEqual(phrases);
		},
	);

	it('every write has a row', () => {
		expect([...new Set(PHRASES.map(([name]) => name))].sort()).toEqual(
			writes.map(([name]) => name).sort(),
		);
	});
});

describe('summary of a transfer', () => {
	const LONG = {
		wallet: '3f2b8c1e-5d4a-4b6f-9a7c-1d2e3f4a5b6c',
		reference: 'Invoice 2026-0017 of ACME GmbH & Co. KG, second half',
	};
	const item = (given: object = {}) => ({
		payment_reference: 'INV-103',
		amount: '1250.5',
		to: RECIPIENT,
		status: 'SUCCESS',
		wallet_id: 'wal-0001',
		token_address: TOKEN,
		...given,
	});
	const [[, operation]] = writes.filter(([name]) => name === 'wallet: transfer') as [
		[string, ServiceOperation],
	];
	const batch = { operation } as Ended['batch'];
	const row = { index: 0, work: { profile: { effect: 'keyed write' } }, result: {} } as never;
	const summary = (given: object) => successItem(item(given), row, batch).summary;

	it.each<[object, string]>([
		[
			{ outcome: 'done' },
			`Sent: INV-103, 1250.5 of ${TOKEN.slice(0, 6)}…${TOKEN.slice(-4)} from wal-0001 to ${RECIPIENT}. The status is SUCCESS.`,
		],
		[
			{ outcome: 'pending', status: 'MANUAL_CHECK', token_address: null },
			`Pending: INV-103, 1250.5 of the native coin from wal-0001 to ${RECIPIENT}. Accepted with status MANUAL_CHECK. Wait for the event.`,
		],
		[
			{
				outcome: 'pending',
				status: null,
				token_address: null,
				answer: { code: 'APP_ERROR', message: 'Insufficient funds' },
			},
			`Pending: INV-103, 1250.5 of the native coin from wal-0001 to ${RECIPIENT}. Accepted, no status. The service replied: Insufficient funds. Wait for the event.`,
		],
		[
			{
				outcome: 'pending',
				status: ' REJECTED\n',
				token_address: null,
				answer: { message: 'No funds.' },
			},
			`Pending: INV-103, 1250.5 of the native coin from wal-0001 to ${RECIPIENT}. Accepted with status REJECTED. The service replied: No funds. Wait for the event.`,
		],
	])('the summary puts %j into plain words', (given, expected) => {
		expect(summary(given)).toBe(expected);
	});

	it('the summary shortens a long reference and the address before it drops the result', () => {
		const text = summary({
			outcome: 'already_sent',
			payment_reference: LONG.reference,
			wallet_id: LONG.wallet,
		});
		expect(text).toMatch(
			/^Already sent: Invoice 2026-00…, 1250\.5 of .* to 0x.{4}….{4}\. Accepted before/,
		);
		expect(text).toMatch(/That does not mean paid: look for its event, or that run\.$/);
	});
});

describe('summary of a change that the service did not confirm', () => {
	const REPLY = { code: 'APP_ERROR', errors: [{ message: 'Card is deleted' }] };
	const GOOD = {
		'card: freeze': { cardId: 'c' },
		'card: unblock': { cardId: 'c' },
		'card: configure3ds': { cardId: 'c', type: 'sms' },
		'rampTransfer: updateAmount': { rampTransferId: 'r', amount: '5' },
	};

	it.each(Object.entries(GOOD))('shows what it replied to %s', async (name, parameters) => {
		const execution = new Execution(name, () => answered(REPLY));
		const { told } = read(await execution.run([{ parameters }]));
		expect(told).toContain('The service replied: Card is deleted.');
	});
});

it('the summary of Configure 3DS shows what the service confirmed instead', async () => {
	const execution = new Execution('card: configure3ds', () => answered({ type: 'webhook' }));
	const run = await execution.run([{ parameters: { cardId: 'c', type: 'sms' } }]);
	expect(read(run).told).toBe(
		'Sent: 3DS codes by webhook of card c. The service confirmed webhook instead of sms.',
	);
});

describe('text for the client about a document', () => {
	const NAME = 'productRequest: submitDocument';
	const REQUESTS = [{ id: 'pr-1', status: 'pending_documentation' }];
	const goesOn = { continueOnFail: true };
	const submission = (reply: RequestResult) =>
		new Execution(NAME, ({ request }) => (request.method === 'GET' ? answered(REQUESTS) : reply));
	const dry = { ...documentOf('pr-1').parameters, options: { dryRun: true } };

	it.each<[string, RequestResult, Item, string]>([
		['sent', answered({ rejected_items: [] }), documentOf('pr-1'), 'We have your document.'],
		[
			'rejected',
			failed('rejected', { status: 400, reply: 'Client cli-1 sent pr-1 blurred' }),
			documentOf('pr-1'),
			'We did not take your document: Client … sent … blurred. Correct that and send it again.',
		],
		[
			'refused here',
			answered({}),
			{ ...documentOf('pr-1'), files: { data: Buffer.alloc(0) } },
			'We did not take your document: the front image is an empty file. Choose it again and send it.',
		],
		[
			'refused for a reason that is not theirs',
			answered({}),
			documentOf(''),
			'We could not take your document now. Please try again later, or answer our email.',
		],
		[
			'of unknown outcome',
			failed('unknown'),
			documentOf('pr-1'),
			'We may have your document: please wait for our answer before you send it again.',
		],
		[
			'a dry run',
			answered({}),
			{ ...documentOf('pr-1'), parameters: dry },
			'This was a test: nothing was sent.',
		],
	])('is the field after the summary: %s', async (_, reply, item, text) => {
		const { json } = read(await submission(reply).run([item], goesOn));
		expect(json.for_client).toBe(text);
		expect(Object.keys(json).filter((name) => !['outcome', 'summary'].includes(name))[0]).toBe(
			'for_client',
		);
	});

	it('leaves out the IDs that the reply repeats', async () => {
		const reason = 'pr-1 of cli-1: blurred';
		const reply = answered({ rejected_items: [{ reason }], for_client: 'Forged' });
		const { json } = read(await submission(reply).run([documentOf('pr-1')], goesOn));
		expect(json.for_client).toBe(
			'We have your upload, but parts of it were not taken: … of …: blurred. Correct that and send it again.',
		);
	});

	it('is missing from every other write and read', async () => {
		const execution = new Execution('card: freeze', () => failed('rejected'));
		const { json } = read(await execution.run([{ parameters: { cardId: 'c' } }], goesOn));
		expect(json).not.toHaveProperty('for_client');
	});
});

it('a read of Endpoint: Request that failed is told as not read', async () => {
	const execution = new Execution('endpoint: request', () => failed('rejected'));
	const { told } = read(await execution.run([{ parameters: { method: 'GET', path: '/x' } }]));
	expect(told).toMatch(/^Not read: GET \/x\. /);
});

describe('summary of a transfer after a run', () => {
	const pay = transferOf('12.5', { reference: 'INV-103' });
	const sweep = {
		parameters: { ...pay.parameters, amountMode: 'aboveFloor', balance: '1', floor: '5' },
	};
	const FAILED = answered({ status: 'FAILED', transaction_hash: '0xf', reason: 'Out of gas' });

	it.each<[ItemOutcome, Item, RequestResult]>([
		['done', pay, answered()],
		['pending', pay, answered({ status: 'PENDING' })],
		['failed', pay, FAILED],
		['rejected', pay, failed('rejected')],
		['unknown', pay, failed('unknown')],
		['not_sent', pay, failed('not_sent')],
		['not_sent', transferOf('12.5', { reference: 'INV-103', maximumAmount: '1' }), answered()],
		['dry_run', transferOf('12.5', { reference: 'INV-103', dryRun: true }), answered()],
		['nothing_to_send', sweep, answered()],
	])('the summary names the payment: %s', async (outcome, given, result) => {
		const ended = await new Execution('wallet: transfer', () => result).run([given], {
			continueOnFail: true,
		});
		const { told, said } = read(ended);
		expect(said).toBe(outcome);
		expectSummary(told, outcome);
		for (const part of ['INV-103', outcome === 'nothing_to_send' ? '0 of' : '12.5', 'wal-1', TO])
			expect(told).toContain(part);
	});

	it('an output that is returned again has the same summary', async () => {
		const execution = new Execution('wallet: transfer');
		await execution.run([pay]);
		const { json, told } = read(await execution.run([pay], { continueOnFail: true }));
		expect(json).toMatchObject({ outcome: 'done', repeated: true });
		expect(told).toMatch(/^Sent: INV-103, .* The status is SUCCESS\.$/);
	});

	it('the summary of a payment that was sent before does not claim that it was paid', async () => {
		const first = new Execution('wallet: transfer');
		await first.run([pay]);
		const { json, told } = read(await first.another().run([pay], { continueOnFail: true }));
		expect(json).toMatchObject({ outcome: 'already_sent', status: 'ALREADY_SENT' });
		expect(told).toMatch(
			/^Already sent: INV-103, .* That does not mean paid: look for its event, or that run\.$/,
		);
	});

	it.each<[unknown[], string]>([
		[[{ symbol: 'USDC' }], '12.5 USDC (0x2791…4174) from'],
		[[{ symbol: 'USDC' }, { symbol: 'USDC' }], '12.5 USDC (0x2791…4174) from'],
		[[{ symbol: 'USDC.e' }], '12.5 USDC.e (0x2791…4174) from'],
		[[{ symbol: '<!channel>' }], '12.5 of 0x2791…4174 from'],
		[[{ symbol: '1000' }], '12.5 of 0x2791…4174 from'],
		[[{ symbol: 'USDС' }], '12.5 of 0x2791…4174 from'],
		[[{ symbol: 'USDC' }, { symbol: 'USDT' }], '12.5 of 0x2791…4174 from'],
		[[{ symbol: 'USDC', address: ` eth:${TOKEN} ` }], '12.5 USDC (0x2791…4174) from'],
		[
			[{ symbol: 'USDC', address: RECIPIENT.toLowerCase() }],
			'12.5 of 0x2791…4174 (not in your token list) from',
		],
		[[], '12.5 of 0x2791…4174 (not in your token list) from'],
		[[{ symbol: 7 }, null, {}], '12.5 of 0x2791…4174 from'],
	])('from the tokens %j, the summary calls the amount "%s"', async (tokens, expected) => {
		const execution = new Execution('wallet: transfer');
		execution.tokens = tokens.map((token) => token && { address: TOKEN.toLowerCase(), ...token });
		const token = { parameters: { ...pay.parameters, tokenAddress: TOKEN } };
		const { told } = read(await execution.run([token], { continueOnFail: true }));
		expect(told).toContain(expected);
		const another = { ...token, parameters: { ...token.parameters, paymentReference: 'INV-104' } };
		const { rows, batch } = await execution.run([token, another], { continueOnFail: true });
		expect(read({ rows, batch } as Ended)).toMatchObject({ json: { repeated: true }, told });
	});

	it('the summary of an item that cannot be read names the token that the others were checked with', async () => {
		const execution = new Execution('wallet: transfer');
		execution.tokens = [{ address: TOKEN, symbol: 'USDC' }];
		const of = (to: string, reference: string) => {
			const { parameters } = transferOf('5', { reference });
			return { parameters: { ...parameters, to, tokenAddress: TOKEN } };
		};
		const { rows, batch } = await execution.run([of('0x123', 'INV-1'), of(TO, 'INV-2')], {
			continueOnFail: true,
		});
		expect(read({ rows: [rows[0]!], batch } as Ended).told).toMatch(
			/^Not sent: INV-1, 5 USDC \(0x2791…4174\) from/,
		);
	});

	it('the summary tells what was sent, although the item names another amount and token by now', async () => {
		const execution = new Execution('wallet: transfer', () => failed('unknown'));
		execution.tokens = [
			{ address: TOKEN, symbol: 'USDC' },
			{ address: RECIPIENT, symbol: 'USDT' },
		];
		const of = (amount: string, tokenAddress: string, reference: string) => ({
			parameters: { ...transferOf(amount, { reference }).parameters, tokenAddress },
		});
		const goesOn = { continueOnFail: true };
		await execution.run([of('5', TOKEN, 'INV-1'), of('6', TOKEN, 'INV-2')], goesOn);
		const again = [of('7', RECIPIENT, 'INV-1'), of('6', TOKEN, 'INV-3'), of('1', TOKEN, 'INV-4')];
		const { rows, batch } = await execution.run(again, goesOn);
		const told = rows.map((row) => read({ rows: [row], batch } as Ended).told);
		expect(told[0]).toMatch(/^May have been sent: INV-1, 5 (?:USDC|of 0x2791)/);
		expect(told[1]).toMatch(/^May have been sent: INV-2, 6 (?:USDC|of 0x2791)/);
	});

	it.each<[string, (first: Execution) => Promise<Ended>, string]>([
		[
			'came back FAILED',
			async (first) => {
				first.service = () => FAILED;
				await first.run([pay]);
				return await first.another().run([pay]);
			},
			'If FAILED, pay under a new reference; else wait for its event.',
		],
		[
			'is unknown',
			async (first) => {
				first.service = () => failed('unknown');
				return await first.run([pay]);
			},
			'Wait for its event or ask the provider before paying again.',
		],
		[
			'is being sent by another run',
			async (first) => {
				const [, second] = await Promise.all([first.run([pay]), first.another().run([pay])]);
				return second;
			},
			'Wait for its end, then look at its result.',
		],
	])('the summary of a payment that %s ends with what to do', async (_, run, advice) => {
		const { told } = read(await run(new Execution('wallet: transfer')));
		expect(told).toMatch(
			/^May have been sent: INV-103(?:,| \(this run:) 12\.5 (?:of the )?native .*[^…]$/,
		);
		expect(told).toContain(advice);
	});

	it("a transfer that FAILED shows the service's reason and its hash", async () => {
		const execution = new Execution('wallet: transfer', () => FAILED);
		const { told, json } = read(await execution.run([pay], { continueOnFail: true }));
		expect(told).toMatch(/^Failed: INV-103, .* Out of gas\. Correct the cause, /);
		expect(json).toMatchObject({
			status: 'FAILED',
			transaction_hash: '0xf',
			answer: { reason: 'Out of gas' },
		});
	});
});

/** What the first item of a run says. */
function read({ rows, batch }: Ended) {
	const row = rows[0]!;
	const { result } = row;
	if (result.kind === 'done') {
		const json = successItem(result.items[0]!, row, batch);
		return { json, told: json.summary, said: json.outcome };
	}
	if (result.kind === 'unsent') throw new Error('Not reached');
	const { summary, fields } = tellFailure(
		result.failure,
		result.outcome,
		batch.operation,
		row,
		batch,
	);
	return { json: fields, told: summary, said: result.outcome };
}
