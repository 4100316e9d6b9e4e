import { answered, Execution, failed, TO, transferOf } from './batches.mts';

const WORK = {
	status: null,
	transaction_hash: null,
	wallet_id: 'wal-1',
	to: TO,
	token_address: null,
};
const items = [transferOf('1', { idempotencyKey: 'a' }), transferOf('x'), transferOf('3')];
const run = async (continueOnFail: boolean) => {
	const execution = new Execution('wallet: transfer', (_work, before) =>
		before === 0 ? failed('unknown') : answered(),
	);
	return (await execution.run(items, { continueOnFail })).results;
};

it('a failed item that goes on tells which work it was, with its key if it has one', async () => {
	const [sent, invalid, done] = await run(true);
	expect(sent).toMatchObject({
		kind: 'failed',
		subject: { ...WORK, amount: '1', idempotency_key: 'a' },
	});
	expect(invalid).toMatchObject({ kind: 'failed' });
	expect(invalid).toHaveProperty('subject', { ...WORK, idempotency_key: null });
	expect(done).not.toHaveProperty('subject');
});

it('a failed sweep tells the amount that it would have moved', async () => {
	const sweep = transferOf('');
	Object.assign(sweep.parameters, { amountMode: 'aboveFloor', balance: '9', floor: '5' });
	const execution = new Execution('wallet: transfer', () => failed('unknown'));
	const { results } = await execution.run([sweep], { continueOnFail: true });
	expect(results[0]).toMatchObject({ subject: { amount: '4' } });
});

it('a failed item that ends the run tells it in its message only', async () => {
	for (const result of await run(false)) expect(result).not.toHaveProperty('subject');
});

it('an item of an operation without a subject tells none', async () => {
	const execution = new Execution('card: freeze', () => failed('unknown'));
	const item = { parameters: { cardId: 'c1', options: {} } };
	const { results } = await execution.run([item], { continueOnFail: true });
	expect(results[0]).not.toHaveProperty('subject');
});
