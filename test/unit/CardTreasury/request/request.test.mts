import { FileReference } from '../../../../nodes/CardTreasury/request/input.ts';
import {
	describeBody,
	encodeBody,
	errorsFor,
	notFound,
	RawJson,
	type Body,
} from '../../../../nodes/CardTreasury/request/request.ts';
import { ENTRIES, sampleOf } from '../../../../nodes/CardTreasuryTrigger/events/index.ts';

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
	expect(await encodeBody(body)).toBe(text);
	expect(describeBody(body)).toBe(text);
});

it.each([
	[file, 'data:application/octet-stream;base64,YWJj', '{"size":3,"type":"unknown"}'],
	[file.withType('image/png'), 'data:image/png;base64,YWJj', '{"size":3,"type":"image/png"}'],
])(
	'a file is sent as a data URL and described by size and type: %#',
	async (given, url, described) => {
		expect(await encodeBody({ image: given })).toBe(`{"image":"${url}"}`);
		expect(describeBody([given])).toBe(`[${described}]`);
	},
);

it('describing a file does not read it', () => {
	const bytes = jest.fn(async () => Buffer.alloc(0));
	describeBody(new FileReference('data', 3, Buffer.alloc(0), bytes));
	expect(bytes).not.toHaveBeenCalled();
});

describe('not-found errors', () => {
	const errors = [
		notFound('Card', 'Card ID'),
		{ status: 409, message: 'Not waiting', fix: 'Wait.' },
	];
	const samples = ENTRIES.map(
		(entry): Record<string, unknown> => ({ ...sampleOf(entry, 'o', new Date(0)).data }),
	);

	it.each(['card_id', 'wallet_id', 'id'])(
		"not-found errors point out %s of the trigger's samples",
		(name) => {
			const ids = samples.flatMap((data) => (name in data ? [data[name]] : []));
			expect(ids).not.toEqual([]);
			for (const id of ids) {
				const [missing, other] = errorsFor({ cardId: id }, errors);
				expect(missing?.fix).toContain("from the trigger's sample");
				expect(other).toEqual(errors[1]);
			}
		},
	);

	it('not-found errors stay unchanged for any other ID', () => {
		expect(errorsFor({ cardId: 'c' }, errors)).toBe(errors);
	});
});
