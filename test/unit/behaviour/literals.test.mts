import { InvalidFieldError, sentencesOf } from '../../../nodes/shared/fields/invalidField.ts';
import type { Item } from '../CardTreasury/operations/reading.mts';
import { DOCUMENT, PNG, TRANSFER } from '../CardTreasury/operations/requests.mts';
import { goodItems, OPERATIONS, placesOf, read } from './everyField.mts';

const LITERAL = '{{ $json.value }}';
const COLLECTIONS = ['options', 'filters'];

const PLACES = OPERATIONS.flatMap((operation) =>
	placesOf(operation)
		.filter(({ name }) => !COLLECTIONS.includes(name))
		.map((place) => ({ operation, ...place })),
);

async function refusalOf(operation: string, item: Item): Promise<string> {
	const refused = await read(operation, item).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (refused === undefined) return 'accepted';
	if (refused instanceof InvalidFieldError) return sentencesOf(refused);
	throw refused;
}

it.each(PLACES)(
	'{{ }} in a Fixed field is refused: $operation, $label',
	async ({ operation, name, label, collection }) => {
		const given = (value: unknown) =>
			collection === undefined ? { [name]: value } : { [collection]: { [name]: value } };
		const refusals = await Promise.all(
			goodItems(operation).map(async (good) => {
				const parameters = { ...good.parameters, ...given(LITERAL) };
				return await refusalOf(operation, { ...good, parameters, raw: parameters, isTool: false });
			}),
		);
		// The other fields hide this one.
		expect(refusals).toContain(
			`${label} holds {{ }} but is not an expression. Switch the field to Expression.`,
		);
	},
);

it.each<[string, string, Item['parameters']]>([
	['endpoint: request', 'Query Parameters', { queryParameters: rows('page', LITERAL) }],
	['endpoint: request', 'Query Parameters', { queryParameters: rows(LITERAL, '2') }],
	[
		'productRequest: submitDocument',
		'Metadata',
		{ ...DOCUMENT, metadata: { mappingMode: 'defineBelow', value: { number: LITERAL } } },
	],
	['wallet: transfer', 'Token', { ...TRANSFER, tokenAddress: { __rl: true, value: LITERAL } }],
])('%s: {{ }} in a part of %s is refused', async (operation, label, parameters) => {
	const item = {
		parameters: { method: 'GET', path: '/x', ...parameters },
		files: { front: PNG },
	};
	expect(await refusalOf(operation, item)).toBe(
		`${label} holds {{ }} but is not an expression. Switch the field to Expression.`,
	);
});

function rows(name: string, value: string) {
	return { parameter: [{ name, value }] };
}

it('{{ }} may come from an expression or be in a hidden field', async () => {
	const parameters = { ...TRANSFER, walletId: LITERAL, balance: LITERAL };
	const raw = { ...parameters, walletId: '={{ $json.wallet }}' };
	expect(await refusalOf('wallet: transfer', { parameters, raw })).toBe('accepted');
});
