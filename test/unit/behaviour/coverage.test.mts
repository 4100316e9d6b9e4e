import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { ENDPOINTS } from '../../simulator/index.mts';
import { DOCUMENTED_ENDPOINTS } from '../../simulator/interfaceDocument.mts';
import { DEMOS } from '../../tools/start/demo.mts';

/** Without the names of the path parameters, which the document does not prescribe. */
const shape = (request: string) => request.replace(/\{\w+\}/g, '{}');

const offered = RESOURCES.flatMap(({ value, operations }) =>
	operations.map(([name, operation]) => ({ name: `${value}: ${name}`, operation })),
);
const requestOf = (operation: Operation) =>
	operation.kind === 'service'
		? shape(`${operation.endpoint.method} ${operation.endpoint.path}`)
		: undefined;

it('every endpoint of the document is offered, by its method, path and level', () => {
	const sections = new Map(offered.map(({ operation }) => [operation.section, operation]));
	for (const [section, { request, level }] of Object.entries(DOCUMENTED_ENDPOINTS)) {
		const operation = sections.get(section);
		if (request !== null)
			expect([section, operation && requestOf(operation)]).toEqual([section, shape(request)]);
		expect([section, operation?.kind === 'service' && (operation.level ?? null)]).toEqual([
			section,
			level,
		]);
	}
});

it('what repeating an operation may do, and what moves money, is as §1.6 and §4 say', () => {
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

it('every operation that the simulator can answer is run in the real n8n by npm start, also those with a path of the user', () => {
	const simulated = ENDPOINTS.map(({ method, path }) => shape(`${method} ${path}`));
	const runnable = offered.filter(({ operation }) => {
		const request = requestOf(operation);
		return request !== undefined && (simulated.includes(request) || !/^\w+ \//.test(request));
	});
	expect(runnable.length).toBeGreaterThan(10);
	expect(DEMOS.map(({ resource, operation }) => `${resource}: ${operation}`).sort()).toEqual(
		runnable.map(({ name }) => name).sort(),
	);
});
