import { totalOf } from '../../../../nodes/CardTreasury/batch/total.ts';
import { RECIPIENT, TOKEN } from '../operations/guarded.mts';
import type { Item } from '../operations/reading.mts';
import { Execution, transferOf } from './batches.mts';

const REFUSED = 'As in Dry Run refuses it: it has changed since its dry run, or had none';

/** @param changes of the parameters since the dry run */
function payment(options: object, changes: object = {}): Item {
	const { parameters } = transferOf('10', { reference: 'INV-1', ...options });
	return { parameters: { ...parameters, ...changes } };
}

/** Result of a payment that must be the one of a dry run. */
async function sentAfter(changes: object, { target = 'api.test', options = {} } = {}) {
	const asked = new Execution('wallet: transfer');
	const shown = await asked.run([payment({ dryRun: true, ...options })], { target: 'api.test' });
	const [result] = shown.results;
	const key = result?.kind === 'done' ? result.items[0]?.idempotency_key : undefined;
	const sending = asked.another();
	const more = { asInDryRun: key, ...options };
	const { results } = await sending.run([payment(more, changes)], {
		target,
		continueOnFail: true,
	});
	const [ended] = results;
	return {
		sent: sending.sent.filter(({ request }) => request.method === 'POST').length,
		message: ended?.kind === 'failed' ? ended.failure.message : ended?.kind,
	};
}

describe('As in Dry Run', () => {
	it.each([
		{},
		{ amount: '10.00' },
		{ amount: 10 },
		{ paymentReference: ' INV\u20111 ' },
		{ maximumAmount: '20' },
	])('sends the payment that the dry run showed, however it is spelled: %j', async (spelled) => {
		expect(await sentAfter(spelled)).toEqual({ sent: 1, message: 'done' });
	});

	it.each([
		{ accountId: 'acc-2' },
		{ walletId: 'wal-2' },
		{ to: RECIPIENT },
		{ tokenAddress: TOKEN },
		{ amount: '10.000001' },
		{ paymentReference: 'INV-1-b' },
		{ paymentReference: 'inv-1' },
	])('sends nothing if the payment has changed: %j', async (changes) => {
		expect(await sentAfter(changes)).toEqual({
			sent: 0,
			message: expect.stringContaining(REFUSED),
		});
	});

	it.each([
		['comma', (keys: string[]) => keys.join(',')],
		['new line', (keys: string[]) => ` ${keys.join('\n')}\n`],
		['large letters', (keys: string[]) => keys.join('; ').toUpperCase()],
	])('sends the payments of a whole question, by their keys: %s', async (_, join) => {
		const dry = new Execution('wallet: transfer');
		const of = (reference: string, options: object) =>
			payment(options, { paymentReference: reference });
		const { results } = await dry.run([
			of('INV-1', { dryRun: true }),
			of('INV-2', { dryRun: true }),
		]);
		const keys = results.map((result) =>
			String(result?.kind === 'done' && result.items[0]?.idempotency_key),
		);
		const sending = dry.another();
		const asInDryRun = join(keys);
		const sent = await sending.run(
			['INV-1', 'INV-2', 'INV-3'].map((reference) => of(reference, { asInDryRun })),
			{ continueOnFail: true },
		);
		expect(sent.results.map((result) => result?.kind)).toEqual(['done', 'done', 'failed']);
	});

	it('sends nothing to another service', async () => {
		expect(await sentAfter({}, { target: 'other.test' })).toEqual({
			sent: 0,
			message: expect.stringContaining(REFUSED),
		});
	});

	it('holds in a dry run too, which refuses what the real run would refuse', async () => {
		const { message } = await sentAfter({ amount: '11' }, { options: { dryRun: true } });
		expect(message).toContain(REFUSED);
	});

	it('lets a sweep pass that has nothing to send', async () => {
		const nothing = { amountMode: 'aboveFloor', balance: '5', floor: '5' };
		expect(await sentAfter(nothing)).toEqual({ sent: 0, message: 'done' });
	});

	it('has no key of an item that the dry run refused', async () => {
		const twice = [payment({ dryRun: true }), payment({ dryRun: true })];
		const { rows, batch } = await new Execution('wallet: transfer').run(twice, {
			continueOnFail: true,
		});
		for (const { result } of rows)
			expect(result).toMatchObject({ kind: 'failed', subject: { idempotency_key: null } });
		expect(totalOf(rows, batch)).toBe('nothing');
	});
});
