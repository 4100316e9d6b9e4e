import { answered, cardOf, Execution, failed, outputs } from '../../batch/batches.mts';

/** Runs Unblock for a card whose read is answered as given. */
async function unblock(read: ReturnType<typeof answered>, options: object) {
	const execution = new Execution('card: unblock', ({ request }) =>
		request.method === 'GET' ? read : answered({}),
	);
	const [items] = outputs(await execution.run([cardOf('c/1', options)]));
	return { item: items?.[0], sent: execution.sent.map(({ request }) => request.method) };
}
const FROZEN_OR_DELETED = { unlessStatus: ['FROZEN', 'DELETED'] };

it('Unblock leaves a card alone that has one of the statuses', async () => {
	const { item, sent } = await unblock(answered({ status: 'FROZEN' }), FROZEN_OR_DELETED);
	expect(item).toEqual({
		outcome: 'nothing_to_send',
		card_id: 'c/1',
		unblocked: false,
		card_status: 'FROZEN',
		idempotency_key: null,
		trace_id: null,
	});
	expect(sent).toEqual(['GET']);
});

it.each(['frozen', ' Deleted '])(
	'Unblock leaves a card with the status %j alone',
	async (status) => {
		const { item, sent } = await unblock(answered({ status }), FROZEN_OR_DELETED);
		expect(item).toMatchObject({ outcome: 'nothing_to_send', card_status: status });
		expect(sent).toEqual(['GET']);
	},
);

it.each([
	['has another status', answered({ status: 'ACTIVE' })],
	['has no status', answered({})],
	['cannot be read', failed('rejected', { status: 404 })],
	['is not answered', failed('unknown')],
])('Unblock unblocks a card that %s', async (_, read) => {
	const { item, sent } = await unblock(read, FROZEN_OR_DELETED);
	expect(item).toMatchObject({ outcome: 'done', unblocked: true });
	expect(sent).toEqual(['GET', 'PATCH']);
});

it('Unblock reads the card only if a status is chosen', async () => {
	expect((await unblock(answered({ status: 'FROZEN' }), {})).sent).toEqual(['PATCH']);
});

it('a dry run reads the card too, and unblocks nothing', async () => {
	const dryRun = { ...FROZEN_OR_DELETED, dryRun: true };
	expect(await unblock(answered({ status: 'FROZEN' }), dryRun)).toMatchObject({
		item: { outcome: 'nothing_to_send' },
		sent: ['GET'],
	});
	expect(await unblock(answered({ status: 'ACTIVE' }), dryRun)).toMatchObject({
		item: { outcome: 'dry_run', card_id: 'c/1', request: { method: 'PATCH' } },
		sent: ['GET'],
	});
});

it.each([[[]], [''], [['BLOCKED']]])(
	'the option Unless Status refuses %j',
	async (unlessStatus) => {
		const run = await new Execution('card: unblock').run([cardOf('c', { unlessStatus })]);
		expect(run.results[0]).toMatchObject({
			kind: 'failed',
			failure: { message: expect.stringMatching(/^Unless Status /) },
		});
	},
);
