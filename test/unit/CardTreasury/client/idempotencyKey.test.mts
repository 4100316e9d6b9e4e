import fc from 'fast-check';

import {
	deriveIdempotencyKey,
	IDEMPOTENCY_HEADER,
	type WorkIdentity,
} from '../../../../nodes/CardTreasury/client/idempotencyKey.ts';

const WORK: WorkIdentity = {
	instanceId: 'instance',
	workflowId: 'workflow',
	node: 'node',
	root: '7@1763719200000',
	where: { round: 0, item: 0 },
};
const FINGERPRINT = '["POST","/a/b",[],"{\\"to\\":\\"0x1\\",\\"amount\\":1}"]';
const key = (work: Partial<WorkIdentity> = {}, fingerprint = FINGERPRINT) =>
	deriveIdempotencyKey({ ...WORK, ...work }, fingerprint);

it('goes in the header that the service names', () => {
	expect(IDEMPOTENCY_HEADER).toBe('Idempotency-Key');
});

it.each<[string, Partial<WorkIdentity>]>([
	['ea38afcf-4aee-89ff-a878-614e03a3dc3a', {}],
	['5af3c336-1dd7-8947-aca4-fea00d383528', { where: { round: 2, item: 41 } }],
	['08a85b39-92fc-8c16-a253-83c5a72ebc0a', { where: { repetition: 0 } }],
	['cdc5de19-fdf8-8f66-ae9f-2f9712f36de2', { where: { repetition: 1 } }],
])('stays %s in every version: another key would move the money twice', (golden, work) => {
	expect(key(work)).toBe(golden);
});

it('has the form of a UUID', () => {
	expect(key()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('differs for all that makes other work', () => {
	const keys = [
		key(),
		key({ instanceId: 'other' }),
		key({ workflowId: 'other' }),
		key({ node: 'other' }),
		key({ root: '7@1763719200001' }),
		key({ where: { round: 1, item: 0 } }),
		key({ where: { round: 0, item: 1 } }),
		key({ where: { repetition: 0 } }),
		key({ where: { repetition: 1 } }),
		key({}, 'other'),
		// The border between two fields counts.
		key({ workflowId: 'workflown', node: 'ode' }),
	];
	expect(new Set(keys).size).toBe(keys.length);
});

it('is the same for equal work and for no other', () => {
	const work = fc.record({
		instanceId: fc.string({ maxLength: 2 }),
		workflowId: fc.string({ maxLength: 2 }),
		node: fc.string({ maxLength: 2 }),
		root: fc.string({ maxLength: 2 }),
		where: fc.oneof(
			fc.record({ round: fc.nat(2), item: fc.nat(2) }),
			fc.record({ repetition: fc.nat(2) }),
		),
	});
	fc.assert(
		fc.property(work, work, fc.string(), fc.string(), (left, right, one, two) => {
			const same = JSON.stringify([left, one]) === JSON.stringify([right, two]);
			expect(deriveIdempotencyKey(left, one) === deriveIdempotencyKey(right, two)).toBe(same);
			expect(deriveIdempotencyKey(left, one)).toBe(deriveIdempotencyKey({ ...left }, one));
		}),
	);
});
