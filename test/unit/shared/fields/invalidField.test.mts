import { quote } from '../../../../nodes/shared/fields/invalidField.ts';

it.each([
	['', '""'],
	['a "b"', '"a \\"b\\""'],
	['x'.repeat(45), `"${'x'.repeat(45)}"`],
	['x'.repeat(46), `"${'x'.repeat(44)}…"`],
])('quote shows %j as %s', (text, quoted) => {
	expect(quote(text)).toBe(quoted);
});
