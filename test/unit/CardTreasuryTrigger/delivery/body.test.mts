import { inspectBody } from '../../../../nodes/CardTreasuryTrigger/delivery/body.ts';

/** So many levels, the outermost an object. */
function nested(levels: number, wrap: (inner: unknown) => object): object {
	let body: object = {};
	for (let level = 1; level < levels; level++) body = wrap(body);
	return body;
}

describe('the body of a delivery', () => {
	it.each([
		['objects', (inner: unknown) => ({ inner })],
		['lists', (inner: unknown) => ['text', inner, null]],
	])('may be nested 100 levels deep, in %s', (_, wrap) => {
		expect(inspectBody(nested(100, wrap))).toEqual({ ok: true, removed: 0 });
		expect(inspectBody(nested(101, wrap))).toEqual({
			ok: false,
			message: 'The body is nested deeper than 100 levels',
		});
	});

	it('loses its __proto__ keys, which are counted', () => {
		const body = JSON.parse('{"__proto__":{},"a":{"__proto__":1,"b":[{"__proto__":null}]}}');
		expect(inspectBody(body)).toEqual({ ok: true, removed: 3 });
		expect(JSON.stringify(body)).toBe('{"a":{"b":[{}]}}');
	});

	it('without a prototype is read too', () => {
		expect(inspectBody(Object.create(null))).toEqual({ ok: true, removed: 0 });
	});
});
