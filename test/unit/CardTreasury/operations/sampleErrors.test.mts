import { errorsFor } from '../../../../nodes/CardTreasury/operations/sampleErrors.ts';
import { notFound } from '../../../../nodes/CardTreasury/request/request.ts';
import { ENTRIES, sampleOf } from '../../../../nodes/CardTreasuryTrigger/events.ts';

describe('not-found errors', () => {
	const errors = [
		notFound('Card', 'Card ID'),
		{ status: 409, message: 'Not waiting', fix: 'Wait.' },
	];
	const samples = ENTRIES.map(({ name }) => ({ ...sampleOf(name, 'o', new Date(0))!.data }));

	it.each(['card_id', 'wallet_id', 'id'])(
		"not-found errors point out %s of the trigger's samples",
		(name) => {
			const ids = samples.flatMap((data) => (name in data ? [data[name]] : []));
			expect(ids).not.toEqual([]);
			for (const id of ids) {
				const [missing, other] = errorsFor({ cardId: id }, errors);
				expect(missing?.fix).toContain("from the trigger's sample");
				expect(other).toEqual(errors[1]);
			}
		},
	);

	it('not-found errors stay unchanged for any other ID', () => {
		expect(errorsFor({ cardId: 'c' }, errors)).toBe(errors);
	});
});
