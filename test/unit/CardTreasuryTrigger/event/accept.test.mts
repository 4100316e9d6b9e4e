import {
	ACKNOWLEDGED,
	NOT_DECIDED,
	type Outcome,
} from '../../../../nodes/CardTreasuryTrigger/delivery/outcome.ts';
import { eventItem } from '../../../../nodes/CardTreasuryTrigger/delivery/item.ts';
import {
	CLAIM_LIMITS,
	createClaims,
} from '../../../../nodes/CardTreasuryTrigger/duplicates/claims.ts';
import { accept } from '../../../../nodes/CardTreasuryTrigger/event/accept.ts';
import { received } from '../delivery/received.mts';

const CLEARED = received('cards.cleared');
const AUTHORIZATION = received('cards.authorization');

/** Tells the outcome whether n8n could store the execution. */
function store(outcome: Outcome, succeeded: boolean) {
	if (outcome.kind !== 'acknowledged by n8n') throw new Error(`It is ${outcome.kind}`);
	outcome.stored(succeeded);
}

describe('an event', () => {
	it('starts an execution, and is acknowledged by n8n', () => {
		expect(accept(CLEARED, createClaims(CLAIM_LIMITS)('a'))).toEqual({
			kind: 'acknowledged by n8n',
			item: eventItem(CLEARED),
			stored: expect.any(Function),
		});
	});

	it.each([
		[true, ACKNOWLEDGED, false],
		[false, expect.objectContaining({ status: 503 }), true],
	])('repeated, is answered as the first was stored: %s', async (succeeded, reply, firstAgain) => {
		const claims = createClaims(CLAIM_LIMITS);
		const first = accept(CLEARED, claims('a'));
		const copy = accept(CLEARED, claims('a'));
		expect(copy).toEqual({ kind: 'answered', reply: expect.any(Promise) });
		store(first, succeeded);
		expect(copy.kind === 'answered' && (await copy.reply)).toEqual(reply);
		expect(claims('a').first).toBe(firstAgain);
	});

	it.each([true, false])('without a memory is accepted every time, stored: %s', (succeeded) => {
		store(accept(CLEARED, undefined), succeeded);
		expect(accept(CLEARED, undefined).kind).toBe('acknowledged by n8n');
	});
});

describe('an authorization that was not chosen', () => {
	it('is never told OK, which would decline it', () => {
		const item = eventItem(AUTHORIZATION);
		const expected = { kind: 'answered', reply: NOT_DECIDED, item };
		expect(accept(AUTHORIZATION, createClaims(CLAIM_LIMITS)('a'))).toEqual(expected);
		expect(accept(AUTHORIZATION, undefined)).toEqual(expected);
	});

	it('repeated, is answered alike, and starts nothing', async () => {
		const claims = createClaims(CLAIM_LIMITS);
		accept(AUTHORIZATION, claims('a'));
		const copy = accept(AUTHORIZATION, claims('a'));
		expect(copy).toEqual({ kind: 'answered', reply: expect.any(Promise) });
		expect(copy.kind === 'answered' && (await copy.reply)).toEqual(NOT_DECIDED);
	});
});
