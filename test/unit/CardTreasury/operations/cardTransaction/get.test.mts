import { refusalOf } from '../guarded.mts';
import { workOf, type Item } from '../reading.mts';

const NAME = 'cardTransaction: get';

const tool = (path: string, raw = path): Item => {
	const parameters = { cardId: 'c', transactionId: 't', path };
	return { parameters, raw: { ...parameters, path: raw }, isTool: true };
};

it.each([
	tool('/{cardId}/{transactionId}'),
	tool('/cards/c', '=/cards/{{ $fromAI("card") }}'),
	{ ...tool('/x', '={{ $json.path }}'), isTool: false },
])('the path of %j is accepted', async (item) => {
	await expect(workOf(NAME, item)).resolves.toBeDefined();
});

it.each(['={{ $fromAI("path") }}', '=/{{ $fromAI("path") }}'])(
	'an agent does not choose the path that it reads: %s',
	async (raw) => {
		expect(await refusalOf(tool('/mpc/tokens/list', raw), NAME)).toBe(
			'Endpoint Path has no fixed beginning, and an AI agent is using this node',
		);
	},
);

it.each(['{txId}', '{}', ':transactionId', '<id>'])(
	'the placeholder %s, which this node does not know, is refused',
	async (placeholder) => {
		const parameters = { cardId: 'c', transactionId: 't', path: `/{cardId}/${placeholder}` };
		expect(await refusalOf({ parameters }, NAME)).toBe(
			`Endpoint Path contains ${placeholder}, which is not a placeholder of this node`,
		);
	},
);
