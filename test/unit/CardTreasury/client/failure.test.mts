import {
	failureOf,
	notBuilt,
	type History,
} from '../../../../nodes/CardTreasury/client/failure.ts';
import type { Meaning } from '../../../../nodes/CardTreasury/client/statuses.ts';
import { InvalidFieldError } from '../../../../nodes/CardTreasury/errors.ts';
import type { Effect, RecoveryPath } from '../../../../nodes/CardTreasury/request.ts';

const meaning = (executed: Meaning['executed']): Meaning => ({
	again: 'never',
	executed,
	message: 'What happened',
	fix: 'What to do.',
});

function history(effect: Effect, more: Partial<History> = {}, recovery?: RecoveryPath): History {
	const profile = { effect, answer: 'object' as const, recovery };
	return { profile, sent: 1, outcomeUnknown: false, idempotencyKey: 'key-1', ...more };
}

const failed = (executed: Meaning['executed'], past: History, traceId: string | null = 'trace-1') =>
	failureOf({ kind: 'failed', meaning: meaning(executed), traceId }, past);

const UNKNOWN = 'The outcome is unknown: it may have been executed.';

it.each<[Effect, Meaning['executed'], boolean, string, string]>([
	['read', 'not sent', false, 'not_sent', ''],
	['read', 'no', false, 'rejected', ''],
	['read', 'maybe', true, 'rejected', ''],
	['read', 'pending', false, 'unknown', ''],
	['unkeyed write', 'not sent', false, 'not_sent', ' It was not sent.'],
	['unkeyed write', 'no', false, 'rejected', ' It was not executed.'],
	[
		'unkeyed write',
		'maybe',
		true,
		'unknown',
		` ${UNKNOWN} Ask the provider, quoting the trace ID, before you send it again.`,
	],
	['unkeyed write', 'pending', false, 'unknown', ''],
	['keyed write', 'not sent', false, 'not_sent', ' It was not sent.'],
	['keyed write', 'no', false, 'rejected', ' It was not executed.'],
	['keyed write', 'pending', false, 'unknown', ''],
])(
	'a %s that was executed "%s": outcome and advice',
	(effect, executed, outcomeUnknown, outcome, advice) => {
		const failure = failed(executed, history(effect, { outcomeUnknown }));
		expect(failure).toMatchObject({
			outcome,
			message: 'What happened',
			fix: `What to do.${advice}`,
		});
	},
);

it.each<[RecoveryPath | undefined, string]>([
	[
		'retry',
		'Retry this execution instead of starting a new one: it sends the same idempotency key, and the service executes it only once, as long as it remembers the key.',
	],
	[
		'tool call',
		'Call this tool again with the same values in this execution (in a chat, each message is a new one): it sends the same idempotency key, and the service executes it only once, as long as it remembers the key.',
	],
	[
		'own key',
		'Send it again with the same Idempotency Key: the service executes it only once, as long as it remembers the key.',
	],
	[
		'copied key',
		'Send it again only with the idempotency key below as Idempotency Key in the options: then the service executes it only once, as long as it remembers the key.',
	],
	[
		undefined,
		'Send it again only with the idempotency key below as Idempotency Key in the options: then the service executes it only once, as long as it remembers the key.',
	],
])('says how a keyed write of unknown outcome is sent again: %s', (recovery, advice) => {
	const failure = failed('maybe', history('keyed write', {}, recovery));
	expect(failure.fix).toBe(`What to do. ${UNKNOWN} ${advice}`);
	expect(failure.outcome).toBe('unknown');
	expect(failure.idempotencyKey).toBe('key-1');
});

it.each<Meaning['executed']>(['not sent', 'no', 'maybe'])(
	'stays unknown after an earlier attempt that may have been executed: %s',
	(executed) => {
		const failure = failed(executed, history('keyed write', { outcomeUnknown: true }));
		expect(failure).toMatchObject({ outcome: 'unknown', idempotencyKey: 'key-1' });
		expect(failure.fix).toContain(UNKNOWN);
		expect(failed(executed, history('read', { outcomeUnknown: true })).outcome).not.toBe('unknown');
	},
);

it.each<[Effect, Meaning['executed'], string | undefined]>([
	['keyed write', 'maybe', 'key-1'],
	['keyed write', 'pending', 'key-1'],
	['keyed write', 'no', undefined],
	['keyed write', 'not sent', undefined],
	// The service may not know the key of such a request.
	['unkeyed write', 'maybe', undefined],
	['read', 'pending', undefined],
])('gives the key of a %s that was executed "%s": %p', (effect, executed, key) => {
	expect(failed(executed, history(effect)).idempotencyKey).toBe(key);
});

it('has no key to give when none was sent', () => {
	expect(failed('maybe', history('keyed write', { idempotencyKey: undefined }))).not.toHaveProperty(
		'idempotencyKey',
	);
});

it('does not ask for a trace ID that there is none of', () => {
	expect(failed('maybe', history('unkeyed write'), null).fix).toBe(
		`What to do. ${UNKNOWN} Ask the provider before you send it again.`,
	);
});

it('quotes the service and counts the attempts', () => {
	const failure = failureOf(
		{
			kind: 'failed',
			meaning: meaning('no'),
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
		fix: 'What to do. The service replied: "Wrong". n8n tried 5 times. It was not executed.',
		status: 400,
		code: 'VAL',
		traceId: 'trace-1',
		outcome: 'rejected',
	});
});

it('leaves out what is not there', () => {
	expect(failed('no', history('read'), null)).toStrictEqual({
		kind: 'request failure',
		message: 'What happened',
		fix: 'What to do.',
		traceId: null,
		outcome: 'rejected',
	});
});

describe('a request that could not be built', () => {
	it('says what is wrong with a field, and that it was not sent', () => {
		const thrown = new InvalidFieldError('Front Image Field', 'is empty', 'Choose a file.');
		expect(notBuilt(thrown, history('unkeyed write', { sent: 0 }))).toEqual({
			kind: 'request failure',
			message: 'Front Image Field is empty',
			fix: 'Choose a file. It was not sent.',
			traceId: null,
			outcome: 'not_sent',
		});
	});

	it.each([
		[new Error('ENOENT'), 'The request could not be built (ENOENT)'],
		['anything', 'The request could not be built'],
	])('says why: %s', (thrown, message) => {
		expect(notBuilt(thrown, history('read'))).toEqual({
			kind: 'request failure',
			message,
			fix: 'Check the files and values of this item.',
			traceId: null,
			outcome: 'not_sent',
		});
	});

	it('is unknown after an attempt that may have been executed', () => {
		const failure = notBuilt(new Error('gone'), history('keyed write', { outcomeUnknown: true }));
		expect(failure).toMatchObject({ outcome: 'unknown', idempotencyKey: 'key-1' });
		expect(failure.fix).toContain(UNKNOWN);
	});
});
