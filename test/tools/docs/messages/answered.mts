import type { IExecuteFunctions } from 'n8n-workflow';

import { errorOf } from '../../../../nodes/CardTreasury/n8n/render.ts';
import { RESOURCES } from '../../../../nodes/CardTreasury/operations/index.ts';
import { FORGOTTEN, judge } from '../../../../nodes/CardTreasury/request/classify.ts';
import { asInvalid, type RequestFailure } from '../../../../nodes/CardTreasury/request/errors.ts';
import {
	failureOf,
	notBuilt,
	type History,
} from '../../../../nodes/CardTreasury/request/failure.ts';
import type { RequestProfile } from '../../../../nodes/CardTreasury/request/request.ts';
import type { Attempt } from '../../../../nodes/CardTreasury/request/response.ts';
import type { Meaning } from '../../../../nodes/shared/statuses.ts';
import type { Message } from './message.mts';

const READ: RequestProfile = { effect: 'read', answer: 'object' };

const withStatus = (status: number, body = '{}'): Attempt => ({
	kind: 'response',
	status,
	headers: {},
	body: Buffer.from(body),
});
const withoutAnswer = (code: string, timedOut = false): Attempt => ({
	kind: 'no response',
	code,
	timedOut,
});

/** One of each kind of status, the documented ones first (§7); every other status means the same as one of them. */
const STATUSES = [400, 401, 403, 404, 429, 503, 500, 409, 301];

/** Every way in which an attempt can end without a result. */
const ENDS: Array<[Attempt, Partial<RequestProfile>?]> = [
	...STATUSES.map((status): [Attempt] => [withStatus(status)]),
	[withStatus(401), { level: 2 }],
	[withStatus(403), { level: 2 }],
	[withStatus(404, '<html>')],
	[withStatus(302, '{"code":"WARNING"}')],
	[withoutAnswer('ECONNABORTED', true)],
	[withoutAnswer('ECONNREFUSED')],
	[withoutAnswer('ECONNRESET')],
	[withoutAnswer('CERT_HAS_EXPIRED')],
	[withoutAnswer('SSRF_BLOCKED')],
	[withoutAnswer('ERR_INVALID_URL')],
	[withoutAnswer('NO_ANSWER')],
	[withStatus(200, '<html>')],
	[withStatus(200, '[]')],
	[withStatus(200, '{}'), { answer: 'array' }],
	[withStatus(200, 'x'), { answer: 'json' }],
	[withStatus(200, '<html>'), { answer: 'unknown' }],
	[withStatus(200, '{}'), { answer: 'pdf' }],
	[withStatus(200, '%PDF-1.7'), { answer: 'pdf' }],
];

/** What became of a request without a result, and what is known of each operation's own errors. */
export function answeredMessages(): Message[] {
	const known = RESOURCES.flatMap(({ operations }) =>
		operations.flatMap(([, operation]) => (operation.kind === 'service' ? operation.errors : [])),
	);
	return [
		...known.map(({ message, fix }) => ({ text: message, fix })),
		...ENDS.map(([attempt, profile]) => failureMessage(attempt, { ...READ, ...profile })),
		messageOf(failureOf(FORGOTTEN, { profile: READ, ...ONCE })),
		messageOf(failureOf(notBuilt(new Error('The file is gone')), { profile: READ, ...ONCE })),
	];
}

export function failureMessage(attempt: Attempt, profile: RequestProfile): Message {
	const verdict = judge(attempt, profile);
	if (verdict.kind === 'answered') throw new Error('It has an answer');
	return messageOf(failureOf(verdict, { profile, ...ONCE }));
}

const ONCE = { sent: 1, outcomeUnknown: false };

const messageOf = ({ message, fix }: RequestFailure): Message => ({ text: message, fix });

/** What a message adds: the service's own words, how often it was tried, and for a write what became of it. */
export function addedSentences(): Array<[when: string, sentence: string]> {
	const keyed = (recovery: RequestProfile['recovery']): RequestProfile => ({
		...READ,
		effect: 'keyed write',
		recovery,
	});
	const unkeyed: RequestProfile = { ...READ, effect: 'unkeyed write' };
	return [
		[
			'The service gave a reason',
			added('rejected', READ, { serviceMessage: 'Insufficient funds' }),
		],
		['It was sent several times', added('rejected', READ, { sent: 3 })],
		['Bad input, not sent', unsentSentence()],
		['A write, not sent', added('not_sent', unkeyed)],
		['A write, rejected', added('rejected', unkeyed)],
		['A write without an idempotency key, outcome unknown', added('unknown', unkeyed)],
		['The same without a reply', added('unknown', unkeyed, { traceId: null })],
		['A write with a derived key, outcome unknown', added('unknown', keyed('retry'))],
		['The same, by an agent', added('unknown', keyed('tool call'))],
		[
			'The same, under Continue On Fail, in a sub-workflow, or behind the MCP Server Trigger',
			added('unknown', keyed('copied key')),
		],
		['A write with a key of your own, outcome unknown', added('unknown', keyed('own key'))],
	];
}

/** What n8n shows below the advice of a field's message. */
function unsentSentence(): string {
	const n8n: IExecuteFunctions = Object.assign(Object.create(null), {
		getNode: () => ({ name: 'Card Treasury', type: 'cardTreasury', parameters: {} }),
	});
	const failure = asInvalid('x');
	return (errorOf(n8n, failure, 0, 'not_sent').description ?? '').slice(failure.fix.length).trim();
}

function added(
	outcome: Meaning['outcome'],
	profile: RequestProfile,
	more: { serviceMessage?: string; sent?: number; traceId?: null } = {},
): string {
	const meaning: Meaning = { again: 'never', outcome, message: '', fix: '' };
	const { serviceMessage, sent = 1, traceId = 'trace-1' } = more;
	const history: History = { profile, sent, outcomeUnknown: false, idempotencyKey: 'key-1' };
	return failureOf({ kind: 'failed', meaning, traceId, serviceMessage }, history).fix;
}
