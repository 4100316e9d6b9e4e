import { quote } from '../../../../nodes/shared/fields/invalidField.ts';

it.each([
	['', '""'],
	['a "b"', '"a \\"b\\""'],
	['x'.repeat(40), `"${'x'.repeat(40)}"`],
	['x'.repeat(41), `"${'x'.repeat(40)}…"`],
])('quote shows %j as %s', (text, quoted) => {
	expect(quote(text)).toBe(quoted);
});
