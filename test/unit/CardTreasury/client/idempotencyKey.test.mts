import fc from 'fast-check';

import type { ServiceRequest } from '../../../../nodes/CardTreasury/operation.ts';
import {
	checkOwnKey,
	deriveIdempotencyKey,
	type WorkIdentity,
} from '../../../../nodes/CardTreasury/request/idempotencyKey.ts';

const WORK: WorkIdentity = {
	instanceId: 'instance',
	workflowId: 'workflow',
	nodeId: 'node',
	rootExecutionId: '7',
	place: { runIndex: 0, itemIndex: 0 },
};
const REQUEST: ServiceRequest = { method: 'POST', path: '/a/b', body: '{"to":"0x1","amount":1}' };
const key = (work: Partial<WorkIdentity> = {}, request: Partial<ServiceRequest> = {}) =>
	deriveIdempotencyKey({ ...WORK, ...work }, { ...REQUEST, ...request });

it('is the same for the same piece of work, in the form of a UUID', () => {
	expect(key()).toBe(key({ place: { ...WORK.place! } }, { headers: { 'x-anything': '1' } }));
	expect(key()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('differs for all that makes other work', () => {
	const keys = [
		key(),
		key({ instanceId: 'other' }),
		key({ workflowId: 'other' }),
		key({ nodeId: 'other' }),
		key({ rootExecutionId: '8' }),
		key({ place: { runIndex: 1, itemIndex: 0 } }),
		key({ place: { runIndex: 0, itemIndex: 1 } }),
		key({ place: undefined }),
		key({}, { method: 'PATCH' }),
		key({}, { path: '/a/c' }),
		key({}, { body: '{"to":"0x2","amount":1}' }),
		key({}, { body: '{"to":"0x1","amount":1.0}' }),
		key({}, { query: [['a', 'b']] }),
		key({}, { query: [['a', 'c']] }),
		// The border between two fields counts.
		key({ workflowId: 'workflown', nodeId: 'ode' }),
	];
	expect(new Set(keys).size).toBe(keys.length);
});

it('never meets another one', () => {
	const work = fc.record({
		rootExecutionId: fc.string(),
		nodeId: fc.string(),
		runIndex: fc.nat(9),
		itemIndex: fc.nat(99),
		path: fc.string(),
		body: fc.string(),
	});
	const keyOf = ({ rootExecutionId, nodeId, path, body, ...place }: Record<string, any>) =>
		key({ rootExecutionId, nodeId, place: place as WorkIdentity['place'] }, { path, body });
	fc.assert(
		fc.property(work, work, (left, right) => {
			const same = JSON.stringify(left) === JSON.stringify(right);
			expect(keyOf(left) === keyOf(right)).toBe(same);
		}),
	);
});

it.each([
	['sweep-w1-2026-11-21', undefined],
	['a'.repeat(255), undefined],
	['', 'is empty'],
	[undefined, 'is empty'],
	[null, 'is empty'],
	[5, 'is not a text'],
	[{ key: 1 }, 'is not a text'],
	['a'.repeat(256), 'is longer than 255 characters'],
	['a\nb', 'contains characters other than plain letters, digits and punctuation'],
	['ключ', 'contains characters other than plain letters, digits and punctuation'],
	[' a', 'begins or ends with a blank'],
	['   ', 'begins or ends with a blank'],
])("a user's own key %j: %p", (own, reason) => {
	expect(checkOwnKey(own)).toBe(reason);
});
