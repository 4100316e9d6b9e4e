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

it('orInvalid returns bad input', () => {
	const thrown = () => {
		throw wrong;
	};
	expect(orInvalid(thrown)).toBe(wrong);
	expect(orInvalid(() => 5)).toBe(5);
});

it('orInvalid throws a defect', () => {
	const broken = () => {
		throw new Error('defect');
	};
	expect(() => orInvalid(broken)).toThrow('defect');
});
