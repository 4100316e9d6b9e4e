import { InvalidFieldError, orInvalid } from '../../../../nodes/shared/fields/invalidField.ts';

const wrong = new InvalidFieldError('Amount', 'is empty', 'Enter it.');

it('names the field, what is wrong and how to fix it', () => {
	expect({ ...wrong, message: wrong.message }).toEqual({
		kind: 'invalid field',
		name: 'InvalidFieldError',
		message: 'Amount is empty',
		field: 'Amount',
		reason: 'is empty',
		fix: 'Enter it.',
	});
});

it('turns bad input into a value, whether it is thrown or rejected', async () => {
	const thrown = () => {
		throw wrong;
	};
	expect(await orInvalid(thrown)).toBe(wrong);
	expect(await orInvalid(async () => thrown())).toBe(wrong);
	expect(await orInvalid(() => 5)).toBe(5);
});

it('throws a defect on', async () => {
	await expect(
		orInvalid(() => {
			throw new Error('defect');
		}),
	).rejects.toThrow('defect');
});
