import { findOperation, RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../../nodes/CardTreasury/operations/operation.ts';
import { propertiesOf } from '../../../../nodes/shared/fields/field.ts';
import { InvalidFieldError, sentencesOf } from '../../../../nodes/shared/fields/invalidField.ts';
import { DESCRIBED_ENDPOINTS, describedErrors } from '../../../simulator/description.mts';
import { ENDPOINTS } from '../../../simulator/index.mts';
import { DEMOS } from '../../../tools/start/demo.mts';
import { goodItems, OPERATIONS, placesOf, read } from './everyField.mts';
import type { Item } from './reading.mts';
import { DOCUMENT, PNG, TRANSFER } from './requests.mts';

/** Removes the names of path parameters, because the API document does not prescribe them. */
const shape = (request: string) => request.replace(/\{\w+\}/g, '{}');
const requestOf = (operation: Operation) =>
	operation.kind === 'service'
		? shape(`${operation.endpoint.method} ${operation.endpoint.path}`)
		: undefined;
const offered = RESOURCES.flatMap(({ value, operations }) =>
	operations.map(([name, operation]) => ({ name: `${value}: ${name}`, operation })),
);

describe('operations', () => {
	it('every described endpoint is offered with its method, path and level', () => {
		const sections = new Map(offered.map(({ operation }) => [operation.section, operation]));
		for (const { section, request, level } of DESCRIBED_ENDPOINTS) {
			const operation = sections.get(section);
			if (request !== null)
				expect([section, operation && requestOf(operation)]).toEqual([section, shape(request)]);
			expect([section, operation?.kind === 'service' && (operation.level ?? null)]).toEqual([
				section,
				level,
			]);
		}
	});

	it('each error that an operation explains is one that the API document shows for it', () => {
		const explained = offered.flatMap(({ name, operation }) =>
			operation.kind === 'service'
				? operation.errors.map(({ status, code }) => ({ name, operation, status, code }))
				: [],
		);
		for (const { name, operation, status, code } of explained) {
			const shown = describedErrors(operation.section ?? '');
			const like = shown.filter((error) => error.startsWith(`${status} ${code ?? ''}`));
			expect([name, status, like]).toEqual([name, status, [expect.any(String)]]);
		}
		expect(explained.map(({ name, status }) => `${name}: ${status}`)).toEqual([
			'wallet: transfer: 404',
			'rampTransfer: updateAmount: 400',
			'rampTransfer: updateAmount: 404',
			'card: get: 404',
			'card: configure3ds: 404',
			'card: freeze: 404',
			'card: unblock: 404',
			'card: unfreeze: 404',
			'cardTransaction: search: 412',
			'cardTransaction: get: 412',
			'cardTransaction: downloadStatement: 412',
			'productRequest: getAll: 404',
			'productRequest: getMissingRequirements: 404',
			'productRequest: submitDocument: 404',
			'productRequest: submitDocument: 409',
		]);
	});

	it('effect and money movement of every write follow §1.6 and §4', () => {
		const writes = offered.flatMap(({ name, operation }) =>
			operation.kind === 'service' && operation.effect !== 'read'
				? [`${name}: ${operation.effect}${operation.movesMoney ? ', moves money' : ''}`]
				: [],
		);
		expect(writes).toEqual([
			'wallet: transfer: keyed write, moves money',
			'rampTransfer: updateAmount: keyed write',
			'card: configure3ds: keyed write',
			'card: freeze: keyed write',
			'card: unblock: keyed write',
			'card: unfreeze: keyed write',
			'productRequest: submitDocument: unkeyed write',
			'endpoint: request: by request',
		]);
	});

	it('an operation is found by the names of its resource and itself', () => {
		expect(findOperation('card', 'get')?.name).toBe('Get');
		expect(findOperation('card', 'delete')).toBeUndefined();
		expect(findOperation('none', 'get')).toBeUndefined();
	});

	it('the default of each field can be saved, and is among its options', () => {
		for (const { name, operation } of offered) {
			const options = operation.kind === 'service' ? operation.options : {};
			for (const property of propertiesOf({ ...operation.fields, ...options }, () => 'method')) {
				expect([name, property.name, property.default]).not.toContain(undefined);
				if (property.type !== 'options') continue;
				const values = property.options?.map((option) => 'value' in option && option.value);
				expect([name, values]).toEqual([name, expect.arrayContaining([property.default])]);
			}
		}
	});

	it('the explanation of an error names only fields of its operation', () => {
		const services = offered.flatMap(({ name, operation }) =>
			operation.kind === 'service' ? [{ name, operation }] : [],
		);
		const labelsOf = ({ fields, options }: (typeof services)[number]['operation']) =>
			propertiesOf({ ...fields, ...options }, () => '').map(({ displayName }) => displayName);
		// A label of a single word may be any word, for example "Amount" or "Path".
		const labels = new Set(services.flatMap(({ operation }) => labelsOf(operation)));
		const telling = [...labels].filter((label) => label.includes(' ') && label.length < 50);
		const foreign = services.flatMap(({ name, operation }) =>
			operation.errors.flatMap(({ message, fix }) =>
				telling
					.filter((label) => `${message} ${fix}`.includes(label))
					.filter((label) => !labelsOf(operation).includes(label))
					.map((label) => `${name}: ${label}`),
			),
		);
		expect(foreign).toEqual([]);
	});

	it('npm start runs every operation that the simulator can answer', () => {
		const simulated = ENDPOINTS.map(({ method, path }) => shape(`${method} ${path}`));
		const runnable = offered.filter(({ operation }) => {
			const request = requestOf(operation);
			// The user chooses the path of the others.
			return request !== undefined && (simulated.includes(request) || !/^\w+ \//.test(request));
		});
		expect(DEMOS.map(({ resource, operation }) => `${resource}: ${operation}`).sort()).toEqual(
			runnable.map(({ name }) => name).sort(),
		);
	});
});

describe('{{ }} in a Fixed field', () => {
	const LITERAL = '{{ $json.value }}';
	const REFUSED = 'holds {{ }} but is not an expression. Switch the field to Expression.';
	const PLACES = OPERATIONS.flatMap((operation) =>
		placesOf(operation)
			.filter(({ name }) => !['options', 'filters'].includes(name))
			.map((place) => ({ operation, ...place })),
	);

	async function refusalOf(operation: string, item: Item): Promise<string> {
		const refused: unknown = await read(operation, item).then(
			() => 'accepted',
			(thrown: unknown) => thrown,
		);
		if (typeof refused === 'string') return refused;
		if (refused instanceof InvalidFieldError) return sentencesOf(refused);
		throw refused;
	}

	it.each(PLACES)(
		'$operation refuses it in $label',
		async ({ operation, name, label, collection }) => {
			const given =
				collection === undefined ? { [name]: LITERAL } : { [collection]: { [name]: LITERAL } };
			const refusals = await Promise.all(
				goodItems(operation).map(async (good) => {
					const parameters = { ...good.parameters, ...given };
					return await refusalOf(operation, {
						...good,
						parameters,
						raw: parameters,
						isTool: false,
					});
				}),
			);
			// Other items may hide the field.
			expect(refusals).toContain(`${label} ${REFUSED}`);
		},
	);

	const rows = (name: string, value: string) => ({ parameter: [{ name, value }] });

	it.each<[string, string, Item['parameters']]>([
		['endpoint: request', 'Query Parameters', { queryParameters: rows('page', LITERAL) }],
		['endpoint: request', 'Query Parameters', { queryParameters: rows(LITERAL, '2') }],
		[
			'productRequest: submitDocument',
			'Metadata',
			{ ...DOCUMENT, metadata: { mappingMode: 'defineBelow', value: { number: LITERAL } } },
		],
		['wallet: transfer', 'Token', { ...TRANSFER, tokenAddress: { __rl: true, value: LITERAL } }],
	])('%s refuses it in a part of %s', async (operation, label, parameters) => {
		const item = {
			parameters: { method: 'GET', path: '/x', ...parameters },
			files: { front: PNG },
		};
		expect(await refusalOf(operation, item)).toBe(`${label} ${REFUSED}`);
	});

	it('an expression may return it, and a hidden field may hold it', async () => {
		const parameters = { ...TRANSFER, walletId: LITERAL, balance: LITERAL };
		const raw = { ...parameters, walletId: '={{ $json.wallet }}' };
		expect(await refusalOf('wallet: transfer', { parameters, raw })).toBe('accepted');
	});
});
