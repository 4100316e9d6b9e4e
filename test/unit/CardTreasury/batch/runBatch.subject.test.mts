import { unusable } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import { operationOf } from '../operations/reading.mts';
import { answered, cardOf, Execution, failed, TO, transferOf } from './batches.mts';

const WORK = {
	status: null,
	transaction_hash: null,
	wallet_id: 'wal-1',
	to: TO,
	token_address: null,
	payment_reference: 'INV-1',
};
const items = [transferOf('1'), transferOf('x'), transferOf('3')];
const run = async (continueOnFail: boolean) => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? failed('unknown') : answered(),
	);
	return (await execution.run(items, { continueOnFail })).results;
};

it('a failed item under Continue On Fail identifies its write, with the key if there is one', async () => {
	const [sent, invalid, done] = await run(true);
	expect(sent).toMatchObject({
		kind: 'failed',
		subject: {
			...WORK,
			amount: '1',
			payment_reference: 'INV-1',
			idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
		},
	});
	expect(invalid).toMatchObject({ kind: 'failed' });
	expect(invalid).toHaveProperty('subject', {
		...WORK,
		payment_reference: 'INV-x',
		idempotency_key: null,
	});
	expect(done).not.toHaveProperty('subject');
	// Without Continue On Fail, only the message identifies the write.
	for (const result of await run(false)) expect(result).not.toHaveProperty('subject');
});

it('the output of a refused item identifies the write that was not sent', async () => {
	const refused = ['1', '2'].map((amount) => transferOf(amount, { maximumTotal: '2' }));
	const ended = await new Execution('wallet: transfer').run(refused, { continueOnFail: true });
	expect(ended.results[1]).toMatchObject({
		subject: {
			...WORK,
			payment_reference: 'INV-2',
			amount: '2',
			idempotency_key: expect.any(String),
		},
	});
});

it('a failed sweep shows the amount that it would have moved', async () => {
	const sweep = transferOf('');
	Object.assign(sweep.parameters, { amountMode: 'aboveFloor', balance: '9', floor: '5' });
	const execution = new Execution('wallet: transfer', () => failed('unknown'));
	const { results } = await execution.run([sweep], { continueOnFail: true });
	expect(results[0]).toMatchObject({ subject: { amount: '4' } });
});

it('an item of a read identifies no write', async () => {
	const execution = new Execution('card: get', () => failed('rejected'));
	const { results } = await execution.run([cardOf('c1')], { continueOnFail: true });
	expect(results[0]).not.toHaveProperty('subject');
});

it('the results of the other items are kept if a failed item cannot identify its write', async () => {
	const operation = {
		...operationOf('wallet: transfer'),
		subject: () => {
			throw new Error('unforeseen');
		},
	};
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? failed('unknown') : answered(),
	);
	const { results, outcomes } = await execution.run(items, { continueOnFail: true, operation });
	expect(results.map((result) => result?.kind)).toEqual(['failed', 'failed', 'done']);
	expect(outcomes).toEqual(['unknown', 'not_sent', 'accepted']);
});

describe('refused item that was sent before', () => {
	const unreadable = new InvalidFieldError('Base URL', 'is empty', 'Enter it.');
	const goesOn = { continueOnFail: true };

	it.each<[string, Parameters<Execution['run']>]>([
		['another amount', [[transferOf('9')], goesOn]],
		['an amount that cannot be read', [[transferOf('x')], goesOn]],
		['the credential', [[transferOf('9')], { ...goesOn, service: unusable(unreadable) }]],
	])('%s', async (_name, again) => {
		for (const answer of [answered({ status: 'SUCCESS' }), failed('unknown')]) {
			const execution = new Execution('wallet: transfer', () => answer);
			await execution.run([transferOf('1')], goesOn);
			const { results, outcomes } = await execution.run(...again);
			const accepted = answer.kind === 'answered';
			expect(results[0]).toMatchObject({
				kind: 'failed',
				subject: {
					...WORK,
					status: accepted ? 'SUCCESS' : null,
					amount: '1',
					idempotency_key: execution.keys[0],
				},
			});
			expect(outcomes).toEqual([accepted ? 'accepted' : 'unknown']);
			expect(execution.sent).toHaveLength(1);
		}
	});

	it.each([['a guard', { maximumAmount: '0.5' }]])(
		'%s, where its outcome is unknown',
		async (_name, options) => {
			const execution = new Execution('wallet: transfer', () => failed('unknown'));
			await execution.run([transferOf('1')], goesOn);
			const { results } = await execution.run([transferOf('1', options)], goesOn);
			expect(results[0]).toMatchObject({
				kind: 'failed',
				outcome: 'unknown',
				subject: { ...WORK, status: null, amount: '1', idempotency_key: execution.keys[0] },
			});
			expect(execution.sent).toHaveLength(1);
		},
	);
});
