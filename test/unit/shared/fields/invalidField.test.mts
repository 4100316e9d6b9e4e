import { InvalidFieldError, orInvalid } from '../../../../nodes/shared/fields/invalidField.ts';

const wrong = new InvalidFieldError('Amount', 'is empty', 'Enter it.');

it('an InvalidFieldError names the field, the problem and the fix', () => {
	expect({ ...wrong, message: wrong.message }).toEqual({
		kind: 'invalid field',
		name: 'InvalidFieldError',
		message: 'Amount is empty',
		field: 'Amount',
		reason: 'is empty',
		fix: 'Enter it.',
	});
});

it('orInvalid returns bad input, thrown or rejected', async () => {
	const thrown = () => {
		throw wrong;
	};
	expect(await orInvalid(thrown)).toBe(wrong);
	expect(await orInvalid(async () => thrown())).toBe(wrong);
	expect(await orInvalid(() => 5)).toBe(5);
});

it('orInvalid throws a defect', async () => {
	await expect(
		orInvalid(() => {
			throw new Error('defect');
		}),
	).rejects.toThrow('defect');
});
