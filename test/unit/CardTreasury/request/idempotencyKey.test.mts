import fc from 'fast-check';

import {
	deriveIdempotencyKey,
	IDEMPOTENCY_HEADER,
	type RunIdentity,
} from '../../../../nodes/CardTreasury/request/idempotencyKey.ts';

const RUN = {
	instanceId: 'instance',
	workflowId: 'workflow',
	node: 'node',
	root: '7@1763719200000',
	round: 0,
};
type Where = Parameters<typeof deriveIdempotencyKey>[1];
const FINGERPRINT = '["POST","/a/b",[],"{\\"to\\":\\"0x1\\",\\"amount\\":1}"]';
const key = (
	run: Partial<RunIdentity> = {},
	where: Where = { item: 0 },
	fingerprint = FINGERPRINT,
) => deriveIdempotencyKey({ ...RUN, ...run }, where, fingerprint);

it('goes in the header that the service names', () => {
	expect(IDEMPOTENCY_HEADER).toBe('Idempotency-Key');
});

it.each<[string, Partial<RunIdentity>, Where]>([
	['ea38afcf-4aee-89ff-a878-614e03a3dc3a', {}, { item: 0 }],
	['5af3c336-1dd7-8947-aca4-fea00d383528', { round: 2 }, { item: 41 }],
	['36abe992-89c9-80ab-a5d3-27f6196e24c4', {}, { repetition: 0 }],
	['ccb1d932-da87-87e7-a4c6-f0d03f0ca662', {}, { repetition: 1 }],
])('stays %s in every version: another key would move the money twice', (golden, run, where) => {
	expect(key(run, where)).toBe(golden);
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
		key({ round: 1 }),
		key({}, { item: 1 }),
		key({}, { repetition: 0 }),
		key({}, { repetition: 1 }),
		key({}, { item: 0 }, 'other'),
		// The border between two fields counts.
		key({ workflowId: 'workflown', node: 'ode' }),
	];
	expect(new Set(keys).size).toBe(keys.length);
});

it('is another in each call without an execution', () => {
	expect(key({ root: undefined })).not.toBe(key({ root: undefined }));
});

it("is the same in every round of an agent's calls", () => {
	expect(key({ round: 1 }, { repetition: 0 })).toBe(key({}, { repetition: 0 }));
});

it('is the same for equal work and for no other', () => {
	const work = fc.record({
		run: fc.record({
			instanceId: fc.string({ maxLength: 2 }),
			workflowId: fc.string({ maxLength: 2 }),
			node: fc.string({ maxLength: 2 }),
			root: fc.string({ maxLength: 2 }),
			round: fc.constant(0),
		}),
		where: fc.oneof(
			fc.record({ round: fc.nat(2), item: fc.nat(2) }),
			fc.record({ repetition: fc.nat(2) }),
		),
		fingerprint: fc.string(),
	});
	const keyOf = ({
		run,
		where,
		fingerprint,
	}: typeof work extends fc.Arbitrary<infer W> ? W : never) =>
		'item' in where
			? deriveIdempotencyKey({ ...run, round: where.round }, { item: where.item }, fingerprint)
			: deriveIdempotencyKey(run, where, fingerprint);
	fc.assert(
		fc.property(work, work, (left, right) => {
			const same = JSON.stringify(left) === JSON.stringify(right);
			expect(keyOf(left) === keyOf(right)).toBe(same);
			expect(keyOf(left)).toBe(keyOf(structuredClone(left)));
		}),
	);
});
