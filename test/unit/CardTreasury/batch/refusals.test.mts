import type { Batch } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { openAdvice } from '../../../../nodes/CardTreasury/batch/outcome.ts';
import { refusal } from '../../../../nodes/CardTreasury/batch/refusals.ts';
import type { Work } from '../../../../nodes/CardTreasury/operations/work.ts';

/** Payment of unknown outcome. */
const PAYMENT = {
	payment: { reference: 'inv-7', shown: 'INV-7', oncePerDay: false },
	movesMoney: true,
	profile: { effect: 'keyed write', answer: 'object' },
} as unknown as Work;

/** Batch that began a second ago. */
const batchOf = (resend: Batch['resend'], windowMs?: number) =>
	({
		resend,
		caller: { startedAt: 1_000 },
		now: () => 2_000,
		service: { windowMs },
	}) as unknown as Batch;

describe('openAdvice', () => {
	it.each<[Batch['resend'], string]>([
		['retry', 'Open Executions, this run, Retry.'],
		['call', 'Call this tool again with the same values in this execution.'],
		[undefined, 'ask the provider'],
	])('the advice on an open payment promises only what can be repeated by %p', (resend, advice) => {
		expect(openAdvice(PAYMENT, batchOf(resend, 86_400_000))).toContain(advice);
	});

	it.each([
		[{}, 'pay under a new reference, such as INV-7-2'],
		[{ oncePerDay: true }, 'pay it with a Payment Reference'],
		[{ key: 'my-key' }, 'send it under a new Idempotency Key'],
	])('a payment that is named by %j: %s', (named, advice) => {
		const work = { ...PAYMENT, payment: { ...PAYMENT.payment!, ...named } };
		expect(openAdvice(work, batchOf(undefined))).toMatch(new RegExp(`executed, ${advice}\\.$`));
	});

	it('a payment of another execution is never promised a Retry', () => {
		expect(openAdvice(PAYMENT, batchOf('retry', 86_400_000), 'elsewhere')).not.toContain('Retry');
	});
});

describe('refusal of a payment whose outcome is unknown', () => {
	const fixOf = (resend: Batch['resend'], windowMs?: number) =>
		refusal('not sent again', PAYMENT, batchOf(resend, windowMs)).fix;

	it('the fix explains the Idempotency Window only where the payment could be sent again', () => {
		expect(fixOf('retry')).toContain('enter the Idempotency Window');
		expect(fixOf('retry', 500)).toContain('The Idempotency Window of the credential is over');
		expect(fixOf(undefined)).not.toContain('Idempotency Window');
		expect(fixOf(undefined, 500)).not.toContain('Idempotency Window');
	});
});
