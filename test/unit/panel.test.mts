import { NodeHelpers } from 'n8n-workflow';

import { CardTreasury } from '../../nodes/CardTreasury/CardTreasury.node.ts';
import { RESOURCES } from '../../nodes/CardTreasury/operations/index.ts';
import { RECIPIENT } from '../harness/fixtures.mts';
import { evaluate, operationOf, reading } from './reading.mts';

const { description } = new CardTreasury();
// As the editor gets it.
const properties = JSON.parse(
	JSON.stringify(description.properties),
) as typeof description.properties;
const VERSION = { typeVersion: 1 };
const type = { ...description, properties };

it('a new node starts with Card: Get', () => {
	const shown = NodeHelpers.getNodeParameters(properties, {}, true, false, VERSION, type);
	expect(shown).toMatchObject({ resource: 'card', operation: 'get', cardId: '', simplify: true });
});

it('each operation shows its own fields, once, and is named in the subtitle', () => {
	for (const [resource, { operations }] of Object.entries(RESOURCES))
		for (const [operation, { action, fields }] of Object.entries(operations)) {
			const chosen = { resource, operation, method: 'POST', decision: 'other', returnAll: false };
			const shown = properties.filter((property) =>
				NodeHelpers.displayParameter(chosen, property, VERSION, type, chosen),
			);
			const inNode = Object.keys(fields).filter((name) => !fields[name]!.isOption);
			const options = inNode.length < Object.keys(fields).length ? ['options'] : [];
			const names = ['resource', 'operation', ...inNode, ...options];
			expect(shown.map(({ name }) => name)).toEqual(names);
			expect(evaluate(description.subtitle, { $parameter: chosen })).toBe(action);
		}
	const { displayOptions } = properties.find(({ name }) => name === 'jsonBody')!;
	expect(displayOptions?.show?.method).toEqual(['DELETE', 'PATCH', 'POST', 'PUT']);
});

it('the list of tokens begins with the native coin', async () => {
	const load = async () => [
		{ name: 'USD Coin', symbol: 'USDC', blockchain: 'POLYGON', usd_price: 1, address: '0x1' },
		{ name: 'N', symbol: 'NN', blockchain: 'BASE', address: '0x2' },
	];
	expect(
		await operationOf('wallet: transfer').fields.tokenAddress!.list!({ load, current: () => '' }),
	).toEqual([
		{ name: 'Native coin of the wallet', value: 'native' },
		{ name: 'USDC on POLYGON · USD Coin · $1', value: '0x1' },
		{ name: 'NN on BASE · N', value: '0x2' },
	]);
});

it('a token has the name of its entry in the list, if it was chosen there', () => {
	const { tokenAddress } = operationOf('wallet: transfer').fields;
	const [mode, value, of] = ['list', RECIPIENT, 'of 0x5aAe…eAed'];
	const cachedResultName = 'USDC on POLYGON · USD Coin · $1';
	const nameOf = (more: object) =>
		reading(tokenAddress!, RECIPIENT, { raw: { mode, value, cachedResultName, ...more } });
	expect(nameOf({})).toEqual({ address: RECIPIENT, name: 'USDC on POLYGON' });
	for (const stale of [{ value: '={{ $json.a }}' }, { mode: 'id' }])
		expect(nameOf(stale)).toMatchObject({ name: of });
});
