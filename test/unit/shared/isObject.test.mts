import { isObject } from '../../../nodes/shared/isObject.ts';

it.each([
	[{}, true],
	[{ a: 1 }, true],
	[null, false],
	[undefined, false],
	[[], false],
	['text', false],
	[5, false],
	[() => undefined, false],
])('isObject of %p is %s', (value, expected) => {
	expect(isObject(value)).toBe(expected);
});
