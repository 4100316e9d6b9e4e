import {
	failureOf,
	notBuilt,
	type History,
} from '../../../../nodes/CardTreasury/request/failure.ts';
import type { Effect, RecoveryPath } from '../../../../nodes/CardTreasury/request/request.ts';
import { InvalidFieldError } from '../../../../nodes/shared/fields/invalidField.ts';
import type { Meaning } from '../../../../nodes/shared/statuses.ts';

const meaning = (outcome: Meaning['outcome']): Meaning => ({
	again: 'never',
	outcome,
	message: 'What happened',
	fix: 'What to do.',
});

function history(effect: Effect, more: Partial<History> = {}, recovery?: RecoveryPath): History {
	const profile = { effect, answer: 'object' as const, recovery };
	return { profile, sent: 1, outcomeUnknown: false, idempotencyKey: 'key-1', ...more };
}

const failed = (
	outcome: Meaning['outcome'],
	past: History,
	traceId: string | null = 'trace-1',
	more: Partial<Meaning> = {},
) => failureOf({ kind: 'failed', meaning: { ...meaning(outcome), ...more }, traceId }, past);

const UNKNOWN = 'The outcome is unknown: it may have been executed.';

it.each<[Effect, Meaning['outcome'], boolean, string, string]>([
	['read', 'not_sent', false, 'not_sent', ''],
	['read', 'rejected', false, 'rejected', ''],
	['read', 'unknown', true, 'rejected', ''],
	['unkeyed write', 'not_sent', false, 'not_sent', ' It was not sent.'],
	['unkeyed write', 'rejected', false, 'rejected', ' It was not executed.'],
	[
		'unkeyed write',
		'unknown',
		true,
		'unknown',
		` ${UNKNOWN} Ask the provider, quoting the trace ID, before you send it again.`,
	],
	['keyed write', 'not_sent', false, 'not_sent', ' It was not sent.'],
	['keyed write', 'rejected', false, 'rejected', ' It was not executed.'],
])(
	'a %s whose last attempt was "%s": outcome and advice',
	(effect, last, outcomeUnknown, outcome, advice) => {
		const failure = failed(last, history(effect, { outcomeUnknown }));
		expect(failure).toMatchObject({
			outcome,
			message: 'What happened',
			fix: `What to do.${advice}`,
		});
	},
);

it.each<Effect>(['keyed write', 'unkeyed write'])(
	'adds nothing to a fix that says all of the outcome: %s',
	(effect) => {
		const failure = failed('unknown', history(effect), 'trace-1', { saysOutcome: true });
		expect(failure).toMatchObject({ outcome: 'unknown', fix: 'What to do.' });
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
	const failure = failed('unknown', history('keyed write', {}, recovery));
	expect(failure.fix).toBe(`What to do. ${UNKNOWN} ${advice}`);
	expect(failure.outcome).toBe('unknown');
	expect(failure.idempotencyKey).toBe('key-1');
});

it.each<Meaning['outcome']>(['not_sent', 'rejected', 'unknown'])(
	'stays unknown after an earlier attempt that may have been executed: %s',
	(outcome) => {
		const failure = failed(outcome, history('keyed write', { outcomeUnknown: true }));
		expect(failure).toMatchObject({ outcome: 'unknown', idempotencyKey: 'key-1' });
		expect(failure.fix).toContain(UNKNOWN);
		expect(failed(outcome, history('read', { outcomeUnknown: true })).outcome).not.toBe('unknown');
	},
);

it.each<[Effect, Meaning['outcome'], string | undefined]>([
	['keyed write', 'unknown', 'key-1'],
	['keyed write', 'rejected', undefined],
	['keyed write', 'not_sent', undefined],
	// The service may not know the key of such a request.
	['unkeyed write', 'unknown', undefined],
	['read', 'unknown', undefined],
])('gives the key of a %s that was "%s": %p', (effect, outcome, key) => {
	expect(failed(outcome, history(effect)).idempotencyKey).toBe(key);
});

it('has no key to give when none was sent', () => {
	expect(failed('unknown', history('keyed write', { idempotencyKey: undefined }))).toHaveProperty(
		'idempotencyKey',
		undefined,
	);
});

it('does not ask for a trace ID that there is none of', () => {
	expect(failed('unknown', history('unkeyed write'), null).fix).toBe(
		`What to do. ${UNKNOWN} Ask the provider before you send it again.`,
	);
});

it('quotes the service and counts the attempts', () => {
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
		fix: 'What to do. The service replied: "Wrong". n8n tried 5 times. It was not executed.',
		status: 400,
		code: 'VAL',
		traceId: 'trace-1',
		outcome: 'rejected',
	});
});

it('leaves out what is not there', () => {
	expect(failed('rejected', history('read'), null)).toEqual({
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
		expect(failureOf(notBuilt(thrown), history('unkeyed write', { sent: 0 }))).toEqual({
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
		expect(failureOf(notBuilt(thrown), history('read'))).toEqual({
			kind: 'request failure',
			message,
			fix: 'Check the files and values of this item.',
			traceId: null,
			outcome: 'not_sent',
		});
	});

	it('is unknown after an attempt that may have been executed', () => {
		const failure = failureOf(
			notBuilt(new Error('gone')),
			history('keyed write', { outcomeUnknown: true }),
		);
		expect(failure).toMatchObject({ outcome: 'unknown', idempotencyKey: 'key-1' });
		expect(failure.fix).toContain(UNKNOWN);
	});
});
