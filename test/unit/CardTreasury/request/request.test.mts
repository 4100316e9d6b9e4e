import { FileReference } from '../../../../nodes/CardTreasury/request/input.ts';
import {
	describeBody,
	encodeBody,
	RawJson,
	type Body,
} from '../../../../nodes/CardTreasury/request/request.ts';

const pause = jest.fn(async () => {});
const file = new FileReference('data', 3, Buffer.alloc(0), async () => Buffer.from('abc'));

it.each<[Body, string]>([
	[1.5, '1.5'],
	[null, 'null'],
	[{}, '{}'],
	[[1, [null], {}], '[1,[null],{}]'],
	// An amount keeps its digits.
	[{ amount: new RawJson('1.10') }, '{"amount":1.10}'],
	[{ a: undefined, 'b"': 1, c: { d: undefined } }, '{"b\\"":1,"c":{}}'],
])('the body %j is sent and described as %s', async (body, text) => {
	expect(await encodeBody(body, pause)).toBe(text);
	expect(describeBody(body)).toBe(text);
});

it.each([
	[file, 'data:application/octet-stream;base64,YWJj', '{"size":3,"type":"unknown"}'],
	[file.withType('image/png'), 'data:image/png;base64,YWJj', '{"size":3,"type":"image/png"}'],
])(
	'a file is sent as a data URL and described by size and type: %#',
	async (given, url, described) => {
		expect(await encodeBody({ image: given }, pause)).toBe(`{"image":"${url}"}`);
		expect(describeBody([given])).toBe(`[${described}]`);
	},
);

it.each([
	[0, 0],
	[1, 1],
	[196_608, 1],
	[196_609, 2],
	[500_000, 3],
])('a file of %d bytes is encoded in slices, after a pause each: %d', async (size, slices) => {
	pause.mockClear();
	const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 251));
	const image = new FileReference('data', size, bytes, async () => bytes, 'image/png');
	const whole = `{"image":"data:image/png;base64,${bytes.toString('base64')}"}`;
	// A comparison of the texts themselves would print megabytes.
	expect((await encodeBody({ image }, pause)) === whole).toBe(true);
	expect(pause).toHaveBeenCalledTimes(slices);
});

it('describing a file does not read it', () => {
	const bytes = jest.fn(async () => Buffer.alloc(0));
	describeBody(new FileReference('data', 3, Buffer.alloc(0), bytes));
	expect(bytes).not.toHaveBeenCalled();
});
