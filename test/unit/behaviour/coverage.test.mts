import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import type { Operation } from '../../../nodes/CardTreasury/operations/operation.ts';
import { ENDPOINTS } from '../../simulator/index.mts';
import { DOCUMENTED_ENDPOINTS } from '../../simulator/interfaceDocument.mts';
import { DEMOS } from '../../tools/start/demo.mts';

/** Removes the names of path parameters, because the API document does not prescribe them. */
const shape = (request: string) => request.replace(/\{\w+\}/g, '{}');

const offered = RESOURCES.flatMap(({ value, operations }) =>
	operations.map(([name, operation]) => ({ name: `${value}: ${name}`, operation })),
);
const requestOf = (operation: Operation) =>
	operation.kind === 'service'
		? shape(`${operation.endpoint.method} ${operation.endpoint.path}`)
		: undefined;

it('every documented endpoint is offered with its method, path and level', () => {
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

it('effect and money movement of every operation follow §1.6 and §4', () => {
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

it("npm start runs every operation that the simulator can answer, including those with the user's path", () => {
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
