import { hashIn, reasonIn } from '../../../../nodes/CardTreasury/request/reason.ts';

describe('reason in a reply', () => {
	it.each<[json: unknown, reason: string | undefined]>([
		[{ code: 'APP_ERROR', message: 'Insufficient funds' }, 'Insufficient funds'],
		[{ Message: 'Insufficient funds' }, 'Insufficient funds'],
		[{ success: false, error: 'Insufficient funds' }, 'Insufficient funds'],
		[{ error: { code: 7, message: 'Insufficient funds' } }, 'Insufficient funds'],
		[{ error: null, error_description: 'Insufficient funds' }, 'Insufficient funds'],
		[{ errors: [{ message: 'Too low' }, { detail: 'Too late' }] }, 'Too low; Too late'],
		[{ errors: [{ field: 'amount', message: 'too low' }] }, 'amount: too low'],
		[{ errors: { amount: ['too low', 'too odd'] } }, 'amount: too low; amount: too odd'],
		[{ message: 'Invalid', errors: ['amount is too low'] }, 'Invalid; amount is too low'],
		[{ message: 'amount: too low', errors: ['too low'] }, 'amount: too low'],
		[{ title: 'Bad request', detail: 'Insufficient funds' }, 'Insufficient funds; Bad request'],
		[{ data: { status: 'FAILED', failureReason: 'No gas' } }, 'No gas'],
		[{ result: [{ rejection_description: 'No gas' }] }, 'No gas'],
		[{ fault: { faultstring: 'No gas' } }, 'No gas'],
		[[{ message: 'No gas' }], 'No gas'],
		[{ message: '  ', reason: 5, status: 'FAILED' }, undefined],
		[{ status: 'SUCCESS', transaction_hash: '0x1' }, undefined],
		['No gas', undefined],
		[null, undefined],
		[{ message: 'x'.repeat(600) }, `${'x'.repeat(499)}…`],
	])('of %j is %j', (json, reason) => {
		expect(reasonIn(json)).toBe(reason);
	});

	it('is not looked for without end', () => {
		let deep: object = { message: 'too deep' };
		for (let depth = 0; depth < 50; depth += 1) deep = { error: deep };
		expect(reasonIn(deep)).toBeUndefined();
	});
});

it.each<[json: unknown, hash: string | undefined]>([
	[{ transaction_hash: '0x1' }, '0x1'],
	[{ transaction_hash: null, data: { transaction_hash: '0x1' } }, '0x1'],
	[[{ transaction_hash: '0x1' }], '0x1'],
	[{ error: { transaction: { transaction_hash: '0x1' } } }, '0x1'],
	[{ transaction_hash: '' }, undefined],
	[{ transaction_hash: 5 }, undefined],
	['0x1', undefined],
	[null, undefined],
])('the transaction hash in %j is %j', (json, hash) => {
	expect(hashIn(json)).toBe(hash);
});
