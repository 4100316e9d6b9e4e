import {
	failureOf,
	notBuilt,
	type History,
} from '../../../../nodes/CardTreasury/request/failure.ts';
import type { Effect } from '../../../../nodes/CardTreasury/request/request.ts';
import type { Meaning } from '../../../../nodes/shared/statuses.ts';

const meaning = (outcome: Meaning['outcome']): Meaning => ({
	again: 'never',
	outcome,
	message: 'What happened',
	fix: 'What to do.',
});

function history(effect: Effect, more: Partial<History> = {}): History {
	const profile = { effect, answer: 'object' as const };
	return { profile, sent: 1, outcomeUnknown: false, idempotencyKey: 'key-1', ...more };
}

const failed = (
	outcome: Meaning['outcome'],
	past: History,
	traceId: string | null = 'trace-1',
	more: Partial<Meaning> = {},
) => failureOf({ kind: 'failed', meaning: { ...meaning(outcome), ...more }, traceId }, past);

it.each<[Effect, Meaning['outcome'], boolean, string]>([
	['read', 'not_sent', false, 'not_sent'],
	['read', 'rejected', false, 'rejected'],
	['read', 'unknown', true, 'rejected'],
	['unkeyed write', 'unknown', true, 'unknown'],
	['keyed write', 'unknown', true, 'unknown'],
	['keyed write', 'not_sent', false, 'not_sent'],
	['keyed write', 'rejected', false, 'rejected'],
])(
	'the outcome of a %s whose last attempt was "%s" covers all attempts',
	(effect, last, outcomeUnknown, outcome) => {
		const failure = failed(last, history(effect, { outcomeUnknown }));
		expect(failure).toMatchObject({
			outcome,
			message: 'What happened',
			fix: 'What to do.',
		});
	},
);

it.each<[Effect, Meaning['outcome'], string | undefined]>([
	['keyed write', 'unknown', 'key-1'],
	['keyed write', 'rejected', undefined],
	['keyed write', 'not_sent', undefined],
	// The service may not know the key of such a request.
	['unkeyed write', 'unknown', undefined],
	['read', 'unknown', undefined],
])('the failure shows the key of a %s that was "%s": %p', (effect, outcome, key) => {
	expect(failed(outcome, history(effect)).idempotencyKey).toBe(key);
});

it('a failure quotes the service and counts the attempts', () => {
	const failure = failureOf(
		{
			kind: 'failed',
			meaning: meaning('rejected'),
			status: 400,
			code: 'VAL',
			traceId: 'trace-1',
			serviceMessage: 'Wrong',
		},
		history('unkeyed write', { sent: 5 }),
	);
	expect(failure).toEqual({
		kind: 'request failure',
		message: 'What happened',
		fix: 'What to do. The service replied: "Wrong". n8n tried 5 times.',
		status: 400,
		code: 'VAL',
		reply: 'Wrong',
		traceId: 'trace-1',
		outcome: 'rejected',
	});
});

it('a failure quotes a text of a gateway, and keeps the hash of an earlier attempt', () => {
	const attempt = { kind: 'failed' as const, meaning: meaning('unknown'), traceId: null };
	const known = history('unkeyed write');
	failureOf({ ...attempt, hash: '0x1' }, known);
	expect(failureOf({ ...attempt, text: 'no upstream' }, known)).toMatchObject({
		fix: 'What to do. The reply says: "no upstream".',
		transactionHash: '0x1',
	});
});

it('a failure omits missing facts', () => {
	expect(failed('rejected', history('read'), null)).toEqual({
		kind: 'request failure',
		message: 'What happened',
		fix: 'What to do.',
		traceId: null,
		outcome: 'rejected',
	});
});

describe('a request that could not be built', () => {
	it.each([
		[new Error('ENOENT'), 'The request could not be built (ENOENT)'],
		['anything', 'The request could not be built'],
	])('the failure names the cause: %s', (thrown, message) => {
		expect(failureOf(notBuilt(thrown), history('read'))).toEqual({
			kind: 'request failure',
			message,
			fix: 'Check the files and values of this item.',
			traceId: null,
			outcome: 'not_sent',
		});
	});
});
