import fc from 'fast-check';
import { DateTime } from 'luxon';

import { tellFailure } from '../../../nodes/CardTreasury/batch/outcome.ts';
import { RESOURCES } from '../../../nodes/CardTreasury/operations/index.ts';
import { calculateSweep } from '../../../nodes/CardTreasury/operations/wallet/calculateSweep.ts';
import { ENTRIES, sampleOf, summaryOf } from '../../../nodes/CardTreasuryTrigger/events.ts';
import { isObject } from '../../../nodes/shared/isObject.ts';
import { expectHarmless, outside } from '../../harness/outside.mts';
import { callerOf, inputOf, itemsOf } from '../CardTreasury/operations/reading.mts';

const RUNS = { numRuns: 100 };

/** Value of any JSON type, with texts from outside. */
const { anyValue } = fc.letrec((tie) => ({
	anyValue: fc.oneof(
		{ depthSize: 'small' },
		outside,
		fc.constantFrom(null, true, 0, -1, 1e21, 0.1),
		fc.array(tie('anyValue'), { maxLength: 3 }),
		fc.dictionary(
			// An object with the last two has no text: `String` throws.
			fc.constantFrom('name', 'id', 'key', 'fields', '__proto__', 'toString', 'valueOf'),
			tie('anyValue'),
			{ noNullPrototype: true },
		),
	),
}));

/** The given value with any of its parts missing, or replaced by any other. */
function changed(value: unknown): fc.Arbitrary<unknown> {
	const same: fc.Arbitrary<unknown> = Array.isArray(value)
		? fc.tuple(...value.map(changed))
		: isObject(value)
			? fc.record(
					Object.fromEntries(Object.entries(value).map(([key, part]) => [key, changed(part)])),
					{ requiredKeys: [], noNullPrototype: true },
				)
			: fc.constant(value);
	return fc.oneof(
		{ weight: 3, arbitrary: same },
		{ weight: 1, arbitrary: anyValue as typeof same },
	);
}

function expectLine(summary: unknown): void {
	const line = String(summary);
	expectHarmless(line);
	expect(line.length).toBeLessThanOrEqual(300);
}

describe('summaries without an outcome', () => {
	it.each(ENTRIES.map(({ name }) => name))(
		'the event %s is summarized in one harmless line',
		(name) => {
			const { data, ...envelope } = sampleOf(name, 'sample-1', new Date())!;
			fc.assert(
				fc.property(changed(data), changed(envelope.status), (given, status) => {
					expectLine(summaryOf({ ...envelope, status, data: given } as never));
				}),
				RUNS,
			);
		},
	);

	it('an event of any name is summarized in one harmless line', () => {
		fc.assert(
			fc.property(outside, outside, anyValue, (product, event_type, status) => {
				expectLine(summaryOf({ product, event_type, status, data: {} } as never));
			}),
			RUNS,
		);
	});

	it('Get summarizes any card in one harmless line', async () => {
		const card = {
			id: 'c',
			client_id: 'k',
			type: 'virtual',
			status: 'ACTIVE',
			last4: '1234',
			card_holder_name: 'Ann Lee',
			expiration_month: 3,
			expiration_year: 2029,
			daily_limit: 1,
			weekly_limit: 2,
			monthly_limit: 3,
		};
		await fc.assert(
			fc.asyncProperty(changed(card).filter(isObject), async (json) => {
				const item = { parameters: { cardId: 'c', simplify: true } };
				const [shown] = await itemsOf('card: get', item, { json: { ...json, id: 'c' } });
				expectLine(shown?.summary);
			}),
			RUNS,
		);
	});

	it('Get Missing Requirements summarizes any answer in harmless lines', async () => {
		const requests = [
			{
				id: 'p1',
				product: 'ramps_pix',
				status: 'pending_documentation',
				updated_at: '2026-05-17T12:00:01Z',
				missing_requirements: {
					documents: [
						{ id: 'd', name: 'Identity', required: true, valid_documents: [{ id: 'passport' }] },
					],
					data: [{ id: 'address', name: 'Address', fields: [{ key: 'street' }] }],
				},
			},
		];
		const item = { parameters: { clientId: 'c', itemPer: 'client' } };
		await fc.assert(
			fc.asyncProperty(changed(requests).filter(Array.isArray), async (json) => {
				const [client] = await itemsOf('productRequest: getMissingRequirements', item, { json });
				for (const line of String(client?.summary).split('\n')) expectHarmless(line);
			}),
			RUNS,
		);
	});

	it('Calculate Sweep summarizes any wallet in one harmless line', () => {
		const today = DateTime.now().setZone('America/New_York').toFormat('yyyy-MM-dd');
		fc.assert(
			fc.property(outside, fc.constantFrom('1', '9.5', '100'), (walletId, balance) => {
				const parameters = { walletId, balance, floor: '5', balanceDay: today, options: {} };
				let calculated: Record<string, unknown>;
				try {
					calculated = calculateSweep.calculate(inputOf({ parameters }), callerOf({ parameters }));
				} catch (refused) {
					expect(String(refused)).toContain('Wallet ID');
					return;
				}
				expectLine(calculated.summary);
			}),
			RUNS,
		);
	});
});

const reads = RESOURCES.flatMap(({ value, operations }) =>
	operations.flatMap(([name, operation]) =>
		operation.kind === 'service' && operation.effect === 'read'
			? [[`${value}: ${name}`, operation] as const]
			: [],
	),
);

it.each(reads)('a failed %s is summarized in one harmless line', (_, operation) => {
	fc.assert(
		fc.property(outside, outside, fc.dictionary(outside, outside), (message, fix, subject) => {
			const outcome = 'rejected' as const;
			const failure = { kind: 'request failure' as const, message, fix, traceId: null, outcome };
			const work = { profile: { effect: 'read' }, subject };
			const row = { index: 0, work, result: { kind: 'failed', failure, outcome } } as never;
			const { summary } = tellFailure(failure, outcome, operation, row, {} as never);
			expectLine(summary);
			expect(summary).toMatch(/^Not read: /);
		}),
		RUNS,
	);
});
