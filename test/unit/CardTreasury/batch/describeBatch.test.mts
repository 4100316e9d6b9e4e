import type { ItemResult } from '../../../../nodes/CardTreasury/batch/batch.ts';
import { describeBatch } from '../../../../nodes/CardTreasury/batch/describeBatch.ts';
import { InvalidFieldError, type FailureOutcome } from '../../../../nodes/CardTreasury/errors.ts';

const done: ItemResult = { kind: 'done', items: [], attempts: 1 };
const unsent: ItemResult = { kind: 'not sent' };
const request = (outcome: FailureOutcome): ItemResult => ({
	kind: 'failed',
	failure: { kind: 'request failure', message: 'm', fix: 'f', traceId: null, outcome },
	attempts: 1,
});
const invalid = (outcome?: 'unknown'): ItemResult => ({
	kind: 'failed',
	failure: new InvalidFieldError('Amount', 'is empty', 'Enter it.', outcome),
	attempts: 0,
});
const times = (count: number, result: ItemResult) => Array<ItemResult>(count).fill(result);

it('tells each state in a line of its own, and what to do next', () => {
	expect(
		describeBatch(
			[...times(4, done), request('rejected'), request('unknown'), ...times(2, unsent)],
			'keyed write',
			'retry',
		),
	).toBe(
		`
Items 0 to 3 were accepted.
Item 4 was rejected.
Item 5 may have been executed.
Items 6 and 7 were not sent.
(n8n counts items from 0.)
Retrying this execution does not repeat the accepted items. In a new execution, leave out the accepted items and the items that may have been executed.`,
	);
});

it('says nothing of a single item or of reads', () => {
	expect(describeBatch([request('rejected')], 'keyed write', 'retry')).toBe('');
	expect(describeBatch([done, request('rejected')], 'read', 'retry')).toBe('');
});

it('says that nothing was sent', () => {
	const results = [unsent, invalid(), request('not_sent')];
	expect(describeBatch(results, 'unkeyed write', 'retry')).toBe(
		'\nNothing was sent for any of the 3 items.\n(n8n counts items from 0.)',
	);
});

it('never tells as not sent what an earlier try may have executed', () => {
	const results: ItemResult[] = [
		invalid('unknown'),
		{ kind: 'not sent', outcomeUnknown: true },
		unsent,
	];
	expect(describeBatch(results, 'keyed write', 'retry')).toBe(
		`
Items 0 and 1 may have been executed.
Item 2 was not sent.
(n8n counts items from 0.)
In a new execution, leave out the items that may have been executed.`,
	);
});

it('gives no next step while nothing can have been executed', () => {
	expect(describeBatch([request('rejected'), unsent], 'keyed write', 'retry')).toBe(
		'\nItem 0 was rejected.\nItem 1 was not sent.\n(n8n counts items from 0.)',
	);
});

const OWN_KEY =
	'Items may be sent again with the same Idempotency Key: the service executes each only once, as long as it remembers the key.';
const NEW = 'A new execution would send all of them again: leave out the accepted items.';
const RETRY =
	'Retrying this execution does not repeat the accepted items. In a new execution, leave out the accepted items.';

it.each([
	['keyed write', 'retry', RETRY],
	['keyed write', 'own key', OWN_KEY],
	['keyed write', 'copied key', NEW],
	['keyed write', 'tool call', NEW],
	['unkeyed write', 'retry', RETRY],
	['unkeyed write', 'own key', NEW],
] as const)('gives the advice that can be followed: %s, %s', (effect, recovery, advice) => {
	expect(
		describeBatch([done, request('rejected')], effect, recovery)
			.split('\n')
			.at(-1),
	).toBe(advice);
});

it('lists items in ranges, and only the first twenty of them', () => {
	const states = [done, done, done, unsent, done, unsent, unsent, done, done];
	const lines = describeBatch(states, 'keyed write', 'retry').split('\n');
	expect(lines[1]).toBe('Items 0 to 2, 4, 7 and 8 were accepted.');
	expect(lines[2]).toBe('Items 3, 5 and 6 were not sent.');
	const twenty = Array.from({ length: 40 }, (_, index) => (index % 2 ? unsent : done));
	expect(describeBatch(twenty, 'keyed write', 'retry')).toContain('36 and 38 were accepted.');
	const alternating = Array.from({ length: 60 }, (_, index) => (index % 2 ? unsent : done));
	expect(describeBatch(alternating, 'keyed write', 'retry')).toContain(
		'Items 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36 and 38 and more were accepted.',
	);
});
