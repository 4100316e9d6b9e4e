import {
	ACKNOWLEDGED,
	NOT_DECIDED,
	type Outcome,
} from '../../../../nodes/CardTreasuryTrigger/delivery/outcome.ts';
import { eventItem } from '../../../../nodes/CardTreasuryTrigger/delivery/item.ts';
import { accept } from '../../../../nodes/CardTreasuryTrigger/delivery/accept.ts';
import {
	EVENT_CLAIMS,
	createClaims,
} from '../../../../nodes/CardTreasuryTrigger/delivery/claims.ts';
import { received } from './received.mts';

const CLEARED = received('cards.cleared');
const AUTHORIZATION = received('cards.authorization');

/** Tells the outcome whether n8n could store the execution. */
function store(outcome: Outcome, succeeded: boolean) {
	if (outcome.kind !== 'acknowledged by n8n') throw new Error(`It is ${outcome.kind}`);
	outcome.stored(succeeded);
}

describe('an event', () => {
	it('starts an execution, and is acknowledged by n8n', () => {
		expect(accept(CLEARED, createClaims(EVENT_CLAIMS)('node', 'a'))).toEqual({
			kind: 'acknowledged by n8n',
			item: eventItem(CLEARED),
			stored: expect.any(Function),
		});
	});

	it.each([
		[true, ACKNOWLEDGED, false],
		[false, expect.objectContaining({ status: 503 }), true],
	])('repeated, is answered as the first was stored: %s', async (succeeded, reply, firstAgain) => {
		const claims = createClaims(EVENT_CLAIMS);
		const first = accept(CLEARED, claims('node', 'a'));
		const copy = accept(CLEARED, claims('node', 'a'));
		expect(copy).toEqual({ kind: 'answered', reply: expect.any(Promise) });
		store(first, succeeded);
		expect(copy.kind === 'answered' && (await copy.reply)).toEqual(reply);
		expect(claims('node', 'a').first).toBe(firstAgain);
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
		expect(accept(AUTHORIZATION, createClaims(EVENT_CLAIMS)('node', 'a'))).toEqual(expected);
		expect(accept(AUTHORIZATION, undefined)).toEqual(expected);
	});

	it('repeated, is answered alike, and starts nothing', async () => {
		const claims = createClaims(EVENT_CLAIMS);
		accept(AUTHORIZATION, claims('node', 'a'));
		const copy = accept(AUTHORIZATION, claims('node', 'a'));
		expect(copy).toEqual({ kind: 'answered', reply: expect.any(Promise) });
		expect(copy.kind === 'answered' && (await copy.reply)).toEqual(NOT_DECIDED);
	});
});
